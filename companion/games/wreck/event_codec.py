"""Events as JSON for the ledger, and back: field by field, nothing guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

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
from companion.kernel.validation import Fields, Line

Reader = Callable[[Fields, str, State], Any]

_EVENTS = {kind.__name__: kind for kind in get_args(Event)}
_NAMES: dict[type, tuple[str, ...]] = {kind: tuple(kind.__annotations__) for kind in _EVENTS.values()}
_OFFERED = (happened.OfferPassed, happened.OfferTaken)


def pack(event: Event) -> Line:
    """Return *event* as JSON: its name under `event`, then its fields."""
    line: dict[str, Any] = {"event": type(event).__name__}
    for name in _NAMES[type(event)]:
        line[name] = getattr(event, name)
    if "card" in line:
        line["card"] = card_json(line["card"])
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


def _seat(found: Fields, name: str, state: State) -> str:
    return found.word(name, state.colours)


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


def _flag(found: Fields, name: str, state: State) -> bool:
    return found.flag(name)


def _whole(least: int, most: int) -> Reader:
    return lambda found, name, state: found.whole(name, least, most)


_BETWEEN = _place(SUPPLY, SPECIES, PLACE)
_OF_ONE_KIND: dict[tuple[type, str], Reader] = {
    **{(changed.ResearchersMoved, name): _BETWEEN for name in ("source", "target")},
    **{(changed.TeleporterMoved, name): _place(SUPPLY) for name in ("source", "target")},
    **{(changed.DieChanged, name): _symbol for name in ("source", "target")},
    (changed.ResearchersMoved, "count"): _whole(1, MOST),
    (happened.OfferTaken, "die"): _symbol,
    (happened.MissionFulfilled, "kp"): _whole(0, MOST_KP),
}
_OF_ALL: dict[str, Reader] = {
    **dict.fromkeys(("player", "colour", "asked", "starter"), _seat),
    "card": lambda found, name, state: card_from(found.take(name), name),
    "cell": _cell,
    "count": _whole(-MOST, MOST),
    "dice": _dice,
    "die": lambda found, name, state: found.word(name, ACTIONS),
    "drawn": lambda found, name, state: found.words(name, state.colours),
    "id": lambda found, name, state: found.word(name, [each.id for each in state.setting.technologies]),
    "mission": lambda found, name, state: found.word(name, MISSIONS),
    "name": lambda found, name, state: found.text(name, empty=True),
    "number": _whole(1, ROUNDS),
    "place": _whole(0, MOST),
    "room": lambda found, name, state: found.word(name, ROOMS),
    "rooms": _open_rooms,
    "steps": _steps,
    "used": _flag,
    "vaccines": _whole(0, MOST),
}
