"""How long to wait before a line is sent again: as long as the measured round trip says.

The estimate is that of RFC 6298 in whole microseconds (a board's floats are
too short for time), but less patient, since a line sent in vain costs little
here: half the spread, and a small floor, as a cable answers in a millisecond
and every fifth long line may be damaged. A wait that has run out is doubled
and stays so until the next measurement: of lines that are sent twice nothing
can be measured, and a wait below the round trip would stay there for ever.
"""

FIRST_US = 200_000
FLOOR_US = 5_000
CEILING_US = 2_000_000


class RtoEstimate:
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

    def ran_out(self) -> None:
        """Wait twice as long from now on, until something is measured: a line sent since the wait was set is late."""
        self.wait_us = min(2 * self.wait_us, CEILING_US)
