"""The codec of the game's events, and what each of them has to find in the state before it."""

from __future__ import annotations

from companion.games.andromeda import events as happened
from companion.games.andromeda.events import Event
from companion.games.andromeda.state import TOP_LEVEL, State
from companion.model.event_codec import EventCodec

_TRADING = (happened.CardLaid, happened.PlayerExcused, happened.SetsSwapped, happened.SetLeft, happened.SetTaken)
_ATTEMPT = (happened.CentreTaken, happened.FlewHome, happened.AttemptEnded)


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
    if isinstance(event, _TRADING) and state.trading is None:
        return False
    if isinstance(event, _ATTEMPT) and state.attempt is None:
        return False
    match event:
        case happened.SetsSwapped(player, partner):
            return state.trading is not None and {player, partner} <= set(state.trading.sets)
        case happened.LevelGained(player, "ship"):
            return state.players[player].ship < TOP_LEVEL
        case happened.LevelGained(player, _):
            return state.players[player].technology < TOP_LEVEL
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
