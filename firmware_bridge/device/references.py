"""Detects two faults from the references: the room is too bright, or the shutter's white has changed.

References are sums (red, green, blue, clear), each over the same number of frames. Only the clear
channel is used. A fault is reported once when it begins, and again only after it has ended. The limits have hysteresis.
"""

CLEAR = 3
AMBIENT = 33  # the brightest allowed room, in percent of the lamp's light
AMBIENT_OVER = 25
DIM, BRIGHT = 80, 125  # limits of the shutter's white, in percent of the calibrated white
DIM_OVER, BRIGHT_OVER = 85, 118


class ReferenceWatch:
    """Watches the references of one boot.

    References are compared with the white passed to `calibrated`. Without a calibration since the start, they are
    compared with the first white.
    """

    def __init__(self) -> None:
        self._white = 0
        self._bright = False
        self._dirty = False

    def calibrated(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> None:
        """Set the correct white of the shutter to *white* minus *dark*."""
        self._white = lit(white, dark)
        self._dirty = False

    def scaled(self, was: int, now: int) -> None:
        """Convert from the gain *was* to the gain *now*."""
        self._white = self._white * now // was

    def looked(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> list[str]:
        """Add new references; return the faults that begin with them."""
        if not self._white:
            self.calibrated(white, dark)
        was_bright, was_dirty = self._bright, self._dirty
        self._bright = self.outshone(white, dark)
        if not self._bright:  # if the room is too bright, the white cannot be measured
            self._dirty = self._off(white, dark)
        begun = ["ambient-light"] if self._bright and not was_bright else []
        if self._dirty and not was_dirty:
            begun.append("dirty-window")
        return begun

    def doubts(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Return whether these references would report `dirty-window`.

        A light that is switched on between white and dark has the same effect.
        """
        if not self._white or self._dirty or self.outshone(white, dark):
            return False
        return self._off(white, dark)

    def outshone(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Return whether the room was too bright to measure the lamp's light."""
        room = 100 * dark[CLEAR] // lit(white, dark)
        return room > (AMBIENT_OVER if self._bright else AMBIENT)

    def _off(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        share = 100 * lit(white, dark) // self._white
        low, high = (DIM_OVER, BRIGHT_OVER) if self._dirty else (DIM, BRIGHT)
        return not low <= share <= high


def lit(white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> int:
    """Return the lamp's own light reflected by the shutter, at least 1."""
    return max(white[CLEAR] - dark[CLEAR], 1)
