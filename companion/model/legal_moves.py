"""The legal moves of a seat: a game lists candidates, and its `decide` filters them.

So the offered moves can't differ from the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Refused

State = TypeVar("State")
Command = TypeVar("Command")


class LegalMoves(Generic[State, Command]):
    """Those *candidates* of a seat that *decide* doesn't refuse."""

    def __init__(
        self, decide: Callable[[State, Command], Any], candidates: Callable[[State, str], Iterable[Command]]
    ) -> None:
        self._decide = decide
        self._candidates = candidates

    def choices(self, state: State, seat: str) -> tuple[Command, ...]:
        """Return every legal candidate of *seat* now, always in the same order."""
        return tuple(command for command in self._candidates(state, seat) if self.legal(state, command))

    def legal(self, state: State, command: Command) -> bool:
        """Tell whether the rules allow *command* now."""
        return self.why_not(state, command) == ""

    def why_not(self, state: State, command: Command) -> str:
        """Return the rule that *command* breaks now, empty if it is legal."""
        try:
            self._decide(state, command)
        except Refused as refusal:
            return refusal.reason
        return ""
