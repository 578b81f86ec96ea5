"""The rules of a draw table, chapter by chapter.

There is only one rule: a cube can only come out of the place in which it is. The players decide everything else.
"""

from __future__ import annotations

from companion.games.draws import corrections, drawing, tower, turns
from companion.games.draws.state import State
from companion.kernel.errors import Refused
from companion.kernel.said import said, word
from companion.model.parser import EventCodec, Parser
from companion.model.tellings import Tellings

VERSION = "1"
Command = drawing.Command | tower.Command | turns.Command | corrections.Correct
Event = drawing.Event | tower.Event | turns.Event | corrections.Corrected
TELLINGS = Tellings(
    turns.turn, {}, {**drawing.SENTENCES, **tower.SENTENCES, **turns.SENTENCES, **corrections.SENTENCES}
)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    if isinstance(event, drawing.Event):
        return drawing.evolve(state, event)
    if isinstance(event, tower.Event):
        return tower.evolve(state, event)
    if isinstance(event, corrections.Corrected):
        return corrections.evolve(state, event)
    return turns.evolve(state, event)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    if state.finished and not isinstance(command, corrections.Correct):
        raise Refused(said("This table is closed. Undo to go on."))
    player = getattr(command, "player", None)
    if player and player not in state.seats:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(player)))
    if isinstance(command, drawing.Command):
        return drawing.decide(state, command)
    if isinstance(command, tower.Command):
        return tower.decide(state, command)
    if isinstance(command, corrections.Correct):
        return corrections.decide(state, command)
    return turns.decide(state, command)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* is possible: the cubes that it moves exist, and the table has room for new colours."""
    if isinstance(event, drawing.Event):
        return drawing.can_follow(state, event)
    if isinstance(event, tower.Event):
        return tower.can_follow(state, event)
    return not isinstance(event, corrections.Corrected) or corrections.can_follow(state, event)


PARSER: Parser[Command] = Parser.of(Command)
CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
