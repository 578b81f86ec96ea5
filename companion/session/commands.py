"""The commands for `Table.execute`: one frozen dataclass each.

To add a command, write its class here, its effect in `execution`, and its declaration in `web.commands.table`. URL,
permission and API description follow from the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.records import reason_of


@dataclass(frozen=True)
class Move:
    """Execute a *line* of the game, for example `{"do": "draw", "colour": "red"}`."""

    line: Line


@dataclass(frozen=True)
class Undo:
    """Take back the last line of a person or the ring. A line of the ring needs a *reason*."""

    reason: str | None = None


@dataclass(frozen=True)
class Answer:
    """Answer a *question* about a passage: a colour, two joined by `+`, `same` or `not a draw`."""

    question: int
    chosen: str


@dataclass(frozen=True)
class AddWords:
    """Mix *words* of the players into the sealed seed; later draws of this game depend on them."""

    words: str


@dataclass(frozen=True)
class Ready:
    """Record that *seat* has laid a card face down. When all have, the cards are turned over together."""

    seat: str


@dataclass(frozen=True)
class AllReady:
    """Record that everybody who still had to lay a card has done so."""


@dataclass(frozen=True)
class Extend:
    """Add *ms* milliseconds to the present step."""

    ms: int


@dataclass(frozen=True)
class Hold:
    """Stop the clock. The next move lets it run again."""


@dataclass(frozen=True)
class Go:
    """Let a stopped clock run again."""


@dataclass(frozen=True)
class SetPace:
    """Change the pace of this game and the default for the next ones. Fields that *pace* doesn't name stay the same."""

    pace: Line


@dataclass(frozen=True)
class Agree:
    """Confirm that the stations left after an attempt are the expected ones (*left*: `LeftOver.id`)."""

    left: int


@dataclass(frozen=True)
class Inventory:
    """Record what the table counted after an attempt. The snapshot then has questions about any difference."""

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeaveOpen:
    """Record that the table plays on without explaining the difference."""

    left: int


@dataclass(frozen=True)
class Mend:
    """Correct the game after a wrong count: *cause* is the `Cause.word` of what really happened."""

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
    """Abandon the game for a *reason*."""

    reason: str


@dataclass(frozen=True)
class Leave:
    """Record that a player has left the table: the companion then plays the least active legal lines for that seat."""

    seat: str


@dataclass(frozen=True)
class Return:
    """Record that a player is back."""

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
"""Commands that are refused if the page they come from is too old. An answer names its question instead."""


def command_of(line: Line) -> Move | Undo:
    """Return the command for a *line* of a record: `Undo` for `{"do": "undo"}`, else `Move`."""
    return Undo(reason_of(line)) if line.get("do") == "undo" else Move(line)
