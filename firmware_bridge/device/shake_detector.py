"""Whether the ring is shaken while its gate is open: then cubes may fly out, and nobody could count draws."""

SHAKES = 3  # one jolt may be the ring put down, two its gate pushed
WITHIN_US = 1_000_000
RATTLES_US = 40_000  # a contact that is jolted opens and closes for a while; hands shake slower than that


class ShakeDetector:
    """Follows the jolts that an accelerometer or a shake switch reports."""

    def __init__(self) -> None:
        self._jolts: list[int] = []
        self._told = False

    def closed(self) -> None:
        """Begin anew: the gate is closed, and shaking is what is wanted."""
        self._jolts = []
        self._told = False

    def jolt(self, at_us: int) -> bool:
        """Take one jolt while the gate is open; return True once for each opening, when they make a shaking."""
        if self._jolts and at_us - self._jolts[-1] < RATTLES_US:
            return False
        self._jolts = [at for at in self._jolts if at_us - at < WITHIN_US] + [at_us]
        shaken = len(self._jolts) >= SHAKES and not self._told
        self._told = self._told or shaken
        return shaken
