"""The exceptions of the bridge that callers catch."""


class BadInput(Exception):
    """An address, a world file, a script or another input is invalid. Its message is one sentence that says why."""

    @property
    def reason(self) -> str:
        """The sentence, still translatable."""
        reason: str = self.args[0]
        return reason


class WireLost(Exception):
    """The wire to a ring cannot be opened or is lost. Its message is one sentence for the table.

    *unexpected* is the original exception if wires do not normally raise its type. It may be a bug
    of ours, and is logged.
    """

    def __init__(self, reason: str, unexpected: Exception | None = None) -> None:
        super().__init__(reason)
        self.unexpected = unexpected

    @property
    def reason(self) -> str:
        """The sentence, still translatable."""
        reason: str = self.args[0]
        return reason
