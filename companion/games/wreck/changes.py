"""Single changes of the state. They are events of normal play, and also effects of a card or a correction.

Effects are applied in order, all or none. They never lose or duplicate a piece.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck.dice import ACTIONS, CONTAMINATION, SYMBOLS, showing
from companion.games.wreck.rooms import LABORATORY, NOT_FOR_TWO, ROOMS, Cell, cell_from, label_of
from companion.games.wreck.state import (
    PLACE,
    PLACES,
    SUPPLY,
    Phase,
    State,
    closed_cells,
    name_of,
    own,
    plus,
    standing_at,
    teleporters_in,
    with_die,
    with_player,
    with_researchers,
)
from companion.games.wreck.terms import symbol
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said, word
from companion.kernel.values import dataclass, replace
from companion.model.parser import (
    NOTHING_KNOWN,
    Flag,
    Form,
    Known,
    OneOf,
    OneOfState,
    OrNull,
    Seat,
    Text,
    Whole,
    fields_of,
)

MOST = 99


class CellForm(Form):
    """The cell of a tile. Example: ``[1, -2]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cell:
        """Read the cell from field *name*."""
        return cell_from(fields.take(name), fields.where(name))

    def write(self, line: dict[str, Any], name: str, value: Cell) -> None:
        """Write the cell to field *name*."""
        line[name] = list(value)


Room = Annotated[str, OneOf(*ROOMS)]
AnyPlace = Annotated[str, OneOfState(lambda state: (*PLACES, *state.researchers))]
PlaceOfATeleporter = Annotated[str, OneOfState(lambda state: (SUPPLY, *state.researchers))]
Symbol = Annotated[str | None, OrNull(*SYMBOLS)]
Signed = Annotated[int, Whole(-MOST, MOST)]
TechnologyId = Annotated[str, OneOfState(lambda state: tuple(each.id for each in state.setting.technologies))]
IsUsed = Annotated[bool, Flag()]


@dataclass(frozen=True)
class ResearchersMoved:
    """Researchers went from one place to another: supply, species card, the species' own place, or an open room."""

    colour: Seat
    source: AnyPlace
    target: AnyPlace
    count: Annotated[int, Whole(1, MOST)]


@dataclass(frozen=True)
class TeleporterMoved:
    """A teleporter went from one place to another. A place is the supply or a room."""

    colour: Seat
    source: PlaceOfATeleporter
    target: PlaceOfATeleporter


@dataclass(frozen=True)
class DieChanged:
    """A player's die was turned from one symbol to another.

    If *source* is None, the die was added. If *target* is None, it was removed.
    """

    colour: Seat
    source: Symbol
    target: Symbol


@dataclass(frozen=True)
class VaccinesMoved:
    """A player took vaccine markers from the stock, or gave some back if *count* is negative."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class PointsGiven:
    """A card gave a player permanent KP, or took some away if *count* is negative."""

    colour: Seat
    count: Signed


@dataclass(frozen=True)
class RoomOpened:
    """A tile was turned over and shows *room*."""

    cell: Annotated[Cell, CellForm()]
    room: Room


@dataclass(frozen=True)
class TechnologyTurned:
    """A technology was used for this round, or made ready again."""

    id: TechnologyId
    used: IsUsed


@dataclass(frozen=True)
class RoomActionTurned:
    """A player's room action of this round was used, or made available again."""

    colour: Seat
    used: IsUsed


Change = (
    ResearchersMoved
    | TeleporterMoved
    | DieChanged
    | VaccinesMoved
    | PointsGiven
    | RoomOpened
    | TechnologyTurned
    | RoomActionTurned
)


def evolve(state: State, change: Change) -> State:
    """Return the state after *change*. It never refuses."""
    match change:
        case ResearchersMoved(colour, source, target, count):
            return _at_place(_at_place(state, colour, source, -count), colour, target, count)
        case TeleporterMoved():
            return _teleporter_moved(state, change)
        case DieChanged():
            return _die_changed(state, change)
        case VaccinesMoved(colour, count):
            more = with_player(state, colour, vaccines=state.players[colour].vaccines + count)
            return replace(more, vaccines=state.vaccines - count)
        case PointsGiven(colour, count):
            return with_player(state, colour, kp=state.players[colour].kp + count)
        case RoomOpened():
            return _room_opened(state, change)
        case TechnologyTurned(id, used):
            return replace(state, used=state.used | {id} if used else state.used - {id})
        case RoomActionTurned(colour, used):
            return with_player(state, colour, room_action=used)
        case _:
            assert_never(change)


def _at_place(state: State, colour: str, place: str, by: int) -> State:
    if place in PLACES:
        return with_player(state, colour, **{place: getattr(state.players[colour], place) + by})
    return with_researchers(state, colour, ((place, by),))


def _teleporter_moved(state: State, event: TeleporterMoved) -> State:
    at, teleporters = state.setting.at[event.colour], dict(state.teleporters)
    supply = state.players[event.colour].teleporters
    for place, by in ((event.source, -1), (event.target, 1)):
        if place == SUPPLY:
            supply += by
        else:
            teleporters[place] = plus(teleporters[place], at, by)
    return replace(with_player(state, event.colour, teleporters=supply), teleporters=teleporters)


def _die_changed(state: State, event: DieChanged) -> State:
    if event.source is not None:
        state = with_die(state, event.colour, event.source, -1)
    return state if event.target is None else with_die(state, event.colour, event.target, 1)


def _room_opened(state: State, event: RoomOpened) -> State:
    at = state.setting.layout.index(event.cell)
    nobody = (0,) * len(state.colours)
    return replace(
        state,
        tiles=(*state.tiles[:at], event.room, *state.tiles[at + 1 :]),
        researchers={**state.researchers, event.room: nobody},
        teleporters={**state.teleporters, event.room: nobody},
    )


def can_follow(state: State, change: Change) -> bool:
    """Return whether *change* can be applied to *state*. A room is opened once, at a tile that is face down."""
    if isinstance(change, RoomOpened):
        return change.room not in state.researchers and change.cell in closed_cells(state)
    return True


def applied(state: State, effects: Sequence[Change], by_technology: bool = False) -> tuple[Change, ...]:
    """Return *effects* as events, in order. Raise `Refused` for the first impossible effect."""
    for effect in effects:
        if by_technology and isinstance(effect, DieChanged) and CONTAMINATION in (effect.source, effect.target):
            raise Refused(said("Technology neither takes nor gives contamination."))
        _check(state, effect)
        state = evolve(state, effect)
    return tuple(effects)


def check_open(state: State, room: str) -> None:
    """Raise `Refused` if *room* is not open yet."""
    if room not in state.researchers:
        raise Refused(said("%(room)s isn't open yet.", room=label_of(room)))


def check_there(state: State, colour: str, room: str) -> None:
    """Raise `Refused` unless *colour* plays and has a researcher in *room*."""
    _check_colour(state, colour)
    check_open(state, room)
    check_own(state, colour, room)


def check_own(state: State, colour: str, room: str) -> None:
    """Raise `Refused` unless *colour* has a researcher in *room*."""
    if not own(state, colour, room):
        raise Refused(said("%(name)s has no researcher in %(room)s.", name=name_of(state, colour), room=label_of(room)))


def check_closed(state: State, cell: Cell, room: str) -> None:
    """Raise `Refused` unless the tile at *cell* is face down and can show *room*."""
    if cell not in closed_cells(state):
        raise Refused(said("No closed tile there."))
    if room in state.researchers:
        raise Refused(said("%(room)s is open already.", room=label_of(room)))
    if len(state.colours) == len(NOT_FOR_TWO) and room in NOT_FOR_TWO:
        raise Refused(said("%(room)s isn't used by 2 players.", room=label_of(room)))


def _check(state: State, effect: Change) -> None:  # noqa: C901  # one arm per change
    match effect:
        case ResearchersMoved():
            _check_researchers(state, effect)
        case TeleporterMoved():
            _check_teleporter(state, effect)
        case DieChanged():
            _check_die(state, effect)
        case VaccinesMoved(colour, count):
            _check_colour(state, colour)
            if state.vaccines < count or state.players[colour].vaccines < -count:
                raise Refused(said("There aren't that many vaccine markers."))
        case PointsGiven(colour, count):
            _check_colour(state, colour)
            if state.players[colour].kp + count < 0:
                raise Refused(said("%(name)s doesn't have that many KP of cards.", name=name_of(state, colour)))
        case RoomOpened(cell, room):
            check_closed(state, cell, room)
        case TechnologyTurned(id, _):
            if all(each.id != id for each in state.setting.technologies):
                raise Refused(said("That technology isn't on the table."))
        case RoomActionTurned(colour, _):
            _check_colour(state, colour)
        case _:
            assert_never(effect)


def _check_colour(state: State, colour: str) -> None:
    if colour not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))


def _check_researchers(state: State, effect: ResearchersMoved) -> None:
    _check_colour(state, effect.colour)
    _check_apart(effect.source, effect.target)
    for place in (effect.source, effect.target):
        if place == PLACE and state.setting.species_of(effect.colour).place is None:
            name = name_of(state, effect.colour)
            raise Refused(said("%(name)s's species has no place of its own.", name=name))
        if place not in PLACES:
            check_open(state, place)
    if standing_at(state, effect.colour, effect.source) < effect.count:
        name = name_of(state, effect.colour)
        raise Refused(said("%(name)s doesn't have that many researchers there.", name=name))


def _check_teleporter(state: State, effect: TeleporterMoved) -> None:
    _check_colour(state, effect.colour)
    _check_apart(effect.source, effect.target)
    if effect.target == LABORATORY:
        raise Refused(said("No teleporter goes into the laboratory."))
    if effect.target != SUPPLY:
        check_open(state, effect.target)
    supply = state.players[effect.colour].teleporters
    if not (supply if effect.source == SUPPLY else teleporters_in(state, effect.colour, effect.source)):
        raise Refused(said("%(name)s has no teleporter there.", name=name_of(state, effect.colour)))


def _check_die(state: State, effect: DieChanged) -> None:
    _check_colour(state, effect.colour)
    if state.phase is not Phase.TURNS:
        raise Refused(said("Dice change only during the turns."))
    _check_apart(effect.source, effect.target)
    player = state.players[effect.colour]
    if effect.source is not None and not showing(player.dice, effect.source):
        name = name_of(state, effect.colour)
        raise Refused(said("%(name)s has no %(symbol)s die.", name=name, symbol=symbol(effect.source)))
    if effect.source is None and sum(sum(each.dice) for each in state.players.values()) >= state.setting.dice:
        raise Refused(said("All %(count)s dice are in use.", count=state.setting.dice))


def _check_apart(source: str | None, target: str | None) -> None:
    if source == target:
        raise Refused(said("That changes nothing: it's the same place."))


def at_random(state: State, lots: Random) -> tuple[Change, ...]:
    """Return one or two random changes, which may be impossible."""
    colour = lots.choice(state.colours)
    wishes: tuple[Change, ...] = (
        PointsGiven(colour, lots.choice((1, 1, 2, -1))),
        ResearchersMoved(colour, SUPPLY, lots.choice(tuple(state.researchers)), 1),
        ResearchersMoved(colour, lots.choice(tuple(state.researchers)), lots.choice(("species", "place")), 1),
        DieChanged(colour, lots.choice(ACTIONS), lots.choice((*ACTIONS, None))),
        DieChanged(colour, None, lots.choice(ACTIONS)),
        TechnologyTurned(lots.choice(state.setting.technologies).id, bool(lots.randrange(2))),
    )
    return tuple(lots.sample(wishes, lots.randint(1, 2)))


# A list of changes in a line of a record.


class NotZero(Form):
    """A whole number other than 0. Example: ``-1``"""

    def read(self, fields: Fields, name: str, known: Known) -> int:
        """Read the number from field *name*."""
        count = fields.whole(name, -MOST, MOST)
        if not count:
            raise Malformed(said("%(where)s must be a number other than 0", where=fields.where(name)))
        return count


def _ends(place: Form) -> dict[str, Form]:
    return {"colour": Text(), "from": place, "to": place}


_LINES: dict[str, tuple[Callable[..., Change], dict[str, Form]]] = {
    "researchers": (ResearchersMoved, {**_ends(OneOf(*PLACES, *ROOMS)), "count": Whole(1)}),
    "teleporter": (TeleporterMoved, _ends(OneOf(SUPPLY, *ROOMS))),
    "die": (DieChanged, _ends(OrNull(*SYMBOLS))),
    "vaccines": (VaccinesMoved, {"colour": Text(), "count": NotZero()}),
    "kp": (PointsGiven, {"colour": Text(), "count": NotZero()}),
    "explore": (RoomOpened, {"cell": CellForm(), "room": OneOf(*ROOMS)}),
    "used": (TechnologyTurned, {"id": Text(), "used": Flag()}),
    "room_action": (RoomActionTurned, {"colour": Text(), "used": Flag()}),
}
"""The line of each kind of change by its word in `what`: the name and form of each field, in the order of the class."""
_WHAT = {kind: what for what, (kind, _) in _LINES.items()}


class Effects(Form):
    """A list of changes. Example: ``[{"what": "kp", "colour": "red", "count": 1}]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[Change, ...]:
        """Read the changes from field *name*."""
        return tuple(_change(value, f"{fields.where(name)}[{at}]") for at, value in enumerate(fields.list(name)))

    def write(self, line: dict[str, Any], name: str, value: tuple[Change, ...]) -> None:
        """Write the changes to field *name*."""
        line[name] = [_line(change) for change in value]


AllEffects = Annotated[tuple[Change, ...], Effects()]


def _change(value: object, where: str) -> Change:
    fields = Fields(value, where)
    kind, forms = _LINES[fields.word("what", _LINES)]
    change = kind(*(form.read(fields, name, NOTHING_KNOWN) for name, form in forms.items()))
    fields.nothing_else()
    return change


def _line(change: Change) -> Line:
    what = _WHAT[type(change)]
    line: dict[str, Any] = {"what": what}
    for (name, form), field in zip(_LINES[what][1].items(), fields_of(type(change)), strict=True):
        form.write(line, name, getattr(change, field.name))
    return line
