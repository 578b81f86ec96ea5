"""Detects that the ring is shaken while its gate is open. Cubes may then fly out without being counted."""

SHAKES = 3  # one jolt may come from setting the ring down, two from pushing the gate
WITHIN_US = 1_000_000
RATTLES_US = 40_000  # how long a contact bounces after a jolt; hands shake more slowly


class ShakeDetector:
    """Counts the jolts that an accelerometer or a shake switch reports."""

    def __init__(self) -> None:
        self._jolts: list[int] = []
        self._reported = False

    def closed(self) -> None:
        """Forget all jolts, because the gate was moved. Shaking the ring with a closed gate is normal."""
        self._jolts = []
        self._reported = False

    def jolt(self, at_us: int) -> bool:
        """Add one jolt with an open gate.

        Return True if the jolts amount to shaking, once for each opening of the gate.
        """
        if self._jolts and at_us - self._jolts[-1] < RATTLES_US:
            return False
        self._jolts = [at for at in self._jolts if at_us - at < WITHIN_US] + [at_us]
        shaken = len(self._jolts) >= SHAKES and not self._reported
        self._reported = self._reported or shaken
        return shaken
