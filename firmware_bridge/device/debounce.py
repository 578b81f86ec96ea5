"""A switch that bounces: what it says counts once it has said so for a moment."""

SETTLED_US = 10_000


class SwitchDebounce:
    """One switch; `on` is 1, 0, or -1 for a ring that has none."""

    def __init__(self, on: int) -> None:
        self.on = on
        self.since_us = -1  # when it began to say something else

    def changed(self, on: int, now_us: int) -> bool:
        """Take what it says now; return True when that holds from now on, since `since_us`."""
        if on == self.on:
            self.since_us = -1
        elif self.since_us < 0:
            self.since_us = now_us
        elif now_us - self.since_us >= SETTLED_US:
            self.on = on
            return True
        return False
