"""The one fault of this package that somebody catches."""


class FirmwareFault(Exception):
    """The firmware cannot be built, or a board cannot take it: one clear sentence says why."""
