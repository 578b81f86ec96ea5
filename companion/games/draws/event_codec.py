"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from typing import get_args

from companion.games.draws import events as happened
from companion.games.draws.cubes import MOST_COLOURS, Counts, Cubes, counts_from, some
from companion.games.draws.events import Event
from companion.games.draws.parser import PLACES
from companion.games.draws.state import State, stuck
from companion.kernel.validation import Fields
from companion.model.event_codec import EventCodec, Key, Reader, flag, one_of


def _can_follow(state: State, event: Event) -> bool:
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


def _counts(found: Fields, name: str, state: State) -> Cubes:
    return tuple(counts_from(found.take(name), found.where(name)).items())


_READERS: dict[Key, Reader] = {
    "player": lambda found, name, state: found.word(name, ("", *state.seats)),
    "cubes": lambda found, name, state: some(found, name),
    "counts": _counts,
    "back": flag,
    "place": one_of(*PLACES),
}
CODEC = EventCodec(get_args(Event), _can_follow, _READERS, {"cubes": dict, "counts": dict})
pack, unpack = CODEC.pack, CODEC.unpack
