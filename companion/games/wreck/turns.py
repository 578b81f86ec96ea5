"""A turn: contamination first, then actions, then missions, and on to the next order card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from companion.games.wreck.cards import PERSONAL, Card
from companion.games.wreck.commands import Contaminate, EndTurn, Fulfil, TurnCommand
from companion.games.wreck.events import (
    ContaminationEnded,
    Event,
    MissionFulfilled,
    ResearchersRemoved,
    TurnBegan,
    TurnEnded,
)
from companion.games.wreck.evolve import evolve
from companion.games.wreck.rooms import ZONE, label_of
from companion.games.wreck.rounds import over
from companion.games.wreck.state import Phase, State, aboard, name_of, own
from companion.games.wreck.terms import counted_researchers
from companion.kernel.errors import Refused
from companion.kernel.i18n import said


def check_turn(state: State, colour: str) -> None:
    """Refuse unless it is the turn of *colour*."""
    if state.phase is not Phase.TURNS:
        raise Refused(said("Turns come after the offers."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def check_clean(state: State, colour: str) -> None:
    """Refuse unless it is the turn of *colour*, with no contamination left."""
    check_turn(state, colour)
    if state.players[colour].contamination:
        raise Refused(said("Contamination comes first in %(name)s's turn.", name=name_of(state, colour)))


def check_actions(state: State, colour: str) -> None:
    """Refuse unless *colour* may act now: missions end the actions of a turn."""
    check_clean(state, colour)
    if state.fulfilling:
        raise Refused(said("After a mission, a turn has no more actions."))


def proceed(state: State, command: TurnCommand) -> tuple[Event, ...]:
    """Answer what leads a turn on: contamination, missions, its end."""
    match command:
        case Contaminate():
            return contaminate(state, command)
        case Fulfil():
            return fulfil(state, command)
        case EndTurn():
            return end_turn(state, command)
        case _:
            assert_never(command)


def contaminate(state: State, command: Contaminate) -> tuple[Event, ...]:
    """Remove a researcher for each contamination that no marker cancels, from the contaminated zone first."""
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
    """Return how many researchers of *colour* contamination removes when so many *vaccines* are given up."""
    return min(state.players[colour].contamination - vaccines, aboard(state, colour))


def check_aboard(state: State, colour: str, rooms: Sequence[str]) -> None:
    """Refuse unless *colour* has a researcher for each of *rooms* there."""
    for room, count in Counter(rooms).items():
        if own(state, colour, room) < count:
            name = name_of(state, colour)
            raise Refused(said("%(name)s doesn't have that many in %(room)s.", name=name, room=label_of(room)))


def fulfil(state: State, command: Fulfil) -> tuple[Event, ...]:
    """Count a mission from now on, for the researchers that its card wants."""
    check_clean(state, command.player)
    card = _card(state, command)
    if len(command.sacrifice) != card.sacrifice:
        wanted = counted_researchers(card.sacrifice)
        raise Refused(said("This mission costs %(count)s.", count=wanted))
    check_aboard(state, command.player, command.sacrifice)
    removed = (ResearchersRemoved(command.player, command.sacrifice),) if command.sacrifice else ()
    return (*removed, MissionFulfilled(command.player, command.mission, card.name, card.kp))


def end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Lose the dice that are left; the next order card has its turn, or the round ends."""
    check_clean(state, command.player)
    ended = TurnEnded(command.player)
    order = state.players[command.player].order + 1
    following = next((colour for colour in state.colours if state.players[colour].order == order), None)
    if following is not None:
        return (ended, TurnBegan(following))
    return (ended, *over(evolve(state, ended)))


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


def _card(state: State, command: Fulfil) -> Card:
    """Return what the mission's card says: known, or entered now and only then."""
    known = _known(state, command)
    if known is None:
        if command.card is None:
            raise Refused(said("Enter the mission's card first."))
        return command.card
    if command.card is not None:
        raise Refused(said("This mission's card is known already."))
    return known


def _known(state: State, command: Fulfil) -> Card | None:
    if command.mission == PERSONAL:
        if not state.players[command.player].personal:
            raise Refused(said("%(name)s has no personal mission.", name=name_of(state, command.player)))
        return None
    lying = next((each for each in state.general if each.id == command.mission), None)
    if lying is None:
        raise Refused(said("That general mission isn't open."))
    return lying.card
