"""The codec of the game's events, and what each of them has to find in the state before it."""

from __future__ import annotations

from companion.games.wreck import changes as changed
from companion.games.wreck import events as happened
from companion.games.wreck.events import Event
from companion.games.wreck.state import ROUNDS, State, closed_cells
from companion.model.event_codec import EventCodec

_OFFERED = (happened.OfferPassed, happened.OfferTaken)


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
    if isinstance(event, _OFFERED):
        return state.offer is not None
    match event:
        case changed.RoomOpened(cell, room):
            return room not in state.researchers and cell in closed_cells(state)
        case happened.MissionOpened():
            return state.opened < ROUNDS
        case happened.ResearchersRemoved(_, rooms, place):
            return place <= len(rooms)
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
