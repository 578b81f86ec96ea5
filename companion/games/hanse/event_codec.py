"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

from companion.games.hanse import events as happened
from companion.games.hanse.cards import CARDS, HAND_LIMIT, INTERVENTIONS, TECHNOLOGIES
from companion.games.hanse.corrections import corrigible
from companion.games.hanse.events import Event
from companion.games.hanse.goods import ALL_GOODS
from companion.games.hanse.parser import (
    CHOICES,
    CORRECTIONS,
    EXCHANGING,
    LAST_CONTAINER,
    PIPS,
    choices_from,
    choices_line,
    correction_from,
    correction_line,
    side_from,
    side_line,
)
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.state import DIRECTIONS, State, other
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, shown
from companion.model.event_codec import EventCodec, Key, Reader, Writer, flag, one_of, seat, whole

MOST = 999
"""More than there is of anything in the box."""

_BEFORE_THE_FIRST_TURN = (
    happened.GoodsLaid,
    happened.StarterChosen,
    happened.ShipsPlaced,
    happened.TurnBegan,
    happened.GameEnded,
)


def _can_follow(state: State, event: Event) -> bool:
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


def _sides(found: Fields, name: str, state: State) -> tuple[Any, ...]:
    return tuple(side_from(each, name) for each in found.list(name))


def _container(found: Fields, name: str, state: State) -> int:
    return found.whole(name, 0, LAST_CONTAINER)


def _discard(found: Fields, name: str, state: State) -> tuple[str | None, ...]:
    cards = found.list(name)
    for card in cards:
        if card is not None and (not isinstance(card, str) or card not in CARDS):
            raise Malformed(said("discard must be cards or null, not %(given)s", given=shown(card)))
    return tuple(cards)


def _choices(found: Fields, name: str, state: State) -> Any:
    fields = found.inner(name)
    kind = next((kind for kind, field in (("inner_loading", "planet"), (EXCHANGING, "mine")) if fields.has(field)), "")
    made = choices_from(kind, fields)
    fields.nothing_else()
    return made


def _corrected(found: Fields, name: str, state: State) -> Any:
    fields = found.inner(name)
    of = next((each for each in CORRECTIONS if fields.has(each)), CORRECTIONS[0])
    made = correction_from(of, fields)
    fields.nothing_else()
    return made


_WRITERS: dict[Key, Writer] = {
    (happened.GoodsLaid, "cards"): lambda cards: [side_line(side) for side in cards],
    (happened.Flipped, "cards"): lambda cards: [side_line(side) for side in cards],
    (happened.Intervened, "choices"): choices_line,
    (happened.Corrected, "what"): correction_line,
}
_READERS: dict[Key, Reader] = {
    (happened.Bought, "card"): one_of(*TECHNOLOGIES),
    (happened.Loaded, "to"): one_of(*PLANETS),
    "choices": _choices,
    (happened.Corrected, "what"): _corrected,
    "player": seat,
    **dict.fromkeys(("price", "energy", "paid"), whole(0, MOST)),
    "by": one_of("megagalax", "goods"),
    "card": one_of(*INTERVENTIONS),
    "cards": _sides,
    **dict.fromkeys(("container", "mine", "theirs"), _container),
    "dice": lambda found, name, state: found.whole_numbers(name, 1, PIPS),
    "direction": one_of(*DIRECTIONS),
    "discard": _discard,
    "drawn": whole(0, HAND_LIMIT),
    "gained": whole(0, MOST),
    "hand": whole(0, HAND_LIMIT),
    "leave": lambda found, name, state: found.whole_numbers(name, 0, ALL_GOODS - 1),
    "orbit": flag,
    "planet": one_of(*PLANETS),
    "to": one_of(*PLACES),
    "what": one_of("action", "flight", "tunnel"),
}
CODEC = EventCodec(get_args(Event), _can_follow, _READERS, _WRITERS)
pack, unpack = CODEC.pack, CODEC.unpack
