"""The rules of Andromeda: `decide` turns a command into events, or refuses it."""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda import commands as asked
from companion.games.andromeda.actions import act
from companion.games.andromeda.attempt import draw
from companion.games.andromeda.commands import Command
from companion.games.andromeda.corrections import correct
from companion.games.andromeda.events import Event
from companion.games.andromeda.rounds import deal, set_up, transport
from companion.games.andromeda.state import State
from companion.games.andromeda.trading import trade
from companion.kernel.errors import Refused
from companion.kernel.said import said, word

VERSION = "1"


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    _check_seats(state, command)
    if state.finished and not isinstance(command, asked.Correct):
        raise Refused(said("The game is over."))
    match command:
        case asked.SetUp():
            return set_up(state, command)
        case asked.Deal():
            return deal(state)
        case asked.Transport():
            return transport(state, command)
        case (
            asked.Lay()
            | asked.Excuse()
            | asked.Swap()
            | asked.Keep()
            | asked.Leave()
            | asked.TakeBack()
            | asked.EndTrading()
        ):
            return trade(state, command)
        case asked.Exchange() | asked.Move() | asked.Establish() | asked.Ship() | asked.Technology() | asked.EndTurn():
            return act(state, command)
        case asked.Draw() | asked.DoubleExit() | asked.StopDrawing():
            return draw(state, command)
        case asked.Correct():
            return correct(state, command)
        case _:
            assert_never(command)


def _check_seats(state: State, command: Command) -> None:
    for colour in (getattr(command, "player", None), getattr(command, "partner", None)):
        if colour is not None and colour not in state.players:
            raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))
