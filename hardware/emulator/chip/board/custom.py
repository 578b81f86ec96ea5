"""The custom.py of an emulated chip: the one of any emulated board, with another name and one more order."""

import base
import outside

NAME = "chip"
SIMULATED = base.SIMULATED
ABILITIES = base.ABILITIES
PROTOCOL = outside.version()


def obey(word, fields):
    """Carry out an order as an emulated board does; "hang" never returns, until the watchdog resets the chip."""
    while word == "hang":
        pass
    return base.obey(word, fields)
