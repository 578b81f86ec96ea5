"""Which rows are sent next: a window after the acknowledged row, a pause before a retry, and a faulty network."""

from __future__ import annotations

from random import Random

import pytest

from companion.club.batch import Ack, AckState
from companion.club.outbox import AGAIN_S, HELD_S, WINDOW, Cursor, Outbox
from tests.effort import seeds


def ack(upto: int, state: AckState = AckState.OK) -> Ack:
    return Ack("aa", "e1", state, upto)


def sent(outbox: Outbox, last: int, now: float, size: int = 10) -> list[int]:
    """Return the first row of each batch that can be sent now."""
    found = []
    while (after := outbox.due(last, now)) is not None:
        found.append(after)
        outbox.went(min(after + size, last), now)
    return found


def test_at_most_eight_batches_are_on_their_way() -> None:
    """Outbox: at most eight batches are in flight, and each acknowledgement makes room for more."""
    outbox = Outbox(Cursor())
    first = sent(outbox, 200, 0.0)
    outbox.acked(ack(20), 0.1)

    assert first == list(range(0, 10 * WINDOW, 10))
    assert sent(outbox, 200, 0.2) == [80, 90]
    assert outbox.cursor.upto == 20


def test_without_an_answer_one_batch_goes_again_after_five_seconds() -> None:
    """Outbox: without an answer, one batch after the acknowledged row is sent again every five seconds."""
    outbox = Outbox(Cursor(40))
    sent(outbox, 200, 0.0)
    early = sent(outbox, 200, AGAIN_S - 0.1)
    late = [sent(outbox, 200, AGAIN_S * times) for times in (1, 2, 3)]
    outbox.acked(ack(50), AGAIN_S * 3)

    assert (early, late) == ([], [[40]] * 3)
    assert len(sent(outbox, 200, AGAIN_S * 3)) == WINDOW


def test_a_gap_goes_back_and_a_late_answer_does_not() -> None:
    """Outbox: the answer `gap` moves the cursor back; an older acknowledgement that arrives late does not."""
    outbox = Outbox(Cursor(40))
    sent(outbox, 60, 0.0)
    outbox.acked(ack(10, AckState.GAP), 0.1)
    back = sent(outbox, 60, 0.2)
    outbox.acked(ack(60), 0.3)
    outbox.acked(ack(30), 0.4)

    assert back == [10, 20, 30, 40, 50]
    assert (outbox.cursor.upto, sent(outbox, 60, 0.5)) == (60, [])


@pytest.mark.parametrize("state", [AckState.FULL, AckState.UNKNOWN, AckState.NEWER])
def test_a_club_that_takes_nothing_is_left_alone_for_a_while(state: AckState) -> None:
    """Outbox: after `full`, `unknown` or `newer`, nothing is sent for half a minute; then the rows are sent again."""
    outbox = Outbox(Cursor())
    sent(outbox, 30, 0.0)
    outbox.acked(ack(0, state), 1.0)

    assert sent(outbox, 30, HELD_S) == []
    assert sent(outbox, 30, HELD_S + 1.0) == [0, 10, 20]


@pytest.mark.parametrize("seed", seeds(20))
def test_any_network_brings_all_rows_in_order(seed: int) -> None:
    """Outbox: even if batches and answers are lost, duplicated or reordered, the club finally gets all rows."""
    lots, outbox, now = Random(seed), Outbox(Cursor()), 0.0
    there, batches, answers = 0, list[tuple[int, int]](), list[Ack]()
    while outbox.cursor.upto < 300 and now < 10_000:
        now += 1.0
        while (after := outbox.due(300, now)) is not None:
            batches += [(after, min(after + 10, 300))] * lots.choice((0, 1, 1, 2))
            outbox.went(min(after + 10, 300), now)
        lots.shuffle(batches)
        for first, last in [batches.pop() for _ in range(lots.randint(0, len(batches)))]:
            there = max(there, last) if first <= there else there
            answers += [ack(there, AckState.OK if first <= there else AckState.GAP)] * lots.choice((0, 1, 2))
        lots.shuffle(answers)
        for each in [answers.pop() for _ in range(lots.randint(0, len(answers)))]:
            outbox.acked(each, now)

    assert (there, outbox.cursor.upto) == (300, 300)
