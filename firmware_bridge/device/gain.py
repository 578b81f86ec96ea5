"""Chooses the gain of the colour sensor: the highest one at which the white shutter does not come near saturation.

The reflected light was estimated, not measured, and may differ by a factor of three
(hardware/circuit.md). So a ring chooses its gain by the first white reference and stores it, so that it survives
restarts. A calibration is valid for one gain only. So the gain changes later only if the white saturates or has become
very dark.
"""

from .frame_filter import dazzling
from .sensor_chips import USUAL
from .sensor_driver import Chip

# The highest white allowed at the next higher gain, as a fraction of the chip's full scale. A cube is nearer than the
# shutter and reflects half as much again.
ROOM = 600
LOST = 300  # the same limit once a gain has been chosen
PARTS = 1_024
BEFORE = 60  # the gain assumed for stored references without one


class Gain:
    """The gain of one *chip*: *fixed* by its owner, *stored* during an earlier run, or not yet chosen.

    A fixed gain that the chip does not have is ignored.
    """

    def __init__(self, chip: type[Chip] = USUAL, stored: tuple[int, ...] = (), fixed: int = 0) -> None:
        found = stored[0] if stored and stored[0] in chip.GAINS else 0
        fixed = fixed if fixed in chip.GAINS else 0
        self.now = fixed or found or _first(chip)
        self.settled = bool(fixed or found)
        self._chip = chip
        self._fixed = bool(fixed)

    def follow(self, most: int) -> bool:
        """Choose the gain for a white whose brightest channel has *most* counts.

        Return whether the gain has changed.
        """
        was = self.now
        if not self._fixed:
            self.now = suited(self._chip, was, most, LOST if self.settled else ROOM)
        self.settled = self.now == was
        return not self.settled


def scaled(counts: tuple[int, int, int, int], was: int, now: int) -> tuple[int, int, int, int]:
    """Convert *counts* from gain *was* to gain *now*."""
    r, g, b, c = [(count * now + was // 2) // was for count in counts]
    return r, g, b, c


def restored(stored: tuple[int, ...], gain: int, chip: type[Chip] = USUAL) -> tuple[int, int, int, int] | None:
    """Convert a stored reference (counts, then gain) to *gain*. Return None if it is malformed."""
    was = stored[4] if len(stored) == 5 else BEFORE
    if len(stored) not in (4, 5) or was not in chip.GAINS:
        return None
    return scaled((stored[0], stored[1], stored[2], stored[3]), was, gain)


def _first(chip: type[Chip]) -> int:
    """Return the gain to begin with: the second highest, or the only one."""
    return chip.GAINS[max(len(chip.GAINS) - 2, 0)]


def suited(chip: type[Chip], gain: int, most: int, room: int) -> int:
    """Return the gain that suits a white of *most* counts measured at *gain*: that gain, or the next higher or lower.

    *room* is the highest white allowed at the next higher gain, as a fraction (in `PARTS`) of the chip's full scale.
    """
    steps = chip.GAINS
    at = steps.index(gain)
    if most >= dazzling(chip):
        return steps[max(at - 1, 0)]
    if at + 1 < len(steps) and most * steps[at + 1] <= room * chip.FULL // PARTS * gain:
        return steps[at + 1]
    return gain
