"""Which calibration is in force: the newest on record that the connected device made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from companion.kernel.i18n import Said, said
from companion.kernel.values import dataclass
from companion.ports.calibration import Dot, Line, Near
from firmware_bridge.calibration.outliers import near
from firmware_bridge.colour import CalibratedJudge, Calibration, calibration_of, closeness, dot, leave_one_out
from firmware_bridge.kernel.errors import BadInput


@dataclass(frozen=True)
class Offered:
    """What is on record, oldest first: the *valid* ones, and a sentence for each that is not."""

    valid: tuple[Calibration, ...] = ()
    bad: tuple[str, ...] = ()

    def newest(self, device: str, sensor: str) -> Calibration | None:
        """Return the newest that *device* made with *sensor*."""
        return next((each for each in reversed(self.valid) if (each.device, each.sensor) == (device, sensor)), None)


def offered(stored: Sequence[Line]) -> Offered:
    """Take over what is on record; what cannot be used is named, not used."""
    valid: list[Calibration] = []
    bad: list[str] = []
    for number, line in enumerate(stored, 1):
        try:
            valid.append(calibration_of(line))
        except BadInput as fault:
            bad.append(_unusable(number, len(stored), fault))
    return Offered(tuple(valid), tuple(bad))


def _unusable(number: int, of: int, fault: BadInput) -> Said:
    return said(
        "Calibration %(number)s of %(all)s can't be used: %(why)s.",
        number=number,
        all=of,
        why=fault.reason,
    )


class Force:
    """A calibration in force: its judge, and how good it is; the latter is worked out when it is first asked for."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.judge = CalibratedJudge(calibration)

    @cached_property
    def dots(self) -> tuple[Dot, ...]:
        """Its passes in a picture."""
        of = self.calibration
        return tuple(Dot(each.colour, *dot(of.reading(each))) for each in of.passes)

    @cached_property
    def closest(self) -> Near | None:
        """Its two colours that are most alike."""
        pairs = closeness(self.calibration)
        return near(*pairs[0]) if pairs else None

    @cached_property
    def right(self) -> int:
        """How many of its passes the others would read right."""
        return sum(read.get(colour, 0) for colour, read in leave_one_out(self.calibration).items())
