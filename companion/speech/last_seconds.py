"""The last ten seconds of a step, aloud."""

from __future__ import annotations

from math import ceil

from companion.kernel.i18n import Said, said
from companion.model.countdown import Timing
from companion.model.speech import CLOCK, Utterance, Words

FIRST_S, COUNTED_S = 10, 5


def seconds_left(timing: Timing) -> int | None:
    """Return the seconds that a running step has left, None where none are counted down."""
    if not (timing.running and timing.limit_ms) or timing.lead_ms:
        return None
    return max(0, ceil(timing.left_ms / 1000))


def last_second(seconds: int, seats: tuple[str, ...] = ()) -> Utterance | None:
    """Return what is said when so many *seconds* are left of a step of *seats*, None for nothing."""
    if seconds == FIRST_S:
        return Utterance(said("10 seconds."), seats, Words.FEW, CLOCK)
    if seconds == 0:
        return Utterance(said("Time."), seats, Words.FEW, CLOCK)
    if 0 < seconds <= COUNTED_S:
        return Utterance(Said("%(num)s", {"num": seconds}), seats, Words.USUAL, CLOCK)
    return None
