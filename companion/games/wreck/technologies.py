"""Technologies: a Technology die uses one of the open cards. Each is used once in a round, by whoever is first."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.wreck import changes
from companion.games.wreck.cards import TELEPORTER, VACCINE
from companion.games.wreck.changes import (
    AllEffects,
    Change,
    TechnologyTurned,
    TeleporterMoved,
    VaccinesMoved,
    applied,
    check_open,
    check_own,
)
from companion.games.wreck.contamination import acting
from companion.games.wreck.dice import showing
from companion.games.wreck.missions import check_actions
from companion.games.wreck.researchers import DieUsed, evolve, paid
from companion.games.wreck.rooms import LABORATORY, ROOMS
from companion.games.wreck.state import SUPPLY, State, name_of, own
from companion.kernel.errors import Refused
from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.legal_moves import LegalMoves
from companion.model.parser import Form, Known, Line, OrNull, Seat, command_from

DIE = "technology"


class TechnologyById(Form):
    """The die that pays for a technology, and its id. Example: ``"die": "technology", "id": "scanner"``"""

    def read(self, fields: Fields, name: str, known: Known) -> str:
        """Check the die and read the id."""
        fields.word("die", (DIE,))
        return fields.text(name)

    def write(self, line: dict[str, Any], name: str, value: str) -> None:
        """Write the die and the id."""
        line.update({"die": DIE, name: value})


class TeleporterTo(TechnologyById):
    """The Teleporter technology with its die, its id, and the room of the new teleporter.

    Example: ``"room": "bridge"``
    """

    def read(self, fields: Fields, name: str, known: Known) -> Any:
        """Check the die and read the room. The room is null if the player has no teleporter left."""
        super().read(fields, "id", known)
        return OrNull(*ROOMS).read(fields, name, known)

    def write(self, line: dict[str, Any], name: str, value: Any) -> None:
        """Write the die, the id and the room."""
        super().write(line, "id", TELEPORTER)
        line[name] = value


@dataclass(frozen=True)
class Teleport(Line, do="technology"):
    """Use the Teleporter technology: place a teleporter in a room (None if the player has none left).

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "teleporter", "room": "bridge"}``
    """

    player: Seat
    room: Annotated[str | None, TeleporterTo()]


@dataclass(frozen=True)
class Technology(Line, do="technology"):
    """Use another technology, with the effects on its card.

    Example: ``{"do": "technology", "player": "red", "die": "technology", "id": "scan", "effects": []}``
    """

    player: Seat
    id: Annotated[str, TechnologyById()]
    effects: AllEffects


Command = Teleport | Technology


def _read(fields: Fields) -> Teleport | Technology:
    return command_from(fields, Teleport) if fields.shows("id", TELEPORTER) else command_from(fields, Technology)


READERS = {DIE: _read}


def decide(state: State, command: Command) -> tuple[DieUsed | Change, ...]:
    """Return the events of *command*, or raise `Refused`."""
    check_actions(state, command.player)
    match command:
        case Teleport():
            return _teleport(state, command)
        case Technology(player, id, effects):
            die, turned = _used(state, player, id)
            return (die, turned, *applied(changes.evolve(evolve(state, die), turned), effects, by_technology=True))
        case _:
            assert_never(command)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order. Technologies have no effects."""
    if acting(state, seat) and showing(state.players[seat].dice, DIE):
        yield from (Teleport(seat, room) for room in (*state.researchers, None))
        others = (each.id for each in state.setting.technologies if each.id != TELEPORTER)
        yield from (Technology(seat, id, ()) for id in others)


LEGAL_MOVES = LegalMoves(decide, candidates)


def at_random(state: State, seat: str, lots: Random) -> Command | None:
    """Return a random command that may be legal, or None if all technologies have been used."""
    ready = [each.id for each in state.setting.technologies if each.id not in state.used]
    if not ready:
        return None
    id = lots.choice(ready)
    if id != TELEPORTER:
        gain = (VaccinesMoved(seat, 2),) if id == VACCINE else changes.at_random(state, lots)
        chosen = Technology(seat, id, gain)
        return chosen if LEGAL_MOVES.legal(state, chosen) else Technology(seat, id, ())
    rooms = (
        [room for room in state.researchers if own(state, seat, room)] if state.players[seat].teleporters else [None]
    )
    return Teleport(seat, lots.choice(rooms)) if rooms else None


def _teleport(state: State, command: Teleport) -> tuple[DieUsed | Change, ...]:
    used = _used(state, command.player, TELEPORTER)
    left, name = state.players[command.player].teleporters, name_of(state, command.player)
    if command.room is None:
        if left:
            raise Refused(said("%(name)s still has a teleporter to place.", name=name))
        return used
    if not left:
        raise Refused(said("%(name)s has no teleporter left.", name=name))
    check_open(state, command.room)
    check_own(state, command.player, command.room)
    if command.room == LABORATORY:
        raise Refused(said("No teleporter goes into the laboratory."))
    return (*used, TeleporterMoved(command.player, SUPPLY, command.room))


def _used(state: State, colour: str, id: str) -> tuple[DieUsed, TechnologyTurned]:
    """Return the events of using a die and a technology.

    Raise `Refused` if the technology was already used in this round.
    """
    if all(each.id != id for each in state.setting.technologies):
        raise Refused(said("That technology isn't on the table."))
    die = paid(state, colour, DIE)
    if id in state.used:
        raise Refused(said("That technology has been used this round."))
    return (die, TechnologyTurned(id, True))
