"""The identity of an emulated chip: that of any emulated board, by another name, and one order more."""

import base
import outside

NAME = "chip"
SIMULATED = base.SIMULATED
ABILITIES = base.ABILITIES
PROTOCOL = outside.version()


def obey(word, fields):
    """Do what an emulated board does; an order to hang is obeyed for good: only the watchdog ends it."""
    while word == "hang":
        pass
    return base.obey(word, fields)
