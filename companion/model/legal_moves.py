"""Find the legal moves of a seat: the game lists candidates, and this module selects those that `decide` accepts.

The offered moves therefore always agree with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Refused

State = TypeVar("State")
Command = TypeVar("Command")


class LegalMoves(Generic[State, Command]):
    """The legal moves of a seat: its *candidates* that *decide* doesn't refuse."""

    def __init__(
        self, decide: Callable[[State, Command], Any], candidates: Callable[[State, str], Iterable[Command]]
    ) -> None:
        self._decide = decide
        self._candidates = candidates

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return every legal candidate of *seat* now, always in the same order."""
        return tuple(command for command in self._candidates(state, seat) if self.legal(state, command))

    def legal(self, state: State, command: Command) -> bool:
        """Return whether the rules allow *command* now."""
        return self.why_not(state, command) == ""

    def why_not(self, state: State, command: Command) -> str:
        """Return the rule that *command* breaks now, as a sentence, or "" if the command is legal."""
        try:
            self._decide(state, command)
        except Refused as refusal:
            return refusal.reason
        return ""
