"""The codec of the game's events, and what each of them has to find in the state before it."""

from __future__ import annotations

from types import NoneType

from companion.games.hanse import events as happened
from companion.games.hanse.cards import WITHIN
from companion.games.hanse.commands import EXCHANGING, Exchange, Loading
from companion.games.hanse.corrections import corrigible
from companion.games.hanse.events import Event
from companion.games.hanse.state import State, other
from companion.model.event_codec import EventCodec

CHOICES: dict[str, type[Loading | Exchange]] = {**dict.fromkeys(WITHIN, Loading), EXCHANGING: Exchange}
"""What the cards ask to be named that ask for anything."""

_BEFORE_THE_FIRST_TURN = (
    happened.GoodsLaid,
    happened.StarterChosen,
    happened.ShipsPlaced,
    happened.TurnBegan,
    happened.GameEnded,
)


def can_follow(state: State, event: Event) -> bool:
    """Tell whether *event* finds what it changes: no more, since it is the rules that say what may happen."""
    if state.turn is None and not isinstance(event, _BEFORE_THE_FIRST_TURN):
        return False
    match event:
        case happened.TurnBegan():
            return all(player.place for player in state.players.values())
        case happened.Loaded(player, _, _, container):
            return container < len(state.players[player].containers)
        case happened.Unloaded(player, _, container, _):
            return any(state.players[player].containers[container : container + 1])
        case happened.Intervened(_, card, choices):
            return isinstance(choices, CHOICES.get(card, NoneType))
        case happened.Flipped():
            return state.flipping is not None and len(event.cards) == len(state.flipping.cards)
        case happened.ContentsExchanged(player, mine, theirs):
            against = state.players[other(state, player)]
            return mine < len(state.players[player].containers) and theirs < len(against.containers)
        case happened.Corrected(player, what):
            return corrigible(state.players[player], what)
        case _:
            return True


CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack
