"""Random events at a table: draws, undo, pauses, leaving players, restarts and a failing card, in any order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import UNDO_REASONS
from companion.ports.ring import RingEventKind, Unrecorded
from companion.session.commands import Abandon, Leave, LeaveOpen, Pause, Resume, Return, Switch
from tests.companion.ledger.test_storage import Card
from tests.companion.live_table import HOST, LiveTable
from tests.effort import seeds

ACTS = 200
COLOURS = ("red", "blue", "green", "white", None)


class Chaos:
    """Performs random actions at a table, legal or not."""

    def __init__(self, live_table: LiveTable, card: Card, lots: Random) -> None:
        self.live_table, self.card, self.lots = live_table, card, lots
        self.tokens = [0]

    def act(self) -> None:
        """Perform a random action; refusals and storage errors are expected."""
        self.live_table.time += self.lots.random() * 3
        self.tokens.append(self.live_table.token())
        try:
            self.lots.choice(self._acts())()
        except (Refused, Malformed, Unrecorded):
            return

    def _acts(self) -> list[Callable[[], object]]:
        live_table, table, lots = self.live_table, self.live_table.table, self.lots
        seat = lots.choice(("red", "blue"))
        often: list[Callable[[], object]] = [
            lambda: live_table.dig(lots.randrange(1, 4)),
            lambda: live_table.draw(str(lots.choice(COLOURS[:3]))),
            lambda: live_table.slide(lots.choice(COLOURS)),
            lambda: live_table.slide(lots.choice(COLOURS), lots.choice(self.tokens[-6:])),
            lambda: live_table.undo(lots.choice((None, *UNDO_REASONS))),
            lambda: (
                live_table.answer(lots.choice([*dict(live_table.question.offered), "same", "not a draw"]))
                if live_table.snapshot.questions
                else None
            ),
        ]
        seldom: list[Callable[[], object]] = [
            live_table.score,
            live_table.pair,
            lambda: live_table.do("stop"),
            lambda: live_table.do("fix", colour=seat, count=4),
            lambda: table.heard(live_table.event(RingEventKind.BOOT)),
            lambda: table.execute(Pause(), HOST),
            lambda: table.execute(Leave(seat), HOST),
            lambda: table.execute(Return(seat), HOST),
            lambda: table.execute(Abandon("enough"), HOST),
            lambda: live_table.later(lots.randrange(20)),
            lambda: self.card.fail(lots.choice(("read-only", "gone"))),
            *[self._take_stock] * 4,
        ]
        always = [lambda: table.execute(Resume(), HOST), self._mend]
        return [*often * 4, *seldom, *always * 3]

    def _take_stock(self) -> None:
        """Answer the inventory after an attempt: agree, enter another count, mend it or leave it open."""
        live_table, lots = self.live_table, self.lots
        left = live_table.snapshot.left_over
        if left is None:
            return
        if left.doubts and lots.random() < 0.6:
            live_table.mend(lots.choice(live_table.causes()))
        elif left.doubts:
            live_table.table.execute(LeaveOpen(left.id), HOST)
        elif lots.random() < 0.3:
            live_table.agree()
        else:
            live_table.count(**{lots.choice(list(left.stations)): lots.randrange(5)})

    def _mend(self) -> None:
        self.card.mend()
        self.live_table.later(2)


def unsettled(live_table: LiveTable) -> list[int]:
    """Return the passages of the live game that led to no draw, question or other row."""
    play = live_table.table.live.play
    assert play is not None
    rows = list(live_table.ledger.rows(play.game_id, live_table.ledger.last + 1))
    passages = [row.id for row in rows if row.kind == "ring" and row.word in ("out", "pair")]
    settled = {row.ring for row in rows if row.kind != "judgement"} | {each.id for each in play.waiting}
    return [passage for passage in passages if passage not in settled]


@pytest.mark.parametrize("seed", seeds(6))
def test_anything_that_happens_can_be_told_again(tmp_path: Path, seed: int) -> None:
    """At any time, a restart and the record give the same state, and every passage can be accounted for."""
    card = Card()
    live_table = LiveTable(tmp_path / "ledger.db", connect=card).open(goal=40)
    chaos = Chaos(live_table, card, Random(seed))

    for _ in range(ACTS // 25):
        for _ in range(25):
            chaos.act()
        chaos._mend()
        before, order = live_table.snapshot, live_table.table.order()
        after = live_table.restart().snapshot
        assert (after.state, after.questions, after.recent, after.undoable, after.status, after.version) == (
            *(before.state, before.questions, before.recent, before.undoable, before.status, before.version),
        )
        assert after.left_over == before.left_over
        assert live_table.table.order() == order
        assert unsettled(live_table) == []

    view = live_table.view
    live_table.table.execute(
        Switch(live_table.table.importer.import_record(live_table.table.archive.record(), HOST).game), HOST
    )
    assert live_table.view == view
    live_table.ledger.close()
