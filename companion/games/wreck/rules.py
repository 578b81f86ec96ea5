"""The rules of the wreck: `decide` turns a command into events, or refuses it.

This module also contains the actions that dice pay for. Offers, contamination and missions are in `rounds.py`, room
actions in `room_actions.py`, and corrections in `effects.py`.
"""

from __future__ import annotations

from typing import assert_never

from companion.games.wreck import commands as asked
from companion.games.wreck import room_actions, rounds
from companion.games.wreck.cards import TELEPORTER
from companion.games.wreck.changes import SUPPLY, ResearchersMoved, RoomOpened, TechnologyTurned, TeleporterMoved
from companion.games.wreck.commands import Call, Command, DieAction, Explore, Move, Technology, Teleport, Train
from companion.games.wreck.dice import CALLED, STEPS, TRAINED, showing
from companion.games.wreck.effects import applied, check_closed, correct
from companion.games.wreck.events import DieUsed, Event
from companion.games.wreck.evolve import folded
from companion.games.wreck.rooms import LABORATORY, side_by_side
from companion.games.wreck.rounds import check_actions
from companion.games.wreck.state import Phase, State, cell_of, name_of
from companion.games.wreck.steps import called, check_open, check_own, engine_used, one_more, stepped, trained
from companion.games.wreck.terms import symbol
from companion.kernel.errors import Refused
from companion.kernel.said import said, word

# Actions that a die pays for: training, calls, steps, technologies and exploring.


def act(state: State, command: DieAction) -> tuple[Event, ...]:
    """Return the events of an action that a die of the player in turn pays for."""
    check_actions(state, command.player)
    match command:
        case Train(player, die, count):
            return (_paid(state, player, die), trained(state, player, count, _most(die, TRAINED)))
        case Call():
            return _call(state, command)
        case Move(player, die, steps):
            return (_paid(state, player, die), stepped(state, player, steps, STEPS[die]))
        case Explore():
            return _explore(state, command)
        case Teleport():
            return _teleport(state, command)
        case Technology():
            return _technology(state, command)
        case _:
            assert_never(command)


def _paid(state: State, colour: str, die: str) -> DieUsed:
    if not showing(state.players[colour].dice, die):
        raise Refused(said("%(name)s has no %(symbol)s die.", name=name_of(state, colour), symbol=symbol(die)))
    return DieUsed(colour, die)


def _most(die: str, worth: dict[str, int]) -> int:
    """Return the number for *die* in *worth*. Raise `Refused` if that die doesn't pay for this action."""
    if die not in worth:
        raise Refused(said("%(symbol)s dice don't pay for that.", symbol=symbol(die)))
    return worth[die]


def _call(state: State, command: Call) -> tuple[Event, ...]:
    paid, most = _paid(state, command.player, command.die), _most(command.die, CALLED)
    more = one_more(state, command.player)
    event = called(state, command.player, command.to, most + more)
    return (paid, event, *engine_used(state, command.player, len(command.to) - most))


def _explore(state: State, command: Explore) -> tuple[Event, ...]:
    paid = _paid(state, command.player, command.die)
    check_open(state, command.source)
    check_own(state, command.player, command.source)
    check_closed(state, command.cell, command.room)
    if not side_by_side(cell_of(state, command.source), command.cell):
        raise Refused(said("That tile isn't beside the room you explore from."))
    return (
        paid,
        RoomOpened(command.cell, command.room),
        ResearchersMoved(command.player, command.source, command.room, 1),
    )


def _teleport(state: State, command: Teleport) -> tuple[Event, ...]:
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


def _technology(state: State, command: Technology) -> tuple[Event, ...]:
    used = _used(state, command.player, command.id)
    return (*used, *applied(folded(state, used), command.effects, by_technology=True))


def _used(state: State, colour: str, id: str) -> tuple[Event, ...]:
    """Return the events of using a die and a technology.

    Raise `Refused` if the technology was already used in this round.
    """
    if all(each.id != id for each in state.setting.technologies):
        raise Refused(said("That technology isn't on the table."))
    paid = _paid(state, colour, "technology")
    if id in state.used:
        raise Refused(said("That technology has been used this round."))
    return (paid, TechnologyTurned(id, True))


VERSION = "1"


def decide(state: State, command: Command) -> tuple[Event, ...]:  # noqa: C901  # one arm per command, nothing nested
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    colour = getattr(command, "player", None)
    if colour is not None and colour not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))
    if state.phase is Phase.FINISHED and not isinstance(command, asked.Correct):
        raise Refused(said("The game is over."))
    match command:
        case asked.Open():
            return rounds.open_mission(state, command)
        case asked.Exchange():
            return rounds.exchange(state, command)
        case asked.Roll():
            return rounds.roll(state, command)
        case asked.Offer():
            return rounds.offer(state, command)
        case asked.Accept():
            return rounds.accept(state, command)
        case asked.Decline():
            return rounds.decline(state, command)
        case asked.Contaminate():
            return rounds.contaminate(state, command)
        case asked.Fulfil():
            return rounds.fulfil(state, command)
        case asked.EndTurn():
            return rounds.end_turn(state, command)
        case asked.Train() | asked.Call() | asked.Move() | asked.Explore() | asked.Teleport() | asked.Technology():
            return act(state, command)
        case (
            asked.Armoury()
            | asked.Hangar()
            | asked.Quarters()
            | asked.Communications()
            | asked.Bridge()
            | asked.Reactor()
        ):
            return room_actions.act(state, command)
        case asked.Correct():
            return correct(state, command)
        case _:
            assert_never(command)
