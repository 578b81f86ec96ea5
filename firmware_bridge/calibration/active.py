"""The active calibration: the newest stored one that was made with the connected device."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.ports.calibration import Dot, Line, Near
from firmware_bridge.calibration.outliers import near
from firmware_bridge.colour import Calibration, calibration_of, closeness, dot, judge_of, leave_one_out
from firmware_bridge.kernel.errors import InputError


@dataclass(frozen=True)
class Offered:
    """The stored calibrations, oldest first: the valid calibrations, and a sentence for each invalid one."""

    valid: tuple[Calibration, ...] = ()
    bad: tuple[str, ...] = ()

    def newest(self, device: str, sensor: str) -> Calibration | None:
        """Return the newest calibration of *device* and *sensor*, or None."""
        return next((each for each in reversed(self.valid) if (each.device, each.sensor) == (device, sensor)), None)


def offered(stored: Sequence[Line]) -> Offered:
    """Parse the stored calibrations. For an invalid one, the result has a sentence that says why it is invalid."""
    valid: list[Calibration] = []
    bad: list[str] = []
    for number, line in enumerate(stored, 1):
        try:
            valid.append(calibration_of(line))
        except InputError as fault:
            bad.append(_unusable(number, len(stored), fault))
    return Offered(tuple(valid), tuple(bad))


def _unusable(number: int, of: int, fault: InputError) -> Said:
    return said(
        "Calibration %(number)s of %(all)s can't be used: %(why)s.",
        number=number,
        all=of,
        why=fault.reason,
    )


class ActiveCalibration:
    """The active calibration with its judge. The figures of its quality are computed when they are first used."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.judge = judge_of(calibration)

    @cached_property
    def dots(self) -> tuple[Dot, ...]:
        """The positions of the calibration's passes in the colour chart."""
        of = self.calibration
        return tuple(Dot(each.colour, *dot(of.reading(each))) for each in of.passes)

    @cached_property
    def closest(self) -> Near | None:
        """The calibration's two most similar colours, with their distance."""
        pairs = closeness(self.calibration)
        return near(*pairs[0]) if pairs else None

    @cached_property
    def right(self) -> int:
        """How many of the calibration's passes would be read correctly by a judge made from the other passes."""
        return sum(read.get(colour, 0) for colour, read in leave_one_out(self.calibration).items())
