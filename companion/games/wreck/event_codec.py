"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from typing import get_args

from companion.games.wreck import changes as changed
from companion.games.wreck import events as happened
from companion.games.wreck.cards import MOST_KP, card_from, card_json
from companion.games.wreck.change_lines import MOST, symbol_or_none
from companion.games.wreck.changes import PLACE, SPECIES, SUPPLY
from companion.games.wreck.dice import ACTIONS, SYMBOLS, Dice
from companion.games.wreck.events import Event
from companion.games.wreck.header import cell_from
from companion.games.wreck.parser import MISSIONS
from companion.games.wreck.rooms import ROOMS, Cell
from companion.games.wreck.state import ROUNDS, State, closed_cells
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields
from companion.model.event_codec import EventCodec, Key, Reader, flag, one_of, seat, whole

_OFFERED = (happened.OfferPassed, happened.OfferTaken)


def _can_follow(state: State, event: Event) -> bool:
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


def _open_rooms(found: Fields, name: str, state: State) -> tuple[str, ...]:
    return found.words(name, state.researchers)


def _place(*others: str) -> Reader:
    return lambda found, name, state: found.word(name, (*others, *state.researchers))


def _symbol(found: Fields, name: str, state: State) -> str | None:
    return symbol_or_none(found, name)


def _dice(found: Fields, name: str, state: State) -> Dice:
    dice = found.whole_numbers(name, 0, MOST)
    if len(dice) != len(SYMBOLS):
        raise Malformed(said("%(name)s must give a number for each symbol", name=name))
    return dice


def _steps(found: Fields, name: str, state: State) -> tuple[tuple[str, str], ...]:
    steps = found.list(name)
    for step in steps:
        rooms = Fields({"rooms": step}).words("rooms", state.researchers)
        if len(rooms) != len(("from", "to")):
            raise Malformed(said("%(where)s must be a pair", where=name))
    return tuple((source, target) for source, target in steps)


def _cell(found: Fields, name: str, state: State) -> Cell:
    return cell_from(found.take(name), name)


_BETWEEN = _place(SUPPLY, SPECIES, PLACE)
_READERS: dict[Key, Reader] = {
    **{(changed.ResearchersMoved, name): _BETWEEN for name in ("source", "target")},
    **{(changed.TeleporterMoved, name): _place(SUPPLY) for name in ("source", "target")},
    **{(changed.DieChanged, name): _symbol for name in ("source", "target")},
    (changed.ResearchersMoved, "count"): whole(1, MOST),
    (happened.OfferTaken, "die"): _symbol,
    (happened.MissionFulfilled, "kp"): whole(0, MOST_KP),
    **dict.fromkeys(("player", "colour", "asked", "starter"), seat),
    "card": lambda found, name, state: card_from(found.take(name), name),
    "cell": _cell,
    "count": whole(-MOST, MOST),
    "dice": _dice,
    "die": one_of(*ACTIONS),
    "drawn": lambda found, name, state: found.words(name, state.colours),
    "id": lambda found, name, state: found.word(name, [each.id for each in state.setting.technologies]),
    "mission": one_of(*MISSIONS),
    "name": lambda found, name, state: found.text(name, empty=True),
    "number": whole(1, ROUNDS),
    "place": whole(0, MOST),
    "room": one_of(*ROOMS),
    "rooms": _open_rooms,
    "steps": _steps,
    "used": flag,
    "vaccines": whole(0, MOST),
}
CODEC = EventCodec(get_args(Event), _can_follow, _READERS, {"card": card_json})
pack, unpack = CODEC.pack, CODEC.unpack
