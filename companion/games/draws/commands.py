"""What can be asked of a draw table: each command as a frozen value."""

from __future__ import annotations

from companion.games.draws.cubes import Cubes
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Put:
    """Put new cubes inside."""

    cubes: Cubes
    player: str | None = None


@dataclass(frozen=True)
class Draw:
    """Note what came out at once; *player* None: whoever has the ring, *back* None: as the table has it."""

    cubes: Cubes
    player: str | None = None
    back: bool | None = None


@dataclass(frozen=True)
class Return:
    """Put cubes that were drawn back inside; *cubes* None: all of them, *player* None: whoever holds them."""

    cubes: Cubes | None = None
    player: str | None = None


@dataclass(frozen=True)
class Throw:
    """Throw cubes into the tower."""

    cubes: Cubes
    player: str | None = None


@dataclass(frozen=True)
class Out:
    """Note what came out of the tower."""

    cubes: Cubes
    player: str | None = None


@dataclass(frozen=True)
class Take:
    """Hand the ring over: *player* draws from now on (None: nobody in particular), *back*: cubes go back at once."""

    player: str | None = None
    back: bool | None = None


@dataclass(frozen=True)
class Correct:
    """Bring the counts of a *place*, `inside` or `tower`, to what is there."""

    reason: str
    place: str
    counts: Cubes


@dataclass(frozen=True)
class Finish:
    """End it."""


Command = Put | Draw | Return | Throw | Out | Take | Correct | Finish
