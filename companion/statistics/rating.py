"""Ratings of players with their uncertainty. They are updated game by game, in the order in which the games ended."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from companion.kernel.values import dataclass

MU, SIGMA = 25.0, 25.0 / 3
BETA = SIGMA / 2
TAU = MU / 300
"""The uncertainty added before each game, so that ratings can follow a player's progress."""
KAPPA = 0.0001


@dataclass(frozen=True)
class Rating:
    """The estimated skill *mu* of a player, and its standard deviation *sigma*."""

    mu: float = MU
    sigma: float = SIGMA


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> tuple[Rating, ...]:
    """Return the players' ratings after a game. *before* are the ratings before it; *ranks* are the places, 1 is best.

    Players with equal ranks shared the place. This is the Plackett-Luce update of R. C. Weng and C.-J. Lin, A Bayesian
    approximation method for online ranking, JMLR 12 (2011), algorithm 4, for players instead of teams, with the
    constants of the library openskill.
    """
    spread = [sqrt(each.sigma**2 + TAU**2) for each in before]
    scale = sqrt(sum(sigma**2 + BETA**2 for sigma in spread))
    worth = [exp(each.mu / scale) for each in before]
    behind = [sum(worth[i] for i, rank in enumerate(ranks) if rank >= own) for own in ranks]
    level = [sum(rank == own for rank in ranks) for own in ranks]
    after = []
    for i, each in enumerate(before):
        omega = delta = 0.0
        for q, rank in enumerate(ranks):
            if rank <= ranks[i]:
                chance = worth[i] / behind[q]
                omega += ((1 - chance) if q == i else -chance) / level[q]
                delta += chance * (1 - chance) / level[q]
        variance = spread[i] ** 2
        shrink = delta * variance / scale**2 * spread[i] / scale
        after.append(Rating(each.mu + omega * variance / scale, spread[i] * sqrt(max(1 - shrink, KAPPA))))
    return tuple(after)
