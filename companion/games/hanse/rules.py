"""The rules of Die Kosmische Hanse in two functions: `decide` may refuse, `evolve` never does."""

from __future__ import annotations

from typing import assert_never

from companion.games.hanse import commands as asked
from companion.games.hanse import flight, interventions, planet_actions, preparation
from companion.games.hanse.commands import Command
from companion.games.hanse.corrections import correct
from companion.games.hanse.events import Event
from companion.games.hanse.state import Phase, State, name_of, waited_for
from companion.games.hanse.turns import end_turn
from companion.kernel.errors import Refused
from companion.kernel.i18n import said, word

VERSION = "1"
PHASES: dict[type, Phase] = {
    **dict.fromkeys((asked.Hyperjump, asked.Roll, asked.Fly, asked.Tunnel), Phase.TURN),
    **dict.fromkeys((asked.Load, asked.Unload, asked.Buy, asked.Intervene, asked.EndTurn), Phase.TURN),
    asked.LayGoods: Phase.GOODS,
    asked.Choose: Phase.CHOICE,
    asked.Start: Phase.PLANET,
    asked.Flip: Phase.FLIP,
    asked.Allow: Phase.ANSWER,
    asked.Neutralise: Phase.ANSWER,
}
"""When each command is asked for; a correction is at any time."""


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Answer *command* with what happens, or raise `Refused` with the rule it breaks."""
    _check_seat_and_moment(state, command)
    match command:
        case asked.Fly() | asked.Roll() | asked.Tunnel() | asked.Hyperjump():
            return flight.travel(state, command)
        case asked.Load() | asked.Unload() | asked.Flip() | asked.Buy():
            return planet_actions.act(state, command)
        case asked.Intervene() | asked.Allow() | asked.Neutralise():
            return interventions.play(state, command)
        case asked.EndTurn():
            return end_turn(state, command)
        case asked.LayGoods() | asked.Choose() | asked.Start():
            return preparation.prepare(state, command)
        case asked.Correct():
            return correct(state, command)
        case _:
            assert_never(command)


def _check_seat_and_moment(state: State, command: Command) -> None:
    player = getattr(command, "player", None)
    if player is not None and player not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(player)))
    if isinstance(command, asked.Correct):
        return
    if state.finished:
        raise Refused(said("The game is over."))
    if state.phase is not PHASES[type(command)]:
        raise Refused(_first(state))
    if player is not None and player not in waited_for(state):
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, waited_for(state)[0])))


def _first(state: State) -> str:
    """Say what the table does first, where it is asked for something else."""
    match state.phase:
        case Phase.GOODS:
            return said("Set out the goods first.")
        case Phase.CHOICE:
            return said("%(name)s chooses first.", name=name_of(state, waited_for(state)[0]))
        case Phase.PLANET:
            return said("%(name)s names a planet first.", name=name_of(state, waited_for(state)[0]))
        case Phase.FLIP:
            return said("%(name)s turns the goods over first.", name=name_of(state, waited_for(state)[0]))
        case Phase.ANSWER:
            return said("%(name)s answers the card first.", name=name_of(state, waited_for(state)[0]))
        case Phase.TURN | Phase.FINISHED:
            return said("It's %(name)s's turn.", name=name_of(state, waited_for(state)[0]))
        case _:
            assert_never(state.phase)
