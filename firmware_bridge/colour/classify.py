"""From likenesses to a judgement: a colour when one alone explains the passage, else the reason why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from operator import attrgetter

from companion.ports.ring import Judgement
from firmware_bridge.colour.likelihood import Likeness

UNKNOWN = 27.0  # squared Mahalanobis distance at which a colour is as likely as one that was never shown
RARE = 0.1  # of a taught colour's chance: that a cube is of one named colour that was not taught
SURE = 0.98  # the least probability of a colour that is taken for granted
ELSEWHERE = 0.5  # stations that every colour counts as having below the ring beyond those it has: none is ruled out


def decided(
    found: Mapping[str, Likeness],
    under: Mapping[str, int],
    calibration: str = "",
    strange: float = UNKNOWN,
    others: Sequence[Likeness] = (),
) -> Judgement:
    """Return what a passage is taken for that is so like each colour.

    What lies *under* the ring orders the colours to be offered when in doubt;
    it neither makes a colour sure nor hides one that should not be there.
    *strange* is the squared distance at which a colour that was never shown is
    as likely as the nearest. *others* are colours that may come and cannot be
    told: as far as one of them explains the passage better, it is unknown.
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
    """Return each colour's probability if it is one of them; all are as likely before anything was seen."""
    top = max([each.log for each in found.values()])
    weights = {colour: exp(each.log - top) for colour, each in found.items()}
    total = sum(weights.values())
    return {colour: weight / total for colour, weight in weights.items()}


def _unknown(found: Mapping[str, Likeness], strange: float, others: Sequence[Likeness]) -> float:
    """Return the probability that it is none of them: one of the *others*, or else as good as the nearest at *strange*.

    All is weighed beside the likeliest, as a density itself may be too small for a number.
    """
    nearest = max(found.values(), key=attrgetter("log"))
    anything = nearest.log + (nearest.distance - strange) / 2
    top = max([nearest.log, anything, *(each.log for each in others)])
    known = sum([exp(each.log - top) for each in found.values()])
    none = exp(anything - top) + RARE * sum([exp(each.log - top) for each in others])
    return none / (none + known)


def _ranked(shares: Mapping[str, float], sure: str | None, under: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return the colours, likeliest first, as if it were one of them; where there is doubt, what lies below counts."""
    doubt = bool(under) and sure is None
    expected = {
        colour: share * (under.get(colour, 0) + ELSEWHERE if doubt else 1.0) for colour, share in shares.items()
    }
    total = sum(expected.values())
    order = sorted(expected, key=expected.__getitem__, reverse=True)
    return tuple([(colour, round(expected[colour] / total, 4)) for colour in order])
