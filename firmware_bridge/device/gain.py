"""Chooses the gain of the colour sensor: the highest one at which the white shutter does not come near saturation.

The reflected light was estimated, not measured, and may differ by a factor of three
(hardware/circuit.md). So a ring finds its gain by the first white reference, and stores it over
restarts. A calibration is valid for one gain, so the gain later changes only if the white saturates
or has become very dark.
"""

from .frame_filter import DAZZLED

GAINS = {1: 0, 4: 1, 16: 2, 60: 3}  # and their values in the sensor's Control Register
STEPS = (1, 4, 16, 60)
CHOICES = (0, 1, 4, 16, 60)  # for an owner; 0 means that the ring finds its own
FIRST = 16
# The most counts that white may have at the next higher gain. A cube nearer than the shutter reflects half as much
# again.
ROOM = 600
LOST = 300  # the same limit once a gain has been found
BEFORE = 60  # the gain assumed for stored references without one


class Gain:
    """The gain of one sensor: *fixed* by its owner, *kept* from the last start, or still to be found."""

    def __init__(self, kept: tuple[int, ...] = (), fixed: int = 0) -> None:
        found = kept[0] if kept and kept[0] in GAINS else 0
        self.now = fixed or found or FIRST
        self.settled = bool(fixed or found)
        self._fixed = bool(fixed)

    def follow(self, most: int) -> bool:
        """Choose the gain for a white of *most* counts in its brightest channel; return whether it has changed."""
        was = self.now
        if not self._fixed:
            self.now = _suited(was, most, LOST if self.settled else ROOM)
        self.settled = self.now == was
        return not self.settled


def scaled(counts: tuple[int, int, int, int], was: int, now: int) -> tuple[int, int, int, int]:
    """Convert *counts* from gain *was* to gain *now*."""
    r, g, b, c = [(count * now + was // 2) // was for count in counts]
    return r, g, b, c


def restored(kept: tuple[int, ...], gain: int) -> tuple[int, int, int, int] | None:
    """Return the stored reference *kept* (counts, then gain), converted to *gain*, or None if it is malformed."""
    was = kept[4] if len(kept) == 5 else BEFORE
    if len(kept) not in (4, 5) or was not in GAINS:
        return None
    return scaled((kept[0], kept[1], kept[2], kept[3]), was, gain)


def _suited(gain: int, most: int, room: int) -> int:
    at = STEPS.index(gain)
    if most >= DAZZLED:
        return STEPS[max(at - 1, 0)]
    if at + 1 < len(STEPS) and most * STEPS[at + 1] <= room * gain:
        return STEPS[at + 1]
    return gain
