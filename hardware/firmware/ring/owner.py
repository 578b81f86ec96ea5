"""What the owner of a board has added to it: a file custom.py, and this is all that the firmware asks of it.

All of it is optional: `NAME` (tells this firmware from ours), `ABILITIES`
(letters for the hello), `SIMULATED`, `PROTOCOL` (for tests of hosts), `GAIN`
of the sensor (1, 4, 16, 60), and `obey(word, fields)`, which answers an order
with "" (done), why not, or None (not mine).
"""

from wire.works import Hands

LONGEST_NAME = 5


class Owner(Hands):
    """What *custom*, a module or None, says; *sound* is False when it could not be read."""

    def __init__(self, custom: object, sound: bool = True) -> None:
        self._custom = custom
        self.sound = sound

    def text(self, name: str) -> str:
        """Return what it says of *name*, empty when nothing."""
        return str(getattr(self._custom, name, ""))

    def number(self, name: str, otherwise: int) -> int:
        """Return the number that it gives *name*."""
        return int(getattr(self._custom, name, otherwise))

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out an order that the owner has thought of (see `Hands`)."""
        obey = getattr(self._custom, "obey", None)
        return obey(word, fields) if obey else None

    def named(self, firmware: str) -> str:
        """Return the firmware's name: ours, or ours with the owner's added."""
        name = self.text("NAME") or ("own" if self._custom else "")
        return firmware + "+" + name[:LONGEST_NAME] if name else firmware


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
