"""The custom.py of an emulated board: it reports itself as simulated and passes orders on to the simulated gate.

A custom.py in the owner's flash is available here as `own` and gets all other orders. An error in it stops
the emulated board, so that the owner notices it; a real Pico would continue without it.
"""

import outside


class Broken(BaseException):
    """The owner's file cannot be imported. Nothing in the firmware catches this exception."""


try:
    import own
except ImportError as missing:
    if "'own'" not in str(missing):
        raise Broken(missing) from None
    own = None
except Exception as fault:
    import sys

    sys.print_exception(fault)
    raise Broken("custom.py is broken") from None

NAME = getattr(own, "NAME", "own" if own else "emu")
SIMULATED = 1
ABILITIES = "s" + getattr(own, "ABILITIES", "")

SENSELESS = 1
WHY = {2: "colour", 3: "empty"}
OURS = {"under": ("n", "u"), "slide": ()}
HEARD = {"arm": ("tok",), "disarm": (), "look": ("what",)}  # orders of the firmware that the gate needs too


def obey(word, fields):
    """Carry out an order of the simulation; pass others to the owner, and those in `HEARD` to the gate first."""
    if word in OURS:
        return _answer(_asked(word, fields, OURS[word]))
    if word in HEARD:
        _asked(word, fields, HEARD[word])
    return own.obey(word, fields) if hasattr(own, "obey") else None


def _asked(word, fields, names):
    return outside.ask("h", 0, 0, " ".join([word] + [fields[name] for name in names]).encode())


def _answer(number):
    if number == SENSELESS:
        raise ValueError("this makes no sense")
    return WHY.get(number, "")


def __getattr__(name):
    return getattr(own, name)  # GAIN and PROTOCOL
