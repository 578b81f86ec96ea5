"""Spoken countdowns: three, two, one, and the last ten seconds of a step."""

from __future__ import annotations

from math import ceil

from companion.kernel.said import Said, said
from companion.model.countdown import Countdown
from companion.model.speech import CLOCK, Utterance, Verbosity

FIRST_S, COUNTED_S = 10, 5


def seconds_left(timing: Countdown) -> int | None:
    """Return the number to say now: 3, 2, 1, or the remaining seconds of a running step. Return None for no number."""
    if timing.running and timing.count:
        return timing.count
    if not (timing.running and timing.limit_ms):
        return None
    return max(0, ceil(timing.left_ms / 1000))


def clock_says(timing: Countdown) -> Utterance | None:
    """Return the sentence for the present second of *timing*, or None."""
    if timing.count:
        return Utterance(Said("%(num)s", {"num": timing.count}), timing.seats, Verbosity.FEW, CLOCK)
    seconds = seconds_left(timing)
    return None if seconds is None else last_second(seconds, timing.seats)


def last_second(seconds: int, seats: tuple[str, ...] = ()) -> Utterance | None:
    """Return the sentence for *seconds* remaining in a step in which *seats* must act, or None."""
    if seconds == FIRST_S:
        return Utterance(said("10 seconds."), seats, Verbosity.FEW, CLOCK)
    if seconds == 0:
        return Utterance(said("Time."), seats, Verbosity.FEW, CLOCK)
    if 0 < seconds <= COUNTED_S:
        return Utterance(Said("%(num)s", {"num": seconds}), seats, Verbosity.USUAL, CLOCK)
    return None
