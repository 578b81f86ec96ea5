"""Detects that the ring is shaken while its gate is open: cubes may fly out that are not counted."""

SHAKES = 3  # one jolt may be the ring set down, two the gate pushed
WITHIN_US = 1_000_000
RATTLES_US = 40_000  # how long a contact bounces after a jolt; hands shake more slowly


class ShakeDetector:
    """Counts the jolts that an accelerometer or a shake switch reports."""

    def __init__(self) -> None:
        self._jolts: list[int] = []
        self._reported = False

    def closed(self) -> None:
        """Forget all jolts: the gate was moved. Shaking with a closed gate is normal."""
        self._jolts = []
        self._reported = False

    def jolt(self, at_us: int) -> bool:
        """Add one jolt with an open gate; return True, once per opening, if the jolts amount to shaking."""
        if self._jolts and at_us - self._jolts[-1] < RATTLES_US:
            return False
        self._jolts = [at for at in self._jolts if at_us - at < WITHIN_US] + [at_us]
        shaken = len(self._jolts) >= SHAKES and not self._reported
        self._reported = self._reported or shaken
        return shaken
