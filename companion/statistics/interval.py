"""Confidence intervals of proportions."""

from __future__ import annotations

from math import sqrt

from companion.kernel.values import dataclass

Z95 = 1.959964
"""95 % of a normal distribution are within this many standard deviations of the mean."""


@dataclass(frozen=True)
class ShareInterval:
    """The share *hits* / *n*, with the bounds (0 to 1) of its 95 % confidence interval."""

    hits: int
    n: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """The observed share."""
        return self.hits / self.n if self.n else 0.0


def share(hits: int, n: int) -> ShareInterval:
    """Return the share *hits* / *n* with Wilson's interval. It stays within 0 and 1 and is valid for small numbers.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    if not n:
        return ShareInterval(0, 0, 0.0, 1.0)
    rate, over = hits / n, Z95 * Z95 / n
    middle, half = rate + over / 2, Z95 * sqrt(rate * (1 - rate) / n + over / (4 * n))
    low, high = (middle - half) / (1 + over), (middle + half) / (1 + over)
    return ShareInterval(hits, n, 0.0 if hits == 0 else low, 1.0 if hits == n else high)
