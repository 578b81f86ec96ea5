"""Computes the same figures with other programs: statsmodels' logistic regression, scipy's roots and sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import statsmodels.api as sm
from scipy.optimize import brentq
from scipy.special import logsumexp
from scipy.stats import binom

from companion.fairness import Pull


def regression(pulls: Sequence[Pull]) -> tuple[float, float]:
    """Return ln w and its standard error: a binomial model of one constant with the offset ln(k / (n - k))."""
    came = np.array([pull.hits for pull in pulls], float)
    offset = np.log([pull.own / (pull.of - pull.own) for pull in pulls])
    model = sm.GLM(came, np.ones((len(came), 1)), family=sm.families.Binomial(), offset=offset)
    fitted = model.fit(tol=1e-13)
    return float(fitted.params[0]), float(fitted.bse[0])


def confidence_sequence(pulls: Sequence[Pull], thetas: np.ndarray, prior: np.ndarray) -> tuple[float, float, float]:
    """Return both ends of the sequence for ln w, and ln of the e-value, from scipy's own binomial probabilities."""
    own, of = np.array([pull.own for pull in pulls], float), np.array([pull.of for pull in pulls], float)
    came = np.array([pull.hits for pull in pulls], int)

    def log_likelihood(theta: float) -> float:
        weight = own * np.exp(theta)
        return float(binom.logpmf(came, 1, weight / (weight + of - own)).sum())

    mean = float(logsumexp([log_likelihood(theta) for theta in thetas], b=prior))

    def above(theta: float) -> float:
        return log_likelihood(theta) - mean - np.log(0.05)

    best = regression(pulls)[0]
    low, high = brentq(above, best - 15, best, xtol=1e-13), brentq(above, best, best + 15, xtol=1e-13)
    return low, high, mean - log_likelihood(0.0)


def normal_mixture(score: float, information: float, spread: float) -> float:
    """Return ln of the normal mixture supermartingale, which the e-value of many draws at even odds approaches.

    Howard, Ramdas, McAuliffe, Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", eq. 14: the
    formula behind `normal_log_mixture` of their library confseq, which is not needed for it.
    """
    rho = spread**-2
    return score**2 / (2 * (information + rho)) + np.log(rho / (information + rho)) / 2
