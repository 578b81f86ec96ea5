"""How long to wait before a line is sent again: as long as the measured round trip says.

The estimate is that of RFC 6298 in whole microseconds (a board's floats are
too short for time), but less patient, since a line sent in vain costs little
here: half the spread, and a small floor, as a cable answers in a millisecond
and every fifth long line may be damaged.
"""

FIRST_US = 200_000
FLOOR_US = 5_000
CEILING_US = 2_000_000


class RoundTrip:
    """The smoothed round trip of one conversation."""

    def __init__(self) -> None:
        self.smoothed_us = -1
        self.wait_us = FIRST_US
        self._spread_us = 0

    def measured(self, us: int) -> None:
        """Take a round trip of *us* into account; only of a line that was sent once (Karn)."""
        if self.smoothed_us < 0:
            self.smoothed_us = us
            self._spread_us = us // 2
        else:
            self._spread_us += (abs(us - self.smoothed_us) - self._spread_us) // 4
            self.smoothed_us += (us - self.smoothed_us) // 8
        self.wait_us = min(max(self.smoothed_us + 2 * self._spread_us, FLOOR_US), CEILING_US)

    def patience_us(self, sends: int) -> int:
        """Return how long to wait for the answer to a line that was sent *sends* times.

        A wire between two ends has no crowd to give way to: twice the wait is patience enough.
        """
        return min(self.wait_us * min(sends, 2), CEILING_US)
