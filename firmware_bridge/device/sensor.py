"""The colour sensor of a ring, whichever of the known chips it is."""

from .chips import CHIPS, USUAL
from .gain import Gain, restored
from .sensor_chip import Bus, Chip


class Sensor:
    """The sensor on a *bus*, with its gain.

    *stored* is the gain stored by an earlier start, *fixed* that of the owner; empty or 0 if there is
    none. Until a chip has answered, `chip` is the first of *chips*. From then on only that kind is
    looked for: another one needs a restart, because the ring has told its host which chip it has.
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
        """The class of the chip, with its facts."""
        return type(self.chip)

    @property
    def name(self) -> str:
        """The chip's name, or `none` until one has answered."""
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
        """Return the stored reference *stored* at the present gain, or None if it is malformed or another chip's."""
        return restored(self._own(stored, (4, 5)), self.gain.now, self.kind)

    def _take(self, chip: Chip) -> None:
        if self.known:
            return
        self.chip = chip
        self.gain = Gain(type(chip), self._own(self._stored, (1,)), self._fixed)

    def _own(self, stored: tuple[int, ...], lengths: tuple[int, ...]) -> tuple[int, ...]:
        """Return stored numbers without their mark, or nothing if they are another chip's."""
        mark = marked(self.kind, ())
        numbers = stored[: len(stored) - len(mark)]
        return numbers if len(numbers) in lengths and numbers + mark == stored else ()


def marked(chip: type[Chip], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return *numbers* of *chip* as a ring stores them: with the chip's mark, so that no other chip uses them.

    The mark is the chip's address and ID in one number. The usual chip has none, because rings
    stored numbers before there were others.
    """
    return numbers if chip is USUAL else numbers + (chip.ADDRESS << 8 | chip.IDS[0],)
