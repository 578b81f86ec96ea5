"""Effects of cards and corrections. They are applied in order, all or none. They never lose or duplicate a piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from companion.games.wreck.changes import (
    PLACE,
    SUPPLY,
    Change,
    DieChanged,
    PointsGiven,
    ResearchersMoved,
    RoomActionTurned,
    RoomOpened,
    TechnologyTurned,
    TeleporterMoved,
    VaccinesMoved,
)
from companion.games.wreck.commands import Correct
from companion.games.wreck.dice import CONTAMINATION, showing
from companion.games.wreck.events import Event
from companion.games.wreck.evolve import evolve
from companion.games.wreck.rooms import LABORATORY, NOT_FOR_TWO, Cell, label_of
from companion.games.wreck.state import PLACES, Phase, State, closed_cells, name_of, standing_at, teleporters_in
from companion.games.wreck.steps import check_open
from companion.games.wreck.terms import symbol
from companion.kernel.errors import Refused
from companion.kernel.said import said, word


def correct(state: State, command: Correct) -> tuple[Event, ...]:
    """Return the events of a correction. It needs a reason, and is possible at any time after the set-up."""
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    if state.phase is Phase.SETUP:
        raise Refused(said("Use undo during set-up."))
    if not command.effects:
        raise Refused(said("Say what changes."))
    return applied(state, command.effects)


def applied(state: State, effects: Sequence[Change], by_technology: bool = False) -> tuple[Event, ...]:
    """Return *effects* as events, in order. Raise `Refused` for the first impossible effect."""
    for effect in effects:
        if by_technology and isinstance(effect, DieChanged) and CONTAMINATION in (effect.source, effect.target):
            raise Refused(said("Technology neither takes nor gives contamination."))
        _check(state, effect)
        state = evolve(state, effect)
    return tuple(effects)


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
