"""Anything may happen at a table: random evenings with ring, undo, pauses, leavers, pulled plugs and a failing card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import UNDO_REASONS
from companion.ports.ring import Kind, Unrecorded
from tests.companion.ledger.test_storage import Card
from tests.companion.live_table import HOST, Evening

ACTS = 200
COLOURS = ("red", "blue", "green", "white", None)


class Chaos:
    """Hands that do anything, legal or not."""

    def __init__(self, evening: Evening, card: Card, lots: Random) -> None:
        self.evening, self.card, self.lots = evening, card, lots
        self.tokens = [0]

    def act(self) -> None:
        """Do something; what is refused or cannot be kept is fine, anything else is a fault."""
        self.evening.time += self.lots.random() * 3
        self.tokens.append(self.evening.token())
        try:
            self.lots.choice(self._acts())()
        except (Refused, Malformed, Unrecorded):
            return

    def _acts(self) -> list[Callable[[], object]]:
        evening, table, lots = self.evening, self.evening.table, self.lots
        seat = lots.choice(("red", "blue"))
        often: list[Callable[[], object]] = [
            lambda: evening.dig(lots.randrange(1, 4)),
            lambda: evening.draw(str(lots.choice(COLOURS[:3]))),
            lambda: evening.slide(lots.choice(COLOURS)),
            lambda: evening.slide(lots.choice(COLOURS), lots.choice(self.tokens[-6:])),
            lambda: evening.undo(lots.choice((None, *UNDO_REASONS))),
            lambda: (
                evening.answer(lots.choice([*dict(evening.question.offered), "same", "not a draw"]))
                if evening.sight.questions
                else None
            ),
        ]
        seldom: list[Callable[[], object]] = [
            evening.score,
            evening.pair,
            lambda: evening.do("stop"),
            lambda: evening.do("fix", colour=seat, count=4),
            lambda: table.heard(evening.event(Kind.BOOT)),
            lambda: table.pause(HOST),
            lambda: table.left(seat, HOST),
            lambda: table.returned(seat, HOST),
            lambda: table.abandon("enough", HOST),
            lambda: evening.later(lots.randrange(20)),
            lambda: self.card.fail(lots.choice(("read-only", "gone"))),
            *[self._take_stock] * 4,
        ]
        always = [lambda: table.resume(HOST), self._mend]
        return [*often * 4, *seldom, *always * 3]

    def _take_stock(self) -> None:
        """Agree with what must be left, or count something else, and mend that or leave it open."""
        evening, lots = self.evening, self.lots
        left = evening.sight.left_over
        if left is None:
            return
        if left.doubts and lots.random() < 0.6:
            evening.mend(lots.choice(evening.causes()))
        elif left.doubts:
            evening.table.leave_open(left.id, HOST)
        elif lots.random() < 0.3:
            evening.agree()
        else:
            evening.count(**{lots.choice(list(left.stations)): lots.randrange(5)})

    def _mend(self) -> None:
        self.card.mend()
        self.evening.later(2)


def unsettled(evening: Evening) -> list[int]:
    """Passages of the live game in the ledger of which nothing became."""
    play = evening.table._play
    assert play is not None
    rows = list(evening.ledger.rows(play.game_id, evening.ledger.last + 1))
    passages = [row.id for row in rows if row.kind == "ring" and row.word in ("out", "pair")]
    settled = {row.ring for row in rows if row.kind != "judgement"} | {each.id for each in play.waiting}
    return [passage for passage in passages if passage not in settled]


@pytest.mark.parametrize("seed", range(6))
def test_anything_that_happens_can_be_told_again(tmp_path: Path, seed: int) -> None:
    """Anything: at any moment the rows give the same sight, the record the same game, and no passage is forgotten."""
    card = Card()
    evening = Evening(tmp_path / "ledger.db", connect=card).open(goal=40)
    chaos = Chaos(evening, card, Random(seed))

    for _ in range(ACTS // 25):
        for _ in range(25):
            chaos.act()
        chaos._mend()
        before, order = evening.sight, evening.table.order()
        after = evening.restart().sight
        assert (after.state, after.questions, after.recent, after.undoable, after.status, after.version) == (
            *(before.state, before.questions, before.recent, before.undoable, before.status, before.version),
        )
        assert after.left_over == before.left_over
        assert evening.table.order() == order
        assert unsettled(evening) == []

    view = evening.view
    evening.table.switch(evening.table.import_record(evening.table.record(), HOST), HOST)
    assert evening.view == view
    evening.ledger.close()
