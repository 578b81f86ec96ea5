"""How the last runs ended, kept in the watchdog's own words: a board that fails again and again starts seldom.

The flash is not for this: a board that crashed each four seconds wrote it 60,000 times a day. Three words outlive a
reset: what the mark below says, the seconds that this run has lasted, and those of the run before.
"""

from machine import mem32

from ring.chip import SCRATCH

MARK = 0x5249_0000  # what else lies there after a power cut is no count
MARKED = 0xFFFF_0000
FAILED = 0x8000  # this run has raised
SLOW = 0x4000  # too many have
COUNT = 0x00FF
LASTED = SCRATCH + 4
BEFORE = SCRATCH + 8
MANY = 3
MINUTE_S = 60


def pause_s(hung: bool) -> int:
    """Note that a run begins, and return how many seconds it has to wait before.

    *hung*: the watchdog has ended the run before. After three that failed
    within a minute it is a minute, until one has lasted for as long.
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
    """Note that this run has lasted for so long."""
    mem32[LASTED] = seconds


def failed() -> None:
    """Note that this run ends by a fault of its own."""
    mem32[SCRATCH] = mem32[SCRATCH] | FAILED
