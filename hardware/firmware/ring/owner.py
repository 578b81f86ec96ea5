"""What the owner of a board has added to it: a file custom.py, and this is all that the firmware asks of it.

All of it is optional: `NAME` (tells this firmware from ours), `ABILITIES`
(letters for the hello), `SIMULATED`, `PROTOCOL` (for tests of hosts), `GAIN`
of the sensor (1, 4, 16, 60, or 0: it finds its own), `MHZ` (125 for an RP2040
that is to stay at the pace at which it starts), and `obey(word, fields)`,
which answers an order with "" (done), why not, or None (not mine).
"""

from wire.chips import CHOICES
from wire.codec import VERSION
from wire.controller import ControllerHands

from ring.speed import FAST, SPEEDS

LONGEST_NAME = 5
LONGEST_ABILITIES = 6


class Owner(ControllerHands):
    """What *custom*, a module or None, says; *sound* is False when it could not be read, or says what has no sense."""

    def __init__(self, custom: object, sound: bool = True) -> None:
        self._custom = custom
        self.sound = sound
        self.gain = self._number("GAIN", 0, CHOICES)
        self.mhz = self._number("MHZ", FAST, SPEEDS)
        self.simulated = self._number("SIMULATED", 0, (0, 1))
        self.version = self._number("PROTOCOL", VERSION, range(100))
        self.abilities = self._word("ABILITIES")[:LONGEST_ABILITIES]
        self._name = self._word("NAME")[:LONGEST_NAME]

    def _number(self, name: str, otherwise: int, choice: tuple[int, ...] | range) -> int:
        """Return the number that it gives *name*, if it is one of *choice*."""
        value = getattr(self._custom, name, otherwise)
        if value in choice:
            return int(value)
        self.sound = False
        return otherwise

    def _word(self, name: str) -> str:
        """Return what it says of *name*, if it is letters and digits; empty when nothing."""
        value = getattr(self._custom, name, "")
        if type(value) is str and all("0" <= each <= "9" or "A" <= each.upper() <= "Z" for each in value):
            return value
        self.sound = False
        return ""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out an order that the owner has thought of (see `ControllerHands`)."""
        obey = getattr(self._custom, "obey", None)
        return obey(word, fields) if obey else None

    def named(self, firmware: str) -> str:
        """Return the firmware's name: ours, or ours with the owner's added."""
        name = self._name or ("own" if self._custom else "")
        return firmware + "+" + name if name else firmware


def owner() -> Owner:
    """Return what the owner has added; a ring whose custom.py is broken works without it, and says so."""
    try:
        import custom  # type: ignore[import-not-found]  # the owner's
    except ImportError:
        return Owner(None)
    except Exception as fault:
        from ring.flash import keep_crash

        keep_crash(fault, "custom.txt")
        return Owner(None, sound=False)
    return Owner(custom)
