"""Chooses a colour by the likelihoods of all colours, or gives the reason why no colour is sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from operator import attrgetter

from companion.ports.ring import Judgement
from firmware_bridge.colour.likelihood import Likeness

UNKNOWN = 27.0  # squared Mahalanobis distance at which an unknown colour is as likely as the nearest known one
RARE = 0.1  # how likely a cube of a named but uncalibrated colour is, relative to a calibrated one
SURE = 0.98  # the probability from which on a colour counts as sure
ELSEWHERE = 0.5  # stations added to each colour's count below the ring, so that no colour is ruled out


def decided(
    found: Mapping[str, Likeness],
    under: Mapping[str, int],
    calibration: str = "",
    strange: float = UNKNOWN,
    others: Sequence[Likeness] = (),
) -> Judgement:
    """Judge a passage by the likelihood of each colour for it.

    The stations *under* the ring affect only the order of the colours in case of doubt. They never make a colour sure,
    and they never hide a colour that should not be there. *strange* is the squared distance at which an unknown colour
    is as likely as the nearest known one. *others* are the likelihoods of possible colours that were not calibrated. If
    one of them explains the passage better, the colour is unknown.
    """
    if not found:
        return Judgement(None, why="unread", calibration=calibration)
    shares = _shares(found)
    unknown = _unknown(found, strange, others)
    first, *rest = sorted(shares, key=shares.__getitem__, reverse=True)
    sure = first if shares[first] * (1 - unknown) >= SURE else None
    second = shares[rest[0]] * (1 - unknown) if rest else 0.0
    why = "" if sure else "unknown" if unknown >= second else "ambiguous"
    return Judgement(sure, _ranked(shares, sure, under), why, round(unknown, 4), calibration)


def _shares(found: Mapping[str, Likeness]) -> dict[str, float]:
    """Return the probability of each colour, assuming that the cube has one of these colours, with equal priors."""
    top = max([each.log for each in found.values()])
    weights = {colour: exp(each.log - top) for colour, each in found.items()}
    total = sum(weights.values())
    return {colour: weight / total for colour, weight in weights.items()}


def _unknown(found: Mapping[str, Likeness], strange: float, others: Sequence[Likeness]) -> float:
    """Return the probability that the cube has no known colour, but one of *others* or an unknown colour.

    It is computed relative to the likeliest colour, because a density by itself may be too small for a float.
    """
    nearest = max(found.values(), key=attrgetter("log"))
    anything = nearest.log + (nearest.distance - strange) / 2
    top = max([nearest.log, anything, *(each.log for each in others)])
    known = sum([exp(each.log - top) for each in found.values()])
    none = exp(anything - top) + RARE * sum([exp(each.log - top) for each in others])
    return none / (none + known)


def _ranked(shares: Mapping[str, float], sure: str | None, under: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return the colours with their probabilities, likeliest first.

    In case of doubt, the stations below are used as priors.
    """
    doubt = bool(under) and sure is None
    expected = {
        colour: share * (under.get(colour, 0) + ELSEWHERE if doubt else 1.0) for colour, share in shares.items()
    }
    total = sum(expected.values())
    order = sorted(expected, key=expected.__getitem__, reverse=True)
    return tuple([(colour, round(expected[colour] / total, 4)) for colour in order])
