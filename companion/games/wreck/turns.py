"""A turn: contamination comes first, then actions, then missions, and the next player follows.

After the last turn of a round, the clean-up begins or the game ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Annotated, assert_never

from companion.games.wreck.changes import MOST
from companion.games.wreck.dice import CONTAMINATION, NO_DICE, changed
from companion.games.wreck.rooms import ROOMS, ZONE, label_of
from companion.games.wreck.scoring import reached
from companion.games.wreck.state import (
    ROUNDS,
    Phase,
    State,
    aboard,
    clockwise_from,
    name_of,
    own,
    with_everybody,
    with_player,
    with_researchers,
)
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
class EndTurn(Line, do="end_turn"):
    """End the turn. Remaining dice are lost.

    Example: ``{"do": "end_turn", "player": "red"}``
    """

    player: Seat


Command = Contaminate | EndTurn


@dataclass(frozen=True)
class TurnBegan:
    """A turn began."""

    player: Seat


@dataclass(frozen=True)
class ContaminationEnded:
    """Contamination was resolved: its dice were removed, and *vaccines* markers went back to the stock."""

    player: Seat
    vaccines: Count


@dataclass(frozen=True)
class ResearchersRemoved:
    """One researcher left each of *rooms*. *place* of them went to the species' own place, the others to the supply."""

    player: Seat
    rooms: OpenRooms
    place: Count = 0


@dataclass(frozen=True)
class TurnEnded:
    """A turn ended, and its remaining dice were lost."""

    player: Seat


@dataclass(frozen=True)
class CleanUpBegan:
    """A round ended without a winner, and the clean-up began. The players in *drawn* get a new personal mission."""

    starter: Seat
    drawn: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class GameEnded:
    """The game ended: a player has enough KP, or the seventh round is over."""


Event = TurnBegan | ContaminationEnded | ResearchersRemoved | TurnEnded | CleanUpBegan | GameEnded


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events of *command*, or raise `Refused`."""
    match command:
        case Contaminate():
            return _contaminate(state, command)
        case EndTurn():
            return _end_turn(state, command)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case TurnBegan(player):
            return replace(state, phase=Phase.TURNS, turn=player, fulfilling=False)
        case ContaminationEnded():
            return _contamination_ended(state, event)
        case ResearchersRemoved():
            return _removed(state, event)
        case TurnEnded(player):
            return with_player(state, player, dice=NO_DICE)
        case CleanUpBegan():
            return _clean_up_began(state, event)
        case GameEnded():
            ended = with_everybody(state, dice=NO_DICE)
            return replace(ended, phase=Phase.FINISHED, turn="", fulfilling=False)
        case _:
            assert_never(event)


def can_follow(event: Event) -> bool:
    """Return whether *event* is possible: not more researchers go to the species' own place than are removed."""
    return event.place <= len(event.rooms) if isinstance(event, ResearchersRemoved) else True


def _removed(state: State, event: ResearchersRemoved) -> State:
    player, count = state.players[event.player], len(event.rooms) - event.place
    beside = with_player(state, event.player, supply=player.supply + count, place=player.place + event.place)
    return with_researchers(beside, event.player, [(room, -1) for room in event.rooms])


def _contamination_ended(state: State, event: ContaminationEnded) -> State:
    player = state.players[event.player]
    dice = changed(player.dice, CONTAMINATION, -player.contamination)
    fewer = with_player(state, event.player, dice=dice, vaccines=player.vaccines - event.vaccines)
    return replace(fewer, vaccines=state.vaccines + event.vaccines)


def _clean_up_began(state: State, event: CleanUpBegan) -> State:
    ready = with_everybody(state, dice=NO_DICE, room_action=False)
    for colour in event.drawn:
        ready = with_player(ready, colour, personal=True)
    pile = state.personal_pile - len(event.drawn)
    return replace(
        ready,
        phase=Phase.CLEANUP,
        starter=event.starter,
        personal_pile=pile,
        used=frozenset(),
        turn="",
        fulfilling=False,
    )


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands of this chapter that may be legal for *seat*, in a fixed order."""
    if acting(state, seat):
        yield EndTurn(seat)
    elif state.phase is Phase.TURNS and seat == state.turn:
        yield from _contaminations(state, seat)


def acting(state: State, seat: str) -> bool:
    """Return whether it is the turn of *seat* and there is no contamination left."""
    return state.phase is Phase.TURNS and seat == state.turn and not state.players[seat].contamination


def _contaminations(state: State, seat: str) -> Iterator[Command]:
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


def turn_step(state: State) -> str:
    """Return the current part of the turn: "contamination", "actions" or "missions"."""
    if state.players[state.turn].contamination:
        return "contamination"
    return "missions" if state.fulfilling else "actions"


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


def check_actions(state: State, colour: str) -> None:
    """Raise `Refused` unless *colour* may take actions now. After a mission there are no more actions in a turn."""
    check_clean(state, colour)
    if state.fulfilling:
        raise Refused(said("After a mission, a turn has no more actions."))


def _contaminate(state: State, command: Contaminate) -> tuple[Event, ...]:
    """Remove a researcher for each contamination die that no marker cancels.

    Researchers in the contaminated zone come first.
    """
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


def _end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """End the turn, so its remaining dice are lost. The player with the next order card follows, or the round ends."""
    check_clean(state, command.player)
    ended = TurnEnded(command.player)
    order = state.players[command.player].order + 1
    following = next((colour for colour in state.colours if state.players[colour].order == order), None)
    if following is not None:
        return (ended, TurnBegan(following))
    return (ended, *_over(evolve(state, ended)))


def _over(state: State) -> tuple[Event, ...]:
    """Return the events after the last turn of a round: the end of the game, or the clean-up."""
    if state.round == ROUNDS or reached(state):
        return (GameEnded(),)
    starter = clockwise_from(state, state.starter)[1]
    fulfilled = [colour for colour in clockwise_from(state, starter) if state.players[colour].fulfilled]
    return (CleanUpBegan(starter, tuple(fulfilled[: state.personal_pile])),)
