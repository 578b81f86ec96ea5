"""The faults of the bridge that somebody catches."""


class BadInput(Exception):
    """What was handed in (an address, a world, a script) cannot be meant: one clear sentence says why."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason


class WireLost(Exception):
    """The wire to a ring cannot be opened, or is gone: one sentence for the table says why."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said."""
        reason: str = self.args[0]
        return reason
