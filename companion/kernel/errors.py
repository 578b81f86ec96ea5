"""The two faults that every room may name: a player's mistake, and input that cannot be meant."""

from __future__ import annotations


class Refused(Exception):
    """A player's mistake: names the rule it breaks in one sentence for the table."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said: a `Said` keeps its pattern for other languages."""
        reason: str = self.args[0]
        return reason


class Malformed(Exception):
    """Bad input: says what is wrong with it and, where it helps, where.

    *field* is the name of the form's field that is wrong, so that a page can mark it; empty where there is none.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.field = field

    @property
    def reason(self) -> str:
        """The sentence, as it was said: a `Said` keeps its pattern for other languages."""
        reason: str = self.args[0]
        return reason
