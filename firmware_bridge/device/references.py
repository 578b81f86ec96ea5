"""What the references say of the light and the window: too bright a room, a shutter that has lost its white.

References are sums over the same number of frames each, as (red, green, blue,
clear); the clear channel decides. A fault is told when it begins, and again
only after it was over: each has a limit to begin and a closer one to end.
"""

CLEAR = 3
AMBIENT = 33  # the room's light in hundredths of the lamp's
AMBIENT_OVER = 25
DIM, BRIGHT = 80, 125  # the shutter's white in hundredths of what it was
DIM_OVER, BRIGHT_OVER = 85, 118


class ReferenceWatch:
    """Follows the references of one boot.

    The white that `calibrated` gave is what later ones are compared with; of
    a device that nobody has calibrated since its start, it is the first one.
    """

    def __init__(self) -> None:
        self._white = 0
        self._bright = False
        self._dirty = False

    def calibrated(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> None:
        """Take *white* less *dark* for the shutter as it should be."""
        self._white = lit(white, dark)
        self._dirty = False

    def scaled(self, was: int, now: int) -> None:
        """Go on at the gain *now*, after *was*."""
        self._white = self._white * now // was

    def looked(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> list[str]:
        """Take fresh references; return the faults that begin with them."""
        if not self._white:
            self.calibrated(white, dark)
        was_bright, was_dirty = self._bright, self._dirty
        self._bright = self.outshone(white, dark)
        if not self._bright:  # in a room that is too bright, nobody can tell the shutter's white
            self._dirty = self._off(white, dark)
        begun = ["ambient-light"] if self._bright and not was_bright else []
        if self._dirty and not was_dirty:
            begun.append("dirty-window")
        return begun

    def doubts(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Tell whether these would begin a `dirty-window`: a light switched on between the two seems like one."""
        if not self._white or self._dirty or self.outshone(white, dark):
            return False
        return self._off(white, dark)

    def outshone(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        """Tell whether the room is too bright to tell anything of the lamp's light."""
        room = 100 * dark[CLEAR] // lit(white, dark)
        return room > (AMBIENT_OVER if self._bright else AMBIENT)

    def _off(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> bool:
        share = 100 * lit(white, dark) // self._white
        low, high = (DIM_OVER, BRIGHT_OVER) if self._dirty else (DIM, BRIGHT)
        return not low <= share <= high


def lit(white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> int:
    """Return what the lamp alone throws back from the shutter, 1 at least."""
    return max(white[CLEAR] - dark[CLEAR], 1)
