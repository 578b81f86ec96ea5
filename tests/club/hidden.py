"""`python -m tests.club.hidden`: checks in random games of each kind that a table shows a club nothing hidden.

In each position the state is made twice: from everything that the table knows, and from what a spectator sees. Both
must be equal, and a draw must be expected in both or in neither. Events are not compared: they only contain a type, a
row and colours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from companion.club.table_view import state_of
from companion.games.registry import GAMES
from companion.model.game import AnyGame, draw_wanted
from companion.model.snapshot import Snapshot, Status
from companion.session.hidden import EVERYBODY, seen_by

STEPS = 60


def positions(game: AnyGame, seed: int, most: int = STEPS) -> Iterator[Snapshot]:
    """Yield the first *most* positions of a random game and its last one, with everything that the table knows."""
    play, lots = game.random_play, Random(seed)
    assert play is not None
    header = play.header(3 if game.name == "andromeda" else 2, lots, False)
    state, row = game.start(header), 1
    while game.result(state) is None and row <= most:
        yield Snapshot(row, Status.LIVE, 1, game, header, state, whole=state)
        command = game.by_itself(state, frozenset()) or play.command(state, lots)
        for event in game.decide(state, command):
            state = game.evolve(state, event)
        row += 1
    status = Status.LIVE if game.result(state) is None else Status.FINISHED
    yield Snapshot(row, status, 1, game, header, state, whole=state)


def shows_more(snapshot: Snapshot) -> bool:
    """Return whether a table's state or its ring's arming reveals more of *snapshot* than a spectator may see."""
    seen, game = seen_by(snapshot, EVERYBODY), snapshot.game
    if state_of(replace(seen, whole=None)) != state_of(snapshot):
        return True
    return game is not None and (draw_wanted(game, seen.state) is None) != (draw_wanted(game, snapshot.state) is None)


def main() -> int:
    """Play, print how many positions were compared, and return 1 if something hidden was shown."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.hidden", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=10_000, help="the most positions of a game")
    asked = parser.parse_args()
    kinds, compared, more = sorted(GAMES), 0, []
    for number in range(asked.games):
        for snapshot in positions(GAMES[kinds[number % len(kinds)]], number, asked.steps):
            compared += 1
            if shows_more(snapshot):
                more.append((kinds[number % len(kinds)], number, snapshot.version))
    print(json.dumps({"games": asked.games, "positions": compared, "shown": len(more), "first": more[:3]}))
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
