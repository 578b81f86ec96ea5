"""The identity of an emulated board: it says that it is simulated, and hands two orders on to the hand at its gate.

What the owner of a flash has added to the firmware lies beside it as
`own.py`, and is asked for all else. A mistake in it ends the board, which
shows it; on a Pico the ring would go on without it.
"""

import outside


class Broken(BaseException):
    """The owner's file cannot be read; nothing in the firmware catches this."""


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
HEARD = {"arm": ("tok",), "disarm": (), "look": ("what",)}  # the firmware's own, which concern the hand too


def obey(word, fields):
    """Have an order carried out outside that is no firmware's; tell of those that the hand has its part in."""
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
