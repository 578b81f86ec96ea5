"""The firmware's `time`: a counter that wraps as on a Pico, and goes as fast as the other end lets it."""

import outside

HALF = 1 << 29

ticks_us = outside.now


def ticks_diff(later, earlier):
    """Return how much *later* is, negative when it is earlier; allocates nothing."""
    us = later - earlier
    if us >= HALF:
        return us - outside.MASK - 1
    return us if us >= -HALF else us + outside.MASK + 1


def ticks_add(ticks, us):
    """Return the reading *us* after *ticks*, or before it."""
    if us >= 0:
        return outside.after(ticks, us)
    return ticks + us if ticks + us >= 0 else ticks + us + outside.MASK + 1


def sleep_us(us):
    """Wait; interrupts come in between."""
    while us > 0:
        us -= outside.rest(us, 0)


def sleep_ms(ms):
    """Wait; interrupts come in between."""
    sleep_us(1_000 * ms)


def sleep(seconds):
    """Wait; interrupts come in between."""
    sleep_us(int(1_000_000 * seconds))
