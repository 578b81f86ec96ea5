"""Defaults for the optional parts of `Game`, so that a game declares only what it has."""

from __future__ import annotations

from random import Random
from typing import Generic, Protocol, TypeVar

from companion.kernel.fields import Line
from companion.model.capabilities import (
    ConsoleUse,
    Facts,
    LuckModel,
    OpenDraws,
    PrintedBoard,
    RandomPlay,
    RingDraws,
    Secrets,
    SimultaneousReveal,
    Speech,
)
from companion.model.game import Seat, Step
from companion.model.state_contract import seats_of


class _Setting(Protocol):
    @property
    def seats(self) -> tuple[Seat, ...]: ...


class _Seated(Protocol):
    @property
    def setting(self) -> _Setting: ...


State = TypeVar("State", bound=_Seated)
Command = TypeVar("Command")


class GameDefaults(Generic[State, Command]):
    """The parts of the `Game` protocol that are the same for most games."""

    @property
    def ring(self) -> RingDraws[State, Command] | None:
        """No ring."""
        return None

    @property
    def open_draws(self) -> OpenDraws[State] | None:
        """No bags or towers."""
        return None

    @property
    def reveal(self) -> SimultaneousReveal[State] | None:
        """No cards face down."""
        return None

    @property
    def secrets(self) -> Secrets[State] | None:
        """No hidden information."""
        return None

    @property
    def board(self) -> PrintedBoard | None:
        """All copies are the same."""
        return None

    @property
    def console(self) -> ConsoleUse[State] | None:
        """No buttons and lamps."""
        return None

    @property
    def speech(self) -> Speech[State] | None:
        """No announcements."""
        return None

    @property
    def facts(self) -> Facts[State] | None:
        """No questions."""
        return None

    @property
    def luck(self) -> LuckModel[State] | None:
        """No luck model."""
        return None

    @property
    def random_play(self) -> RandomPlay | None:
        """No random play."""
        return None

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Return `state.setting.seats`, clockwise."""
        return seats_of(state, "GameDefaults.seats")

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line* unchanged: there is no chance."""
        return line

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return None: every command is a player's choice."""
        return None

    def step(self, state: State) -> Step | None:
        """Return None: no step can have a time limit."""
        return None


def player_of(line: Line, nobodys: tuple[str, ...] = ()) -> str | None:
    """Return the seat that acts in *line*; None for corrections, undo, and lines with a `do` in *nobodys*."""
    player = line.get("player")
    return player if isinstance(player, str) and line.get("do") not in ("correct", "undo", *nobodys) else None
