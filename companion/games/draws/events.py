"""What happens at a draw table: facts that can be folded into a state and never refused."""

from __future__ import annotations

from companion.games.draws.cubes import Cubes
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class PutIn:
    """New cubes are inside."""

    cubes: Cubes


@dataclass(frozen=True)
class Drawn:
    """Cubes came out for *player* ("": for nobody in particular); *back*: they went inside again at once."""

    player: str
    cubes: Cubes
    back: bool


@dataclass(frozen=True)
class WentBack:
    """Cubes that *player* held ("": that lay on the table) are inside again."""

    player: str
    cubes: Cubes


@dataclass(frozen=True)
class Thrown:
    """Cubes went into the tower."""

    cubes: Cubes


@dataclass(frozen=True)
class CameOut:
    """Cubes came out of the tower."""

    cubes: Cubes


@dataclass(frozen=True)
class Taken:
    """Whoever draws from now on, and whether what is drawn goes back at once."""

    player: str
    back: bool


@dataclass(frozen=True)
class Corrected:
    """The table brought counts to what lies there."""

    place: str
    counts: Cubes


@dataclass(frozen=True)
class Finished:
    """No more is drawn."""


Event = PutIn | Drawn | WentBack | Thrown | CameOut | Taken | Corrected | Finished
