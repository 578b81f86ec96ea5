"""The colour sensor of a ring, whichever of the known chips it is."""

from .gain import Gain, restored
from .sensor_chips import CHIPS, USUAL
from .sensor_driver import Bus, Chip


class Sensor:
    """The sensor on a *bus*, with its gain.

    *stored* is the gain that an earlier run stored, or empty. *fixed* is the gain that the owner set, or 0. Until a
    chip has answered, `chip` is the first of *chips*. After a chip has answered, only that kind is accepted until a
    restart, because the ring has already reported its chip to the host.
    """

    def __init__(
        self, bus: Bus, stored: tuple[int, ...] = (), fixed: int = 0, chips: tuple[type[Chip], ...] = CHIPS
    ) -> None:
        self.known = False
        self._stored = stored
        self._fixed = fixed
        self._chips = [chip(bus) for chip in chips]
        self._take(self._chips[0])

    @property
    def kind(self) -> type[Chip]:
        """The class of the chip, with its constants."""
        return type(self.chip)

    @property
    def name(self) -> str:
        """The chip's name, or `none` until a chip has answered."""
        return self.kind.NAME if self.known else "none"

    def begin(self) -> bool:
        """Initialise the sensor from any state; return False if there is no known sensor."""
        for chip in [self.chip] if self.known else self._chips:
            self._take(chip)
            if chip.begin(self.gain.now):
                self.known = True
                return True
        if not self.known:
            self._take(self._chips[0])
        return False

    def amplify(self) -> None:
        """Apply the present gain from the next frame on. Raise OSError if the sensor does not answer."""
        self.chip.amplify(self.gain.now)

    def marked(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return *numbers* as they are stored (see `marked`)."""
        return marked(self.kind, numbers)

    def restored(self, stored: tuple[int, ...]) -> tuple[int, int, int, int] | None:
        """Convert a stored reference to the present gain.

        Return None if it is malformed or was stored for another chip.
        """
        return restored(self._own(stored, (4, 5)), self.gain.now, self.kind)

    def _take(self, chip: Chip) -> None:
        if self.known:
            return
        self.chip = chip
        self.gain = Gain(type(chip), self._own(self._stored, (1,)), self._fixed)

    def _own(self, stored: tuple[int, ...], lengths: tuple[int, ...]) -> tuple[int, ...]:
        """Return stored numbers without the chip's mark, or nothing if another chip stored them."""
        mark = marked(self.kind, ())
        numbers = stored[: len(stored) - len(mark)]
        return numbers if len(numbers) in lengths and numbers + mark == stored else ()


def marked(chip: type[Chip], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return *numbers* with the mark of *chip*, as a ring stores them. The mark prevents another chip from using them.

    The mark is the chip's address and ID in one number. The default chip has no mark, because rings already stored
    numbers when it was the only chip.
    """
    return numbers if chip is USUAL else numbers + (chip.ADDRESS << 8 | chip.IDS[0],)
