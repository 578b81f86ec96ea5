"""The judges: one that a calibration makes, and one that knows colours by name only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.kernel.shown import shows
from companion.ports.ring import Judgement
from firmware_bridge.colour.calibration import Calibration
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.colour.classify import UNKNOWN, decided
from firmware_bridge.colour.fit import Learned, Passes, learned
from firmware_bridge.colour.likelihood import Likeness, Spread, likeness
from firmware_bridge.colour.normalise import Seen, Zero, own_zero, seen, zero
from firmware_bridge.colour.sample import Judge, Reading

DOUBT = Spread(pose=0.25, gloss=0.035, paint=0.07)  # what is usual, and some more: nobody has looked at these cubes
STILL: Channels = (1e-6, 1e-6, 1e-6, 1e-6)  # variance: a colour itself is seen without noise
NEAR = 16.0  # squared distance: so near a colour must be where one that nobody has shown is likely to come
DOUBTFUL = 5.0  # squared distance of a passage from all colours, from which it is asked what else it may be
ITSELF = 9.0  # squared distance: a name whose usual paint is nearer to a taught colour is that colour's other name


@shows("id")
class CalibratedJudge:
    """Judges by what a calibration teaches.

    Colours that have a name and were not taught compete too, as they usually
    look: they are what a stranger is likeliest to be.
    """

    def __init__(self, calibration: Calibration) -> None:
        """Learn from *calibration*: some 10 ms for five colours of ten passes on a desktop machine."""
        self.calibration = calibration
        self.id = calibration.id
        self.zero = zero_of(calibration)
        self.learned = learned(passes_of(calibration, self.zero))
        self._untaught = untaught(self.learned)

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the colour, or none when the reading is like no colour or like two.

        Where a colour that was never taught lies *under* the ring, a strange
        cube is no wonder: the nearest colour must then be nearer to be sure of.
        """
        if not reading.frames:
            return decided({}, under, self.id)
        one = seen(reading, self.zero)
        found = likenesses(one, self.learned)
        taught = all(colour in self.learned.colours for colour, count in under.items() if count)
        return decided(found, under, self.id, UNKNOWN if taught else NEAR, self._others(one, found))

    def _others(self, one: Seen, found: Mapping[str, Likeness]) -> list[Likeness]:
        """Return how like each untaught colour *one* passage is, if the nearest taught one leaves any doubt."""
        if any(each.distance < DOUBTFUL for each in found.values()):
            return []
        return [likeness(one, p, DOUBT) for p in self._untaught]


class Nominal:
    """Judges by the colours' names alone, as reflectances say that some paint of that name may look.

    Good for a simulated ring whose world is known; for any other its ranking
    is a guess, and never more than that.
    """

    def __init__(self, references: Mapping[str, Channels] = NOMINAL) -> None:
        self._known = Learned(references, DOUBT)

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the reference that explains the reading, or no colour when none does or two do."""
        found = likenesses(seen(reading, own_zero(reading)), self._known) if reading.frames else {}
        return decided(found, under, strange=NEAR)


class Doubting:
    """Ranks as another judge does, and is never sure: nobody has shown these cubes to this ring."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the other's ranking without a colour."""
        seen = self._judge.judge(reading, under)
        return replace(seen, colour=None, why=seen.why if seen.why == "unread" else "uncalibrated")


def likenesses(one: Seen, known: Learned) -> dict[str, Likeness]:
    """Return how like each known colour *one* passage is."""
    return {colour: likeness(one, p, known.spread) for colour, p in known.colours.items()}


def untaught(known: Learned) -> tuple[Channels, ...]:
    """Return how colours usually look that have a name and are not *known*, but for those that look like known ones."""
    others = (p for colour, p in NOMINAL.items() if colour not in known.colours)
    return tuple(p for p in others if min(apart(p, other, known.spread) for other in known.colours.values()) > ITSELF)


def apart(one: Channels, other: Channels, spread: Spread) -> float:
    """Return the squared Mahalanobis distance at which the centre of *one* colour lies in the cloud of the *other*."""
    return likeness(Seen(one, STILL), other, spread).distance


def zero_of(calibration: Calibration) -> Zero:
    """Return the zero that *calibration* was made at."""
    return zero(calibration.black, calibration.white)


def passes_of(calibration: Calibration, at: Zero) -> Passes:
    """Return what each pass of *calibration* saw, by colour."""
    found: dict[str, list[Seen]] = {colour: [] for colour in calibration.colours}
    for each in calibration.passes:
        found[each.colour].append(seen(calibration.reading(each), at))
    return found
