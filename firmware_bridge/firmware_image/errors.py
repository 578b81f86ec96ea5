"""The faults of this package that somebody catches."""


class FirmwareFault(Exception):
    """The firmware cannot be built, or a board cannot take it: one clear sentence says why."""


class BadFolder(FirmwareFault):
    """The folder that was named is not what it should be."""
