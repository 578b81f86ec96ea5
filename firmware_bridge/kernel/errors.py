"""The faults of the bridge that somebody catches."""


class BadInput(Exception):
    """What was handed in (an address, a world, a script) cannot be meant: one clear sentence says why."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason


class WireLost(Exception):
    """The wire to a ring cannot be opened, or is gone: one sentence for the table says why.

    *unexpected* is the error of a kind that wires are not known to have: it may be a bug of ours, to be logged.
    """

    def __init__(self, reason: str, unexpected: Exception | None = None) -> None:
        super().__init__(reason)
        self.unexpected = unexpected

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason
