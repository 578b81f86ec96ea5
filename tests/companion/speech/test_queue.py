"""The speech queue: newer sentences replace waiting ones, late ones are dropped, and a correction comes at once."""

from __future__ import annotations

from companion.kernel.said import said
from companion.model.clock import Strictness
from companion.model.countdown import Countdown
from companion.model.speech import QUESTION, RING, TURN, Utterance, Verbosity
from companion.speech import SpeechQueue, clock_says, last_second
from companion.speech.last_seconds import seconds_left
from companion.speech.queue import PATIENCE_S

FLIES = Utterance(said("Ana's station flies home."), (), Verbosity.USUAL, RING)
BENS = Utterance(said("Ben's turn."), ("blue",), Verbosity.FEW, TURN)
CEMS = Utterance(said("Cem's turn."), ("green",), Verbosity.FEW, TURN)
ASKS = Utterance(said("Which station came out?"), (), Verbosity.FEW, QUESTION)
RIGHT = Utterance(said("Correction."), (), Verbosity.FEW, "", True)


def spoken(queue: SpeechQueue, now: float = 0.0) -> list[str]:
    """Return the sentences that are spoken from *queue*."""
    sentences = []
    while True:
        one, queue = queue.next(now)
        if one is None:
            return sentences
        sentences.append(str(one.text))


def test_what_comes_together_is_said_in_its_order() -> None:
    """Queue: sentences of one event are spoken in their order."""
    assert spoken(SpeechQueue().add((FLIES, BENS), 0.0)) == ["Ana's station flies home.", "Ben's turn."]


def test_what_is_newer_takes_the_place_of_what_waits() -> None:
    """Queue: sentences of a newer event replace those that are still waiting."""
    assert spoken(SpeechQueue().add((FLIES, BENS), 0.0).add((CEMS,), 1.0)) == ["Cem's turn."]


def test_what_few_words_say_is_not_lost_for_something_else() -> None:
    """Queue: an announced turn is still spoken when a question of the ring comes."""
    assert spoken(SpeechQueue().add((FLIES, BENS), 0.0).add((ASKS,), 1.0)) == ["Ben's turn.", "Which station came out?"]


def test_a_correction_leaves_nothing_of_before() -> None:
    """Queue: a correction removes all waiting sentences, since they may be wrong."""
    assert spoken(SpeechQueue().add((FLIES, BENS), 0.0).add((RIGHT,), 1.0)) == ["Correction."]


def test_nothing_is_said_long_after() -> None:
    """Queue: a sentence that could not be spoken in time is dropped."""
    queue = SpeechQueue().add((BENS,), 0.0)

    assert spoken(queue, PATIENCE_S) == ["Ben's turn."]
    assert spoken(queue, PATIENCE_S + 0.1) == []


def test_nothing_new_changes_nothing() -> None:
    """An event for which this device has no sentences replaces nothing in the queue."""
    assert spoken(SpeechQueue().add((BENS,), 0.0).add((), 1.0)) == ["Ben's turn."]


def test_a_game_that_runs_ahead_leaves_no_heap() -> None:
    """Queue: after a hundred events, at most two sentences wait."""
    queue = SpeechQueue()
    for _ in range(100):
        queue = queue.add((FLIES, BENS), 0.0)

    assert len(queue.waiting) == 2


def test_the_last_ten_seconds_are_counted() -> None:
    """Clock: ten, then five to one, and the end are spoken; with few words, only ten and the end."""
    counted = {second: last_second(second) for second in range(12, -1, -1)}

    assert {second: str(one.text) for second, one in counted.items() if one} == {
        10: "10 seconds.",
        **{second: str(second) for second in range(5, 0, -1)},
        0: "Time.",
    }
    assert [second for second, one in counted.items() if one and one.words is Verbosity.FEW] == [10, 0]


def test_a_clock_that_stands_is_not_counted() -> None:
    """Clock: no seconds are counted while the clock is held or the step has no limit."""
    timing = Countdown("lay", ("red",), Strictness.GENTLE, 30_000, 19_500)

    assert seconds_left(timing) == 11
    for changed in ({"running": False}, {"limit_ms": 0}, {"lead_ms": 2000, "running": False}):
        assert seconds_left(Countdown(**{**vars(timing), **changed})) is None


def test_three_two_one_is_said_in_few_words_too() -> None:
    """Clock: three, two, one is spoken even with few words, and even if the next step has no limit."""
    timing = Countdown("name", ("red",), Strictness.OFF, 0, 0, lead_ms=3000)
    said = [clock_says(timing.at(ms)) for ms in (0, 1000, 2000, 3000)]

    assert [str(each) and str(each.text) for each in said if each] == ["3", "2", "1"]
    assert {each.words for each in said if each} == {Verbosity.FEW}
