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
    """Bad input: says what is wrong with it and, where it helps, where."""

    @property
    def reason(self) -> str:
        """The sentence, as it was said: a `Said` keeps its pattern for other languages."""
        reason: str = self.args[0]
        return reason
