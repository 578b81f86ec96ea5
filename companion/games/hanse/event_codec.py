"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable
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
from companion.kernel.validation import Fields, Line, shown

MOST = 999
"""More than there is of anything in the box."""

_EVENTS = {kind.__name__: kind for kind in get_args(Event)}
_NAMES: dict[type, tuple[str, ...]] = {kind: tuple(kind.__annotations__) for kind in _EVENTS.values()}
_BEFORE_THE_FIRST_TURN = (
    happened.GoodsLaid,
    happened.StarterChosen,
    happened.ShipsPlaced,
    happened.TurnBegan,
    happened.GameEnded,
)

Reader = Callable[[Fields, str, State], Any]


def pack(event: Event) -> Line:
    """Return *event* as JSON: its name under `event`, then its fields."""
    line: dict[str, Any] = {"event": type(event).__name__}
    for name in _NAMES[type(event)]:
        value = getattr(event, name)
        write = _WRITERS.get((type(event), name))
        line[name] = write(value) if write else value
    return line


def unpack(line: Line, state: State) -> Event:
    """Return the event that `pack` gave, if it can follow on *state*, or raise `Malformed` for anything else."""
    found = Fields(line, "event")
    name = found.word("event", _EVENTS)
    kind = _EVENTS[name]
    values = {each: _reader(kind, each)(found, each, state) for each in _NAMES[kind]}
    found.nothing_else()
    event: Event = kind(**values)
    if not _can_follow(state, event):
        raise Malformed(said("event: %(name)s can't happen there", name=name))
    return event


def _reader(kind: type, name: str) -> Reader:
    return _OF_ONE_KIND.get((kind, name)) or _OF_ALL[name]


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


def _seat(found: Fields, name: str, state: State) -> str:
    return found.word(name, state.colours)


def _count(found: Fields, name: str, state: State) -> int:
    return found.whole(name, 0, MOST)


def _one_of(*words: str) -> Reader:
    return lambda found, name, state: found.word(name, words)


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


_WRITERS: dict[tuple[type, str], Callable[[Any], Any]] = {
    (happened.GoodsLaid, "cards"): lambda cards: [side_line(side) for side in cards],
    (happened.Flipped, "cards"): lambda cards: [side_line(side) for side in cards],
    (happened.Intervened, "choices"): choices_line,
    (happened.Corrected, "what"): correction_line,
}
_OF_ONE_KIND: dict[tuple[type, str], Reader] = {
    (happened.Bought, "card"): _one_of(*TECHNOLOGIES),
    (happened.Loaded, "to"): _one_of(*PLANETS),
    (happened.Intervened, "choices"): _choices,
}
_OF_ALL: dict[str, Reader] = {
    "player": _seat,
    **dict.fromkeys(("price", "energy", "paid"), _count),
    "by": _one_of("megagalax", "goods"),
    "card": _one_of(*INTERVENTIONS),
    "cards": _sides,
    **dict.fromkeys(("container", "mine", "theirs"), _container),
    "dice": lambda found, name, state: found.whole_numbers(name, 1, PIPS),
    "direction": _one_of(*DIRECTIONS),
    "discard": _discard,
    "drawn": lambda found, name, state: found.whole(name, 0, HAND_LIMIT),
    "gained": _count,
    "hand": lambda found, name, state: found.whole(name, 0, HAND_LIMIT),
    "leave": lambda found, name, state: found.whole_numbers(name, 0, ALL_GOODS - 1),
    "orbit": lambda found, name, state: found.flag(name),
    "planet": _one_of(*PLANETS),
    "to": _one_of(*PLACES),
    "what": _one_of("action", "flight", "tunnel"),
}
_OF_ONE_KIND[happened.Corrected, "what"] = _corrected
