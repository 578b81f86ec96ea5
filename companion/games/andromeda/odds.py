"""The chances of an attempt with the ring: draws without replacement until a station of the player comes out."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def success(stations: int, own: int, draws: int) -> Fraction:
    """Return the exact chance (0 to 1) that *draws* draws from *stations* include one of the player's *own* stations.

    For n stations, k of them the player's, and a draws, the chance is 1 - C(n - k, a) / C(n, a) (hypergeometric
    distribution).

    >>> success(stations=4, own=1, draws=2)
    Fraction(1, 2)
    """
    return 1 - _none_in(stations, own, draws)


def opponents_out(stations: int, own: int, draws: int) -> Fraction:
    """Return how many stations of other players an attempt sends home on average.

    Draw i sends a station home if it and all draws before it miss. The result is the sum of these chances.
    """
    return sum((_none_in(stations, own, made) for made in range(1, min(draws, stations) + 1)), Fraction(0))


def _none_in(stations: int, own: int, draws: int) -> Fraction:
    if not 0 <= own <= stations or draws < 0:
        raise ValueError("own stations are 0 to all of them, and draws 0 or more")
    draws = min(draws, stations)
    return Fraction(comb(stations - own, draws), comb(stations, draws))
