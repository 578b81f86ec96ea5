"""What a game is that asks for nothing of the house but to be played: each says beside its rules only what it has."""

from __future__ import annotations

from random import Random
from typing import Generic, Protocol, TypeVar

from companion.kernel.validation import Line
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


class _Setting(Protocol):
    @property
    def seats(self) -> tuple[Seat, ...]: ...


class _Seated(Protocol):
    @property
    def setting(self) -> _Setting: ...


State = TypeVar("State", bound=_Seated)
Command = TypeVar("Command")


class GameDefaults(Generic[State, Command]):
    """The part of the `Game` protocol that most games answer alike."""

    @property
    def ring(self) -> RingDraws[State, Command] | None:
        """Nothing is drawn from a ring."""
        return None

    @property
    def open_draws(self) -> OpenDraws[State] | None:
        """Nothing is drawn from bags or through towers."""
        return None

    @property
    def reveal(self) -> SimultaneousReveal[State] | None:
        """Nothing is laid face down."""
        return None

    @property
    def secrets(self) -> Secrets[State] | None:
        """Nothing is hidden from anybody."""
        return None

    @property
    def board(self) -> PrintedBoard | None:
        """All copies are alike."""
        return None

    @property
    def console(self) -> ConsoleUse[State] | None:
        """Buttons and lamps mean nothing."""
        return None

    @property
    def speech(self) -> Speech[State] | None:
        """Nothing is said aloud."""
        return None

    @property
    def facts(self) -> Facts[State] | None:
        """Nothing can be asked."""
        return None

    @property
    def luck(self) -> LuckModel[State] | None:
        """Luck isn't told from play."""
        return None

    @property
    def random_play(self) -> RandomPlay | None:
        """It isn't played at random."""
        return None

    def seats(self, state: State) -> tuple[Seat, ...]:
        """Return the seats of the setting, clockwise."""
        return state.setting.seats

    def cast_lots(self, state: State, line: Line, lots: Random) -> Line:
        """Return *line* as it is: chance decides nothing."""
        return line

    def by_itself(self, state: State, absent: frozenset[str]) -> Command | None:
        """Return nothing: all that happens is somebody's choice."""
        return None

    def step(self, state: State) -> Step | None:
        """Return no step: nothing is timed."""
        return None


def player_of(line: Line, nobodys: tuple[str, ...] = ()) -> str | None:
    """Return the seat whose act *line* says it is; None for corrections, undo, and what else is *nobodys* own."""
    player = line.get("player")
    return player if isinstance(player, str) and line.get("do") not in ("correct", "undo", *nobodys) else None
