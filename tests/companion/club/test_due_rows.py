"""Which rows are sent next: a window after the acknowledged row, a pause before a retry, and a faulty network."""

from __future__ import annotations

from random import Random

import pytest

from companion.club.batch import Ack, AckState
from companion.club.due_rows import AGAIN_S, HELD_S, WINDOW, Cursor, DueRows
from tests.effort import seeds


def ack(upto: int, state: AckState = AckState.OK) -> Ack:
    return Ack("aa", "e1", state, upto)


def sent(due_rows: DueRows, last: int, now: float, size: int = 10) -> list[int]:
    """Return the first row of each batch that can be sent now."""
    found = []
    while (after := due_rows.due(last, now)) is not None:
        found.append(after)
        due_rows.went(min(after + size, last), now)
    return found


def test_at_most_eight_batches_are_on_their_way() -> None:
    """Outbox: at most eight batches are in flight, and each acknowledgement makes room for more."""
    due_rows = DueRows(Cursor())
    first = sent(due_rows, 200, 0.0)
    due_rows.acked(ack(20), 0.1)

    assert first == list(range(0, 10 * WINDOW, 10))
    assert sent(due_rows, 200, 0.2) == [80, 90]
    assert due_rows.cursor.upto == 20


def test_without_an_answer_one_batch_goes_again_after_five_seconds() -> None:
    """Outbox: without an answer, one batch after the acknowledged row is sent again every five seconds."""
    due_rows = DueRows(Cursor(40))
    sent(due_rows, 200, 0.0)
    early = sent(due_rows, 200, AGAIN_S - 0.1)
    late = [sent(due_rows, 200, AGAIN_S * times) for times in (1, 2, 3)]
    due_rows.acked(ack(50), AGAIN_S * 3)

    assert (early, late) == ([], [[40]] * 3)
    assert len(sent(due_rows, 200, AGAIN_S * 3)) == WINDOW


def test_a_gap_goes_back_and_a_late_answer_does_not() -> None:
    """Outbox: the answer `gap` moves the cursor back; an older acknowledgement that arrives late does not."""
    due_rows = DueRows(Cursor(40))
    sent(due_rows, 60, 0.0)
    due_rows.acked(ack(10, AckState.GAP), 0.1)
    back = sent(due_rows, 60, 0.2)
    due_rows.acked(ack(60), 0.3)
    due_rows.acked(ack(30), 0.4)

    assert back == [10, 20, 30, 40, 50]
    assert (due_rows.cursor.upto, sent(due_rows, 60, 0.5)) == (60, [])


@pytest.mark.parametrize("state", [AckState.FULL, AckState.UNKNOWN, AckState.NEWER])
def test_a_club_that_takes_nothing_is_left_alone_for_a_while(state: AckState) -> None:
    """Outbox: after `full`, `unknown` or `newer`, nothing is sent for half a minute; then the rows are sent again."""
    due_rows = DueRows(Cursor())
    sent(due_rows, 30, 0.0)
    due_rows.acked(ack(0, state), 1.0)

    assert sent(due_rows, 30, HELD_S) == []
    assert sent(due_rows, 30, HELD_S + 1.0) == [0, 10, 20]


@pytest.mark.parametrize("seed", seeds(20))
def test_any_network_brings_all_rows_in_order(seed: int) -> None:
    """Outbox: even if batches and answers are lost, duplicated or reordered, the club finally gets all rows."""
    lots, due_rows, now = Random(seed), DueRows(Cursor()), 0.0
    there, batches, answers = 0, list[tuple[int, int]](), list[Ack]()
    while due_rows.cursor.upto < 300 and now < 10_000:
        now += 1.0
        while (after := due_rows.due(300, now)) is not None:
            batches += [(after, min(after + 10, 300))] * lots.choice((0, 1, 1, 2))
            due_rows.went(min(after + 10, 300), now)
        lots.shuffle(batches)
        for first, last in [batches.pop() for _ in range(lots.randint(0, len(batches)))]:
            there = max(there, last) if first <= there else there
            answers += [ack(there, AckState.OK if first <= there else AckState.GAP)] * lots.choice((0, 1, 2))
        lots.shuffle(answers)
        for each in [answers.pop() for _ in range(lots.randint(0, len(answers)))]:
            due_rows.acked(each, now)

    assert (there, due_rows.cursor.upto) == (300, 300)
