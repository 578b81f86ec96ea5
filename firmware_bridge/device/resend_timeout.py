"""Computes from measured round trips after which time a line without an answer is sent again (RTO).

The estimate follows RFC 6298. It uses whole microseconds, because a board's floats are not precise enough for times.
Its timeouts are shorter than those of the RFC, because an unnecessary retransmission costs little here: it uses half
the deviation and a small minimum. A cable answers within a millisecond, and every fifth long line may be damaged. A
timeout doubles the value until the next measurement. Otherwise a value below the true round trip would never recover,
because lines that were sent twice give no measurement.
"""

FIRST_US = 200_000
FLOOR_US = 5_000
CEILING_US = 2_000_000


class ResendTimeout:
    """The smoothed round trip of one conversation, and the timeout that follows from it."""

    def __init__(self) -> None:
        self.smoothed_us = -1
        self.wait_us = FIRST_US
        self._spread_us = 0

    def measured(self, us: int) -> None:
        """Add a measured round trip, in microseconds. Only for a line that was sent once (Karn's algorithm)."""
        if self.smoothed_us < 0:
            self.smoothed_us = us
            self._spread_us = us // 2
        else:
            self._spread_us += (abs(us - self.smoothed_us) - self._spread_us) // 4
            self.smoothed_us += (us - self.smoothed_us) // 8
        self.wait_us = min(max(self.smoothed_us + 2 * self._spread_us, FLOOR_US), CEILING_US)

    def ran_out(self) -> None:
        """Double the timeout until the next measurement."""
        self.wait_us = min(2 * self.wait_us, CEILING_US)
