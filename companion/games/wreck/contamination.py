"""Contamination, the first part of a turn: a researcher is removed for each die that no vaccine marker cancels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Annotated, assert_never

from companion.games.wreck.changes import MOST
from companion.games.wreck.dice import CONTAMINATION, changed
from companion.games.wreck.rooms import ROOMS, ZONE, label_of
from companion.games.wreck.state import Phase, State, aboard, name_of, own, with_player, with_researchers
from companion.games.wreck.terms import counted_researchers
from companion.kernel.errors import Refused
from companion.kernel.said import said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line, Seat, Whole, Words, WordsOfState

Rooms = Annotated[tuple[str, ...], Words(*ROOMS)]
OpenRooms = Annotated[tuple[str, ...], WordsOfState(lambda state: state.researchers)]
Count = Annotated[int, Whole(0, MOST)]


@dataclass(frozen=True)
class Contaminate(Line, do="contaminate"):
    """Resolve all contamination of a turn at once.

    *vaccines* is the number of vaccine markers given up. *remove* lists the room of each removed researcher. *place* of
    these researchers go to the species' own place, the others to the supply.

    Example: ``{"do": "contaminate", "player": "red", "vaccines": 1, "remove": ["bridge"], "place": 1}``
    """

    player: Seat
    vaccines: Annotated[int, Whole(0)]
    remove: Rooms
    place: Annotated[int, Whole(0)] = 0


@dataclass(frozen=True)
class ResearchersRemoved:
    """One researcher left each of *rooms*. *place* of them went to the species' own place, the others to the supply."""

    player: Seat
    rooms: OpenRooms
    place: Count = 0


@dataclass(frozen=True)
class ContaminationEnded:
    """Contamination was resolved: its dice were removed, and *vaccines* markers went back to the stock."""

    player: Seat
    vaccines: Count


Command = Contaminate
Event = ResearchersRemoved | ContaminationEnded


def decide(state: State, command: Contaminate) -> tuple[Event, ...]:
    """Return the events of *command*, or raise `Refused`. Researchers in the contaminated zone are removed first."""
    check_turn(state, command.player)
    player, name = state.players[command.player], name_of(state, command.player)
    if not player.contamination:
        raise Refused(said("%(name)s has no contamination.", name=name))
    if command.vaccines > min(player.contamination, player.vaccines):
        most = min(player.contamination, player.vaccines)
        raise Refused(said("%(name)s can use %(most)s vaccine markers at most.", name=name, most=most))
    due = due_to_leave(state, command.player, command.vaccines)
    if len(command.remove) != due:
        raise Refused(said("%(name)s removes %(count)s.", name=name, count=counted_researchers(due)))
    check_aboard(state, command.player, command.remove)
    _check_zone(state, command)
    _check_place(state, command)
    removed = (ResearchersRemoved(command.player, command.remove, command.place),) if command.remove else ()
    return (*removed, ContaminationEnded(command.player, command.vaccines))


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case ResearchersRemoved():
            return _removed(state, event)
        case ContaminationEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


def can_follow(event: Event) -> bool:
    """Return whether *event* is possible: not more researchers go to the species' own place than are removed."""
    return event.place <= len(event.rooms) if isinstance(event, ResearchersRemoved) else True


def _removed(state: State, event: ResearchersRemoved) -> State:
    player, count = state.players[event.player], len(event.rooms) - event.place
    beside = with_player(state, event.player, supply=player.supply + count, place=player.place + event.place)
    return with_researchers(beside, event.player, [(room, -1) for room in event.rooms])


def _ended(state: State, event: ContaminationEnded) -> State:
    player = state.players[event.player]
    dice = changed(player.dice, CONTAMINATION, -player.contamination)
    fewer = with_player(state, event.player, dice=dice, vaccines=player.vaccines - event.vaccines)
    return replace(fewer, vaccines=state.vaccines + event.vaccines)


def candidates(state: State, seat: str) -> Iterator[Contaminate]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order."""
    if state.phase is not Phase.TURNS or seat != state.turn or not state.players[seat].contamination:
        return
    player = state.players[seat]
    for vaccines in range(min(player.contamination, player.vaccines), -1, -1):
        due = due_to_leave(state, seat, vaccines)
        inside = min(own(state, seat, ZONE), due)
        places = range(due + 1) if state.setting.species_of(seat).place else (0,)
        for rooms in rooms_of(state, seat, due - inside):
            ordered = ((ZONE,) * inside) + tuple(room for room in rooms if room != ZONE)
            yield from (Contaminate(seat, vaccines, ordered, place) for place in places)


def rooms_of(state: State, seat: str, count: int) -> Iterator[tuple[str, ...]]:
    """Yield all ways to take *count* researchers of *seat* from rooms."""
    with_own = [room for room in state.researchers if own(state, seat, room)]
    for rooms in combinations_with_replacement(with_own, count):
        if all(rooms.count(room) <= own(state, seat, room) for room in set(rooms)):
            yield rooms


def at_random(state: State, seat: str, lots: Random) -> Contaminate:
    """Return a random legal command."""
    player = state.players[seat]
    vaccines = lots.randint(0, min(player.contamination, player.vaccines))
    due = due_to_leave(state, seat, vaccines)
    inside = min(own(state, seat, ZONE), due)
    rooms = (*((ZONE,) * inside), *random_rooms(state, seat, due - inside, lots, leaving=ZONE))
    place = lots.randint(0, due) if state.setting.species_of(seat).place else 0
    return Contaminate(seat, vaccines, rooms, place)


def random_rooms(state: State, seat: str, count: int, lots: Random, leaving: str = "") -> Sequence[str]:
    """Return the rooms of *count* random researchers of *seat*. Researchers in the room *leaving* are excluded."""
    rooms = [room for room in state.researchers if room != leaving for _ in range(own(state, seat, room))]
    return lots.sample(rooms, count)


def idlest(state: State, seat: str) -> Contaminate | None:
    """Return the command with the least loss for *seat*, or None if no contamination is to be resolved.

    It uses all vaccine markers, and removes researchers first from the contaminated zone and then from the fullest
    rooms.
    """
    player = state.players[seat]
    if state.phase is not Phase.TURNS or not player.contamination:
        return None
    vaccines = min(player.contamination, player.vaccines)
    left = {room: own(state, seat, room) for room in state.researchers}
    removed = []
    for _ in range(due_to_leave(state, seat, vaccines)):
        room = ZONE if left.get(ZONE) else max(left, key=lambda each: left[each])
        left[room] -= 1
        removed.append(room)
    return Contaminate(seat, vaccines, tuple(removed))


def loses_nobody(state: State) -> bool:
    """Return whether the player in turn has contamination, but neither a researcher to remove nor a vaccine marker."""
    player = state.players[state.turn]
    return bool(player.contamination) and not player.vaccines and not due_to_leave(state, state.turn, 0)


def acting(state: State, seat: str) -> bool:
    """Return whether it is the turn of *seat* and there is no contamination left."""
    return state.phase is Phase.TURNS and seat == state.turn and not state.players[seat].contamination


def check_turn(state: State, colour: str) -> None:
    """Raise `Refused` unless it is the turn of *colour*."""
    if state.phase is not Phase.TURNS:
        raise Refused(said("Turns come after the offers."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def check_clean(state: State, colour: str) -> None:
    """Raise `Refused` unless it is the turn of *colour* and there is no contamination left."""
    check_turn(state, colour)
    if state.players[colour].contamination:
        raise Refused(said("Contamination comes first in %(name)s's turn.", name=name_of(state, colour)))


def due_to_leave(state: State, colour: str, vaccines: int) -> int:
    """Return how many researchers of *colour* must be removed if *vaccines* markers are used."""
    return min(state.players[colour].contamination - vaccines, aboard(state, colour))


def check_aboard(state: State, colour: str, rooms: Sequence[str]) -> None:
    """Raise `Refused` unless *colour* has enough researchers in each of *rooms*."""
    for room, count in Counter(rooms).items():
        if own(state, colour, room) < count:
            name = name_of(state, colour)
            raise Refused(said("%(name)s doesn't have that many in %(room)s.", name=name, room=label_of(room)))


def _check_zone(state: State, command: Contaminate) -> None:
    inside = own(state, command.player, ZONE)
    first = min(inside, len(command.remove))
    if any(room != ZONE for room in command.remove[:first]):
        raise Refused(said("Researchers in the contaminated zone go first."))


def _check_place(state: State, command: Contaminate) -> None:
    if not command.place:
        return
    if state.setting.species_of(command.player).place is None:
        raise Refused(said("%(name)s's species has no place of its own.", name=name_of(state, command.player)))
    if command.place > len(command.remove):
        raise Refused(said("Only researchers that are removed go to the species' own place."))
