"""The judges: one uses a calibration, and one knows only the nominal colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.kernel.shown import shows
from companion.ports.ring import Judgement
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.colour.fit import Learned, Passes, learned
from firmware_bridge.colour.likelihood import UNKNOWN, Likeness, Spread, decided, likeness
from firmware_bridge.colour.normalise import Seen, Zero, own_zero, seen, zero
from firmware_bridge.colour.sample import Judge, Reading

DOUBT = Spread(pose=0.25, gloss=0.035, paint=0.07)  # wider than usual, because these cubes were not calibrated
STILL: Channels = (1e-6, 1e-6, 1e-6, 1e-6)  # variance of a nominal colour, which has no noise
NEAR = 16.0  # squared distance up to which a colour is sure even if an uncalibrated colour is likely
DOUBTFUL = 5.0  # squared distance from all colours above which uncalibrated colours are considered
ITSELF = 9.0  # squared distance; a nominal colour nearer than this to a calibrated one counts as the same colour


@shows("id")
class CalibratedJudge:
    """Judges by a calibration.

    It also considers the nominal colours that were not calibrated, because an unknown cube most likely has one of them.
    """

    def __init__(self, calibration: Calibration) -> None:
        """Learn from *calibration*. Five colours with ten passes each take about 10 ms on a desktop machine."""
        self.calibration = calibration
        self.id = calibration.id
        self.zero = zero_of(calibration)
        self.learned = learned(passes_of(calibration, self.zero))
        self._untaught = untaught(self.learned)

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Judge *reading*. The result names no colour if none matches, or if two do.

        If a colour without calibration is *under* the ring, an unknown cube is likely. So the nearest colour must then
        be nearer than usual to be sure.
        """
        if not reading.frames:
            return decided({}, under, self.id)
        one = seen(reading, self.zero)
        found = likenesses(one, self.learned)
        taught = all(colour in self.learned.colours for colour, count in under.items() if count)
        return decided(found, under, self.id, UNKNOWN if taught else NEAR, self._others(one, found))

    def _others(self, one: Seen, found: Mapping[str, Likeness]) -> list[Likeness]:
        """Return the likelihood of each uncalibrated colour, but only if the nearest calibrated colour leaves any
        doubt.
        """
        if any(each.distance < DOUBTFUL for each in found.values()):
            return []
        return [likeness(one, p, DOUBT) for p in self._untaught]


class Nominal:
    """Judges without a calibration, by the nominal reflectances of the colours.

    This is exact enough for a simulated ring. For a real ring the ranking is only a guess.
    """

    def __init__(self, references: Mapping[str, Channels] = NOMINAL) -> None:
        self._known = Learned(references, DOUBT)

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the judgement with the colour that explains the reading, or with none if no colour does or two do."""
        found = likenesses(seen(reading, own_zero(reading)), self._known) if reading.frames else {}
        return decided(found, under, strange=NEAR)


class Doubting:
    """Ranks colours like another judge but is never sure. Used if this ring was not calibrated for these cubes."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the other judge's ranking, without a colour."""
        seen = self._judge.judge(reading, under)
        return replace(seen, colour=None, why=seen.why if seen.why == "unread" else "uncalibrated")


def likenesses(one: Seen, known: Learned) -> dict[str, Likeness]:
    """Return the likelihood of each known colour for one passage."""
    return {colour: likeness(one, p, known.spread) for colour, p in known.colours.items()}


def untaught(known: Learned) -> tuple[Channels, ...]:
    """Return the nominal colours that are not in *known* and do not look like a known colour."""
    others = (p for colour, p in NOMINAL.items() if colour not in known.colours)
    return tuple(p for p in others if min(apart(p, other, known.spread) for other in known.colours.values()) > ITSELF)


def apart(one: Channels, other: Channels, spread: Spread) -> float:
    """Return the squared Mahalanobis distance of colour *one* from the distribution of colour *other*."""
    return likeness(Seen(one, STILL), other, spread).distance


def zero_of(calibration: Calibration) -> Zero:
    """Return the zero point of *calibration*."""
    return zero(calibration.black, calibration.white)


def passes_of(calibration: Calibration, at: Zero) -> Passes:
    """Return the passes of *calibration* by colour, as reflectances relative to the zero point *at*."""
    found: dict[str, list[Seen]] = {colour: [] for colour in calibration.colours}
    for each in calibration.passes:
        found[each.colour].append(seen(calibration.reading(each), at))
    return found
