"""The commands for `Table.execute`: one frozen dataclass each.

To add a command, write its class here, its effect in `execution`, and its declaration in `web.commands.table`. Its URL,
its permission and its API description are made from the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.fields import Line
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Move:
    """Execute a *line* of the game, for example `{"do": "draw", "colour": "red"}`."""

    line: Line


@dataclass(frozen=True)
class Undo:
    """Undo the last line of a person or the ring. To undo a line of the ring, a *reason* is needed.

    The reason `whole attempt` undoes all draws of the attempt and the line that began it.
    """

    reason: str | None = None


@dataclass(frozen=True)
class Answer:
    """Answer the question about a passage. *question* is its id.

    The answer is a colour, two colours joined by `+`, `same`, or `not a draw`.
    """

    question: int
    chosen: str


@dataclass(frozen=True)
class AddWords:
    """Add *words* of the players to the sealed seed. Later draws of this game depend on them."""

    words: str


@dataclass(frozen=True)
class Ready:
    """Record that *seat* has laid a card face down. When all seats have, the cards are turned over together."""

    seat: str


@dataclass(frozen=True)
class AllReady:
    """Record that all players who had to lay a card have done so."""


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
    """Change the time limits of this game and of later games of this kind.

    Fields that *pace* doesn't contain stay the same.
    """

    pace: Line


@dataclass(frozen=True)
class Agree:
    """Confirm that the stations left after an attempt are the expected stations. *left* is the `LeftOver.id`."""

    left: int


@dataclass(frozen=True)
class Inventory:
    """Record the stations that the table counted after an attempt.

    The snapshot then has questions about each difference.
    """

    left: int
    stations: Mapping[str, int]


@dataclass(frozen=True)
class LeaveOpen:
    """Record that the table continues without explaining the difference."""

    left: int


@dataclass(frozen=True)
class Mend:
    """Correct the game after an unexpected count.

    *cause* is the `Cause.word` of the event that caused the difference.
    """

    left: int
    cause: str


@dataclass(frozen=True)
class Pause:
    """Stop the clock and disarm the ring."""


@dataclass(frozen=True)
class Resume:
    """Continue a game that was paused or abandoned."""


@dataclass(frozen=True)
class Abandon:
    """Abandon the game. The *reason* is required."""

    reason: str


@dataclass(frozen=True)
class Leave:
    """Record that a player has left the table.

    From then on the companion plays the least active legal lines for that seat.
    """

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
"""Commands that are refused if they come from an outdated page. An `Answer` names its question instead."""
