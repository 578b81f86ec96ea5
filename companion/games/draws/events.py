"""The events of a draw table and their codec. `evolve` applies an event and never refuses it."""

from __future__ import annotations

from typing import Annotated, Any

from companion.games.draws.commands import PLACES, Cubed
from companion.games.draws.cubes import MOST_COLOURS, Counts, Cubes, counts_from
from companion.games.draws.state import State, stuck
from companion.kernel.fields import Fields
from companion.kernel.values import dataclass
from companion.model.parser import EventCodec, Flag, Form, Known, OneOf, OneOfState


class CountsOfAPlace(Form):
    """The counts of some colours; 0 is allowed. Example: ``{"red": 2, "blue": 0}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the counts from field *name*."""
        return tuple(counts_from(fields.take(name), fields.where(name)).items())

    def write(self, line: dict[str, Any], name: str, value: Cubes) -> None:
        """Write the counts to field *name*."""
        line[name] = dict(value)


Somebody = Annotated[str, OneOfState(lambda state: ("", *state.seats))]
"""A player's colour, or "" for no particular player."""
BackAtOnce = Annotated[bool, Flag()]


@dataclass(frozen=True)
class PutIn:
    """New cubes were put inside."""

    cubes: Cubed


@dataclass(frozen=True)
class Drawn:
    """Cubes came out for *player* ("": for no particular player). *back* says that they went back inside at once."""

    player: Somebody
    cubes: Cubed
    back: BackAtOnce


@dataclass(frozen=True)
class WentBack:
    """Cubes that *player* held ("" means no particular player) went back inside."""

    player: Somebody
    cubes: Cubed


@dataclass(frozen=True)
class Thrown:
    """Cubes went into the tower."""

    cubes: Cubed


@dataclass(frozen=True)
class CameOut:
    """Cubes came out of the tower."""

    cubes: Cubed


@dataclass(frozen=True)
class Taken:
    """*player* has the ring from now on. *back* says whether drawn cubes go back at once from now on."""

    player: Somebody
    back: BackAtOnce


@dataclass(frozen=True)
class Corrected:
    """The counts of *place* were set to the numbers that the players counted."""

    place: Annotated[str, OneOf(*PLACES)]
    counts: Annotated[Cubes, CountsOfAPlace()]


@dataclass(frozen=True)
class Finished:
    """The table was closed: nothing more is drawn."""


Event = PutIn | Drawn | WentBack | Thrown | CameOut | Taken | Corrected | Finished


def can_follow(state: State, event: Event) -> bool:
    """Return True if *event* is possible: the cubes that it moves exist, and the table has room for new colours."""
    match event:
        case Drawn(_, cubes, _):
            return _has(state.inside, cubes)
        case WentBack(player, cubes):
            return _has(state.holds.get(player, {}), cubes)
        case CameOut(cubes):
            return _has(stuck(state), cubes)
        case PutIn(cubes) | Thrown(cubes) | Corrected(_, cubes):
            return len({*state.colours, *dict(cubes)}) <= MOST_COLOURS
        case _:
            return True


def _has(there: Counts, cubes: Cubes) -> bool:
    return all(there.get(colour, 0) >= count for colour, count in cubes)


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
