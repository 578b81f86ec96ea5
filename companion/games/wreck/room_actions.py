"""Room actions: in each round, a player may use one room that they control. This needs no die."""

from __future__ import annotations

from typing import assert_never

from companion.games.wreck.changes import SPECIES, ResearchersMoved, RoomActionTurned
from companion.games.wreck.commands import (
    Armoury,
    Bridge,
    Communications,
    Hangar,
    Quarters,
    Reactor,
    RoomAction,
)
from companion.games.wreck.control import controls
from companion.games.wreck.events import Event
from companion.games.wreck.rooms import ENGINE, label_of
from companion.games.wreck.rounds import check_actions
from companion.games.wreck.state import State, adjacent, name_of, own
from companion.games.wreck.steps import always, called, check_open, stepped, trained
from companion.kernel.errors import Refused
from companion.kernel.said import said, word

ROOM_OF: dict[type[RoomAction], str] = {
    Armoury: "armoury",
    Hangar: "hangar",
    Quarters: "quarters",
    Communications: "communications",
    Bridge: "bridge",
    Reactor: "reactor",
}
STEPS = 2


def act(state: State, command: RoomAction) -> tuple[Event, ...]:
    """Return the events of a room action. It must be the player's first in this round, in a room that they control."""
    check_actions(state, command.player)
    room, name = ROOM_OF[type(command)], name_of(state, command.player)
    if state.players[command.player].room_action:
        raise Refused(said("%(name)s has used a room this round.", name=name))
    if not controls(state, command.player, room):
        raise Refused(said("%(name)s doesn't control %(room)s.", name=name, room=label_of(room)))
    return (RoomActionTurned(command.player, True), *_done(state, command))


def _done(state: State, command: RoomAction) -> tuple[Event, ...]:
    match command:
        case Armoury(_, colour, source):
            _check_there(state, colour, source)
            return (ResearchersMoved(colour, source, SPECIES, 1),)
        case Hangar(player, to):
            return (_from_hangar(state, player, to),)
        case Quarters(player, steps):
            return (stepped(state, player, steps, STEPS),)
        case Communications(player, None):
            return (trained(state, player, 1, 1),)
        case Communications(player, to):
            more = always(state) and controls(state, player, ENGINE)
            return (called(state, player, to or (), 1 + more),)
        case Bridge():
            return ()
        case Reactor(_, swap):
            return _swapped(state, swap)
        case _:
            assert_never(command)


def _from_hangar(state: State, player: str, to: str) -> ResearchersMoved:
    check_open(state, to)
    if to == "hangar":
        raise Refused(said("The hangar leads to another room."))
    return ResearchersMoved(player, "hangar", to, 1)


def _swapped(state: State, swap: tuple[tuple[str, str], tuple[str, str]]) -> tuple[Event, ...]:
    (one, here), (other, there) = swap
    _check_there(state, one, here)
    _check_there(state, other, there)
    if not adjacent(state, here, there):
        rooms = {"one": label_of(here), "other": label_of(there)}
        raise Refused(said("%(one)s and %(other)s share no side.", **rooms))
    return (ResearchersMoved(one, here, there, 1), ResearchersMoved(other, there, here, 1))


def _check_there(state: State, colour: str, room: str) -> None:
    if colour not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))
    check_open(state, room)
    if not own(state, colour, room):
        raise Refused(said("%(name)s has no researcher in %(room)s.", name=name_of(state, colour), room=label_of(room)))
