"""The owner's additions to a board, in a file custom.py. The firmware uses only the names listed here.

All of them are optional: `NAME` (appended to the firmware's name), `ABILITIES` (letters for the hello),
`SIMULATED`, `PROTOCOL` (for tests of hosts), `GAIN` of the sensor (one that it has, or 0: chosen automatically),
`MHZ` (125 leaves an RP2040 at its initial clock rate), and `obey(word, fields)`, which answers an order with
"" (done), the reason for a refusal, or None (not its order).
"""

from wire.codec import VERSION
from wire.controller import ControllerHands
from wire.sensor_chips import CHOICES

from ring.speed import FAST, SPEEDS

LONGEST_NAME = 5
LONGEST_ABILITIES = 6


class Owner(ControllerHands):
    """The settings in *custom*, a module or None; `sound` is False if its import failed or a value is invalid."""

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
        """Return the value of *name* if it is one of *choice*, otherwise the default *otherwise*."""
        value = getattr(self._custom, name, otherwise)
        if value in choice:
            return int(value)
        self.sound = False
        return otherwise

    def _word(self, name: str) -> str:
        """Return the value of *name* if it consists of letters and digits, otherwise an empty string."""
        value = getattr(self._custom, name, "")
        if type(value) is str and all("0" <= each <= "9" or "A" <= each.upper() <= "Z" for each in value):
            return value
        self.sound = False
        return ""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out one of the owner's own orders (see `ControllerHands`)."""
        obey = getattr(self._custom, "obey", None)
        return obey(word, fields) if obey else None

    def named(self, firmware: str) -> str:
        """Return the name *firmware*, with `+` and the owner's name appended if there is a custom.py."""
        name = self._name or ("own" if self._custom else "")
        return firmware + "+" + name if name else firmware


def owner() -> Owner:
    """Import custom.py. If that fails, write the traceback to custom.txt and continue, with `sound` False."""
    try:
        import custom  # type: ignore[import-not-found]  # on the owner's board only
    except ImportError:
        return Owner(None)
    except Exception as fault:
        from ring.flash import keep_crash

        keep_crash(fault, "custom.txt")
        return Owner(None, sound=False)
    return Owner(custom)
