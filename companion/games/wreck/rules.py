"""The rules of the wreck in two functions: `decide` may refuse, `evolve` never does."""

from __future__ import annotations

from typing import assert_never

from companion.games.wreck import actions, room_actions, rounds
from companion.games.wreck import commands as asked
from companion.games.wreck.commands import Command
from companion.games.wreck.effects import correct
from companion.games.wreck.events import Event
from companion.games.wreck.state import Phase, State
from companion.kernel.errors import Refused
from companion.kernel.i18n import said, word

VERSION = "1"


def decide(state: State, command: Command) -> tuple[Event, ...]:  # noqa: C901  # one arm per command, nothing nested
    """Answer *command* with what happens, or raise `Refused` with the rule it breaks."""
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
            return actions.act(state, command)
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
