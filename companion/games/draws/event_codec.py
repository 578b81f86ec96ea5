"""The codec of the game's events, and what each of them has to find in the state before it."""

from __future__ import annotations

from companion.games.draws import events as happened
from companion.games.draws.cubes import MOST_COLOURS, Counts, Cubes
from companion.games.draws.events import Event
from companion.games.draws.state import State, stuck
from companion.model.event_codec import EventCodec


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds the cubes that it moves, and room for those that it brings."""
    match event:
        case happened.Drawn(_, cubes, _):
            return _has(state.inside, cubes)
        case happened.WentBack(player, cubes):
            return _has(state.holds.get(player, {}), cubes)
        case happened.CameOut(cubes):
            return _has(stuck(state), cubes)
        case happened.PutIn(cubes) | happened.Thrown(cubes) | happened.Corrected(_, cubes):
            return len({*state.colours, *dict(cubes)}) <= MOST_COLOURS
        case _:
            return True


def _has(there: Counts, cubes: Cubes) -> bool:
    return all(there.get(colour, 0) >= count for colour, count in cubes)


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
