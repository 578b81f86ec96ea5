"""Which gain the sensor counts at: as high as leaves room above the shutter's white, and then the same for good.

How much light comes back was reckoned, not measured, and may be off by three
times (hardware/circuit.md): so a ring finds its gain itself, by the first
white that it sees, and keeps it over its starts. Colours are taught at one
gain, so it moves again only when the white dazzles, or has all but gone.
"""

from .frame_filter import DAZZLED

GAINS = {1: 0, 4: 1, 16: 2, 60: 3}  # and what the sensor's Control Register calls them
STEPS = (1, 4, 16, 60)
CHOICES = (0, 1, 4, 16, 60)  # of an owner; 0: the ring finds its own
FIRST = 16
# Counts that the white may have at the next higher gain: a cube nearer than the shutter throws back half as much again.
ROOM = 600
LOST = 300  # the same, once the ring has settled
BEFORE = 60  # what references were counted at when nobody kept their gain


class Gain:
    """The gain of one sensor: *fixed* by its owner, or *kept* from the last start, or to be found."""

    def __init__(self, kept: tuple[int, ...] = (), fixed: int = 0) -> None:
        found = kept[0] if kept and kept[0] in GAINS else 0
        self.now = fixed or found or FIRST
        self.settled = bool(fixed or found)
        self._fixed = bool(fixed)

    def follow(self, most: int) -> bool:
        """Take over the gain that suits a white of *most* counts in a channel; return whether it is another."""
        was = self.now
        if not self._fixed:
            self.now = _suited(was, most, LOST if self.settled else ROOM)
        self.settled = self.now == was
        return not self.settled


def scaled(counts: tuple[int, int, int, int], was: int, now: int) -> tuple[int, int, int, int]:
    """Return what *counts* at gain *was* are at gain *now*."""
    r, g, b, c = [(count * now + was // 2) // was for count in counts]
    return r, g, b, c


def restored(kept: tuple[int, ...], gain: int) -> tuple[int, int, int, int] | None:
    """Return a reference as it was *kept*, its gain behind its counts, for *gain*; None when there is none."""
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
