"""If a ring sends too many events, draws are stored, other events are limited, and all are acknowledged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.ports.ring import RingEvent, RingEventKind
from companion.session.live_game import BURST_BYTES, EVENING_BYTES, MINUTE_BYTES, ROW_BYTES, FloodBudget
from tests.companion.live_table import LiveTable

AT_ONCE = 100_000
assert BURST_BYTES % AT_ONCE == 0


def event(seq: int, size: int = 0) -> RingEvent:
    return RingEvent("ring-1", "boot-1", seq, seq, RingEventKind.GATE, 0, ("x" * size,))


def spend(live_table: LiveTable) -> None:
    """Let the ring send other events until the budget is used up."""
    raw = ("x" * (AT_ONCE - ROW_BYTES),)
    told = (live_table.event(RingEventKind.GATE, token=0) for _ in range(BURST_BYTES // AT_ONCE))
    live_table.table.heard(*(replace(each, raw=raw) for each in told))
    assert live_table.snapshot.dropped == 0


def test_a_flood_is_bounded_by_the_minute_and_by_the_evening() -> None:
    """Flood: if many events arrive per second for hours, only a burst, a rate per minute and a total are stored."""
    budget, large = FloodBudget(), event(0, AT_ONCE - ROW_BYTES)
    kept = [sum(budget.keeps(large, second) for _ in range(10)) for second in range(0, 3600 * 4, 4)]

    assert (BURST_BYTES + MINUTE_BYTES) / AT_ONCE * 0.9 < sum(kept[:15]) <= (BURST_BYTES + MINUTE_BYTES) / AT_ONCE + 1
    assert sum(kept) <= EVENING_BYTES / AT_ONCE * (1 + 4 / 12)
    assert budget.dropped == len(kept) * 10 - sum(kept)


def test_an_evening_of_practice_fits_many_times() -> None:
    """Flood: a practice cube every two seconds for three hours is stored with all its measurements."""
    budget, measured = FloodBudget(), event(0, 4000)

    assert all(budget.keeps(measured, second) for second in range(0, 3 * 3600, 2))


def test_draws_are_kept_however_much_else_was_told(live_table: LiveTable) -> None:
    """Flood: with the budget used up, a draw is stored, and other events are counted and acknowledged."""
    live_table.open().dig(2)
    spend(live_table)
    last = live_table.ledger.last

    live_table.table.heard(
        live_table.event(RingEventKind.POKE),
        live_table.event(RingEventKind.OUT, "blue"),
        live_table.event(RingEventKind.GATE),
    )
    live_table.later(0).table.tick()

    assert live_table.view["bag"]["blue"] == 2
    assert live_table.snapshot.dropped >= 2
    assert live_table.ledger.last == last + 3


def test_passages_that_wait_for_a_word_are_no_more_than_lie_there(live_table: LiveTable) -> None:
    """Flood: while a question is open, no more passages are stored than there are stations under the ring."""
    live_table.open().dig(2)
    under = sum(live_table.snapshot.state.bag.values())
    spend(live_table)

    for _ in range(3 * under):
        live_table.table.heard(live_table.event(RingEventKind.OUT, None, live_table.token()))

    assert len([row for row in live_table.rows("ring") if row.word == "out"]) <= under


@pytest.mark.parametrize("drawn", [False, True])
def test_another_ring_in_the_midst_of_a_game_is_told(live_table: LiveTable, drawn: bool) -> None:
    """Ring: if another ring is used in the middle of a game, a notice says so, even after a restart."""
    live_table.open().dig(3)
    live_table.table.heard(live_table.event(RingEventKind.OUT, "blue"))
    assert live_table.notices == []
    other = RingEvent("ring-2", "boot-9", 1, 1, RingEventKind.OUT if drawn else RingEventKind.GATE, live_table.token())

    live_table.table.heard(other)

    told = [notice for notice in live_table.snapshot.notices if notice.kind == "another-ring"]
    assert [("ring-2" in one.text, "ring-1" in one.text) for one in told] == [(True, True)]
    assert live_table.restart().snapshot.notices == live_table.snapshot.notices
