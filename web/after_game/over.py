"""A game that is over, with the values that the pages after the game need."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.kernel.values import dataclass
from companion.model.game import AnyGame, Result
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove
from companion.session.time_report import Spell
from web.components.players import Face, faces
from web.request.game_pages import AfterGame, GameCover, Pages

EARLY = "Ended early"
"""The recorded reason of a game that was ended with the menu. Lists don't repeat it."""


@dataclass(frozen=True)
class Over:
    """A finished or abandoned game: its last snapshot, its moves, and the seats that didn't play to the end.

    *began* is the wall-clock time of its start in seconds, or None for the game on the table.
    """

    number: int
    cover: GameCover | None
    seen: Snapshot
    recorded: Sequence[RecordedMove]
    left: Collection[str]
    spells: Sequence[Spell] = ()
    began: float | None = None

    @property
    def game(self) -> AnyGame:
        """The rules of the game."""
        assert self.seen.game is not None, "a game of the ledger has rules"
        return self.seen.game

    @cached_property
    def faces(self) -> Mapping[str, Face]:
        """The players, in seat order."""
        return faces(self.game.seats(self.seen.state))

    @property
    def colours(self) -> tuple[str, ...]:
        """The players' colours, in seat order."""
        return tuple(self.faces)

    @cached_property
    def result(self) -> Result | None:
        """The result of the game, or None if it has none."""
        return self.game.result(self.seen.state)

    @cached_property
    def moves(self) -> Sequence[RecordedMove]:
        """The moves without undone ones, oldest first."""
        return tuple(move for move in self.recorded if not move.line.undone)

    @property
    def pages(self) -> Pages | None:
        """The pages of the game, or None if this program doesn't know the game."""
        return None if self.cover is None else self.cover.pages

    @property
    def after(self) -> AfterGame:
        """The game's own content of the pages after a game."""
        return AfterGame("") if self.pages is None else self.pages.after

    def points(self, state: Any) -> Mapping[str, int]:
        """Return each player's public points in *state*. The result is empty if the game shows none."""
        if self.pages is None or self.pages.timeline is None:
            return {}
        return self.pages.timeline.points(state)

    @cached_property
    def totals(self) -> Mapping[str, int]:
        """Each player's points at the end. It is empty in a game without points."""
        return self.result.totals if self.result is not None else self.points(self.seen.state)
