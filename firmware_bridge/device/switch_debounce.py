"""Debounces a switch: a new level counts after it has been stable for 10 ms."""

SETTLED_US = 10_000


class SwitchDebounce:
    """One switch. `on` is 1, 0, or -1 if the ring has no such switch."""

    def __init__(self, on: int) -> None:
        self.on = on
        self.since_us = -1  # when the level began to differ from `on`; -1 if they are equal

    def changed(self, on: int, now_us: int) -> bool:
        """Add a reading of the level. Return True if it changes `on`; the change began at `since_us`."""
        if on == self.on:
            self.since_us = -1
        elif self.since_us < 0:
            self.since_us = now_us
        elif now_us - self.since_us >= SETTLED_US:
            self.on = on
            return True
        return False
