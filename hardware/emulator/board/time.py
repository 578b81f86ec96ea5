"""The firmware's `time` module: a counter that wraps as on a Pico and follows simulated time."""

import outside

HALF = 1 << 29

ticks_us = outside.now


def ticks_diff(later, earlier):
    """Return *later* minus *earlier* in microseconds, negative if *later* is earlier; does not allocate."""
    us = later - earlier
    if us >= HALF:
        return us - outside.MASK - 1
    return us if us >= -HALF else us + outside.MASK + 1


def ticks_add(ticks, us):
    """Return the counter *us* microseconds after *ticks*, or before it if *us* is negative."""
    if us >= 0:
        return outside.after(ticks, us)
    return ticks + us if ticks + us >= 0 else ticks + us + outside.MASK + 1


def sleep_us(us):
    """Wait for *us* microseconds; interrupt handlers run meanwhile."""
    while us > 0:
        us -= outside.rest(us, 0)


def sleep_ms(ms):
    """Wait for *ms* milliseconds; interrupt handlers run meanwhile."""
    sleep_us(1_000 * ms)


def sleep(seconds):
    """Wait for *seconds*; interrupt handlers run meanwhile."""
    sleep_us(int(1_000_000 * seconds))
