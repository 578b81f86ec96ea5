"""The two exceptions that every package may raise: a player's mistake, and invalid input."""

from __future__ import annotations


class Refused(Exception):
    """A player's mistake. Its sentence names the rule that was broken."""

    @property
    def reason(self) -> str:
        """The sentence. If it is a `Said`, it can be translated."""
        reason: str = self.args[0]
        return reason


class Malformed(Exception):
    """Invalid input. Its sentence says what is wrong and, if useful, where.

    *field* is the name of the wrong field of a form, so that a page can mark it; it is empty if unknown.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.field = field

    @property
    def reason(self) -> str:
        """The sentence. If it is a `Said`, it can be translated."""
        reason: str = self.args[0]
        return reason
