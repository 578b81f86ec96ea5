"""What people can ask of the table, each as one frozen value: the closed family that `Table.execute` answers.

To add one: its value here, what it does in `execution`, and its declaration in
`web.commands.table`. Addresses, rights and descriptions follow from that.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.records import reason_of


@dataclass(frozen=True)
class Move:
    """Do what a *line* of the game asks."""

    line: Line


@dataclass(frozen=True)
class Undo:
    """Take back the last line of a person or the ring; a line of the ring only for a *reason*."""

    reason: str | None = None


@dataclass(frozen=True)
class Answer:
    """Say what the passage of a *question* was: a colour, two joined by `+`, `same` or `not a draw`."""

    question: int
    chosen: str


@dataclass(frozen=True)
class AddWords:
    """Say *words* to the sealed seed of this game, on which its draws depend from now on."""

    words: str


@dataclass(frozen=True)
class Ready:
    """Take note that *seat* has laid face down; once all have, all turn over together."""

    seat: str


@dataclass(frozen=True)
class AllReady:
    """Take note that all who were still to lay have laid."""


@dataclass(frozen=True)
class Extend:
    """Give the step at hand so many milliseconds more."""

    ms: int


@dataclass(frozen=True)
class Hold:
    """Stop the clock and nothing else: what is played lets it go on."""


@dataclass(frozen=True)
class Go:
    """Let a clock that is held go on."""


@dataclass(frozen=True)
class SetPace:
    """Change the pace of this game, and of the next ones of its kind, by what *pace* says; the rest of it stays."""

    pace: Line


@dataclass(frozen=True)
class Agree:
    """Take note that what lies where an attempt was over is what must lie there (*left*: `LeftOver.id`)."""

    left: int


@dataclass(frozen=True)
class Inventory:
    """Take note of what the table counted there; the snapshot then holds what to ask about the difference."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeaveOpen:
    """Take note that the table plays on with the difference."""

    left: int


@dataclass(frozen=True)
class Mend:
    """Mend a difference: *cause* is the `Cause.word` of what really happened."""

    left: int
    cause: str


@dataclass(frozen=True)
class Pause:
    """Stop the clock and disarm the ring."""


@dataclass(frozen=True)
class Resume:
    """Go on after a pause, or with a game that was abandoned."""


@dataclass(frozen=True)
class Abandon:
    """Give the game up, and say why."""

    reason: str


@dataclass(frozen=True)
class Leave:
    """Take note that a player left the table: the companion plays the idlest legal lines for them."""

    seat: str


@dataclass(frozen=True)
class Return:
    """Take note that a player is back."""

    seat: str


@dataclass(frozen=True)
class Switch:
    """Put another game of the ledger on the table."""

    game: int


Command = (
    Move
    | Undo
    | Answer
    | AddWords
    | Ready
    | AllReady
    | Extend
    | Hold
    | Go
    | SetPace
    | Agree
    | Inventory
    | LeaveOpen
    | Mend
    | Pause
    | Resume
    | Abandon
    | Leave
    | Return
    | Switch
)
Versioned = Move | Undo | Ready | AllReady | Extend
"""What a page may be too old for. An answer names its question; all else is meant whatever happened meanwhile."""


def command_of(line: Line) -> Move | Undo:
    """Return the command that a *line* of a record asks for; `undo` is no line of any game."""
    return Undo(reason_of(line)) if line.get("do") == "undo" else Move(line)
