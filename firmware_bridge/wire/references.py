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


class Watch:
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

    def looked(self, white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> list[str]:
        """Take fresh references; return the faults that begin with them."""
        if not self._white:
            self.calibrated(white, dark)
        was_bright, was_dirty = self._bright, self._dirty
        room = 100 * dark[CLEAR] // lit(white, dark)
        self._bright = room > (AMBIENT_OVER if was_bright else AMBIENT)
        if not self._bright:  # in a room that is too bright, nobody can tell the shutter's white
            share = 100 * lit(white, dark) // self._white
            low, high = (DIM_OVER, BRIGHT_OVER) if was_dirty else (DIM, BRIGHT)
            self._dirty = not low <= share <= high
        begun = ["ambient-light"] if self._bright and not was_bright else []
        if self._dirty and not was_dirty:
            begun.append("dirty-window")
        return begun


def lit(white: tuple[int, int, int, int], dark: tuple[int, int, int, int]) -> int:
    """Return what the lamp alone throws back from the shutter, 1 at least."""
    return max(white[CLEAR] - dark[CLEAR], 1)
