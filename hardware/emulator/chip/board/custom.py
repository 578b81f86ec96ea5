"""The custom.py of an emulated chip. It equals that of other emulated boards, except for the name "chip" and `hang`."""

import base
import outside

NAME = "chip"
SIMULATED = base.SIMULATED
ABILITIES = base.ABILITIES
PROTOCOL = outside.version()


def obey(word, fields):
    """Carry out an order like an emulated board. "hang" doesn't return until the watchdog resets the chip."""
    while word == "hang":
        pass
    return base.obey(word, fields)
