"""Fills a ledger with nights of random games whose draws come from a ring with known odds.

`python -m tests.fairness.nights FOLDER`: each draw is an event of a ring, so the ledger contains it like a real one;
some draws are uncertain, surplus or undone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

from companion.app.data_folder import LEDGER, make_folder
from companion.games.registry import GAMES
from companion.model.game import AnyGame, draw_wanted
from companion.model.snapshot import NOT_A_DRAW, Who
from companion.ports.ring import Judgement, Order, RingEvent, RingEventKind, RingState, RingView
from companion.session.commands import Answer, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger

HOST = Who("host", "tablet")
SURPLUS, UNDONE = 0.06, 0.03
"""The probabilities that a ring lets out one cube too many, and that a draw is undone."""
CONTENTS = {"red": 6, "blue": 4, "green": 2}


@dataclass(frozen=True)
class Ring:
    """A ring with the odds *own* for the drawing player's cubes and *odds* for colours.

    *unsure* is the probability that it is unsure about a cube.
    """

    name: str
    simulated: bool = False
    own: float = 1.0
    odds: tuple[tuple[str, float], ...] = ()
    unsure: float = 0.04

    def weight(self, colour: str, seat: str) -> float:
        """Return how much easier a cube of *colour* comes out when *seat* draws."""
        return dict(self.odds).get(colour, 1.0) * (self.own if colour == seat else 1.0)


class Nights:
    """Games one after another in one ledger, with a clock that advances."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.ledger = open_ledger(make_folder(folder) / LEDGER)
        self.table = Table(LiveGame(self.ledger, GAMES, monotonic, Random(seed)))
        self.lots = Random(seed)
        self._heard = 0

    def play(self, ring: Ring, players: int = 4, name: str = "andromeda", most: int = 1500) -> None:
        """Play one game to its end, or *most* lines of it, with draws by *ring*."""
        self.table.ring_changed(RingView(RingState.LIVE, "", ring.name, simulated=ring.simulated))
        game = GAMES[name]
        assert game.random_play is not None, "the others are not played at random"
        own = game.random_play.header(players, self.lots, False)
        contents = {} if game.open_draws is None else {"contents": CONTENTS}
        self.table.open({"record": "table-record", "version": 1, "game": name, **own, **contents}, HOST)
        for _ in range(most):
            seen = self.table.snapshot
            if game.result(seen.state) is not None:
                return
            if seen.questions:
                self._answer(seen.questions[0].id, [colour for colour, _ in seen.questions[0].offered])
            elif (order := self.table.order()) is not None and (game.open_draws is None or self.lots.random() < 0.5):
                self._draw(ring, game, order)
            else:
                self.table.do(game.line(game.random_play.command(seen.state, self.lots)), HOST)

    def close(self) -> None:
        """Close the ledger."""
        self.table.close()

    def _draw(self, ring: Ring, game: AnyGame, order: Order) -> None:
        wanted = draw_wanted(game, self.table.snapshot.state)
        assert wanted is not None, "a ring is armed for a draw"
        under = {colour: count for colour, count in wanted.under.items() if count}
        weights = [count * ring.weight(colour, wanted.seat) for colour, count in under.items()]
        (colour,) = self.lots.choices(list(under), weights)
        self._slide(ring, order.token, None if self.lots.random() < ring.unsure else colour, under)
        if self.lots.random() < SURPLUS and self.table.order() is None:
            self._slide(ring, order.token, colour, under)
        if self.lots.random() < UNDONE and self.table.order() is not None and not self.table.snapshot.questions:
            self.table.execute(Undo(NOT_A_DRAW), HOST)

    def _slide(self, ring: Ring, token: int, colour: str | None, under: Mapping[str, int]) -> None:
        self._heard += 1
        ranking = tuple((each, 0.5) for each in under) if colour is None else ((colour, 0.98),)
        seen = Judgement(colour, ranking, "ambiguous" if colour is None else "")
        event = (ring.name, "boot", self._heard, self._heard * 1000, RingEventKind.OUT, token, ("raw",), seen)
        self.table.heard(RingEvent(*event))

    def _answer(self, question: int, offered: list[str]) -> None:
        chosen = self.lots.choice([*offered, NOT_A_DRAW])
        self.table.execute(Answer(question, chosen), HOST)


def main() -> int:
    """Fill a folder with the nights of three rings, and of hands at a draw table."""
    parser = argparse.ArgumentParser(prog="python -m tests.fairness.nights", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    nights = Nights(asked.folder, asked.seed)
    for number in range(asked.games):
        nights.play(Ring("ring-7"))
        if number % 3 == 0:
            nights.play(Ring("ring-2", odds=(("red", 3.0),)))
            nights.play(Ring("mock", simulated=True, own=1.3), players=3)
            nights.play(Ring("nobody"), name="draws")
    nights.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
