"""The board's counter of microseconds as an int."""

import time


def ticks_us() -> int:
    """Return the counter, which wraps at 30 bits; does not allocate."""
    return time.ticks_us()  # type: ignore[return-value]  # the stubs have a type of their own for readings
