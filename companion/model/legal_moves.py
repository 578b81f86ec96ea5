"""Find the legal moves of a seat: the game lists candidates, and this module selects those that `decide` accepts.

The offered moves therefore always agree with the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
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

    def at_random(
        self, state: State, seat: str, lots: Random, weights: Mapping[type, float], lived: Callable[[Command], Command]
    ) -> Command:
        """Choose a kind of command by *weights* (1 if it has none), and then a legal command of that kind.

        Otherwise most choices would be of the kind with the most candidates. *lived* adds details to a candidate, such
        as rolled dice.
        """
        found: dict[type, list[Command]] = {}
        for candidate in self._candidates(state, seat):
            found.setdefault(type(candidate), []).append(candidate)
        while found:
            kinds = sorted(found, key=lambda kind: kind.__name__)
            kind = lots.choices(kinds, [weights.get(kind, 1.0) for kind in kinds])[0]
            at = lots.randrange(len(found[kind]))
            if self.legal(state, chosen := lived(found[kind].pop(at))):
                return chosen
            if not found[kind]:
                del found[kind]
        raise RuntimeError(f"{seat} is waited for and can do nothing")
