"""Counts failed runs in the watchdog's scratch registers, so that a board that fails repeatedly restarts slowly.

The flash is not used for this because a board that crashed every four seconds would write it 60,000 times a day. Three
scratch words survive a reset: the mark with flags and count (see the constants), and how many seconds this run and the
previous one lasted.
"""

from machine import mem32

from ring.chip import SCRATCH

MARK = 0x5249_0000  # any other value is left over from a power cut and not a count
MARKED = 0xFFFF_0000
FAILED = 0x8000  # this run ended with an exception
SLOW = 0x4000  # too many runs have failed
COUNT = 0x00FF
LASTED = SCRATCH + 4
BEFORE = SCRATCH + 8
MANY = 3
MINUTE_S = 60


def pause_s(hung: bool) -> int:
    """Record that a run begins, and return how many seconds it must wait first.

    *hung* is True if the watchdog ended the run before. Once three runs in a row have failed and the last two
    lasted less than a minute together, the pause is a minute, until a run lasts for at least a minute or does not
    fail.
    """
    word = mem32[SCRATCH]
    if word & MARKED != MARK:
        word, lasted, before = MARK, 0, 0
    else:
        lasted, before = mem32[LASTED], mem32[BEFORE]
    failed = hung or bool(word & FAILED)
    count, slow = word & COUNT, word & SLOW
    if not failed or lasted >= MINUTE_S:
        count = slow = 0
    if failed:
        count = min(count + 1, COUNT)
    if count >= MANY and lasted + before < MINUTE_S:
        slow = SLOW
    mem32[SCRATCH] = MARK | slow | count
    mem32[BEFORE] = lasted
    mem32[LASTED] = 0
    return MINUTE_S if slow else 0


def lasted(seconds: int) -> None:
    """Record how many seconds this run has lasted so far."""
    mem32[LASTED] = seconds


def failed() -> None:
    """Record that this run ends with an exception."""
    mem32[SCRATCH] = mem32[SCRATCH] | FAILED
