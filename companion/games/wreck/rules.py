"""The rules of the wreck: `decide` turns a command into events, or refuses it, and `evolve` applies an event.

Each chapter of the rules is a module with its commands, its events, and both functions for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.games.wreck import (
    changes,
    contamination,
    corrections,
    missions,
    offers,
    researchers,
    room_actions,
    rounds,
    technologies,
)
from companion.games.wreck.state import Phase, State
from companion.kernel.errors import Refused
from companion.kernel.said import said, word
from companion.model.legal_moves import LegalMoves
from companion.model.parser import EventCodec, Parser

VERSION = "1"
Command = (
    missions.Command
    | offers.Command
    | contamination.Command
    | rounds.Command
    | researchers.Command
    | technologies.Command
    | room_actions.Command
    | corrections.Command
)
Event = missions.Event | offers.Event | contamination.Event | rounds.Event | researchers.Event | changes.Change


def decide(state: State, command: Command) -> tuple[Event, ...]:  # noqa: C901  # one arm per chapter, nothing nested
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    colour = getattr(command, "player", None)
    if colour is not None and colour not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))
    if isinstance(command, corrections.Command):
        return corrections.decide(state, command)
    if state.phase is Phase.FINISHED:
        raise Refused(said("The game is over."))
    if isinstance(command, missions.Command):
        return missions.decide(state, command)
    if isinstance(command, offers.Command):
        return offers.decide(state, command)
    if isinstance(command, contamination.Command):
        return contamination.decide(state, command)
    if isinstance(command, rounds.Command):
        return rounds.decide(state, command)
    if isinstance(command, researchers.Command):
        return researchers.decide(state, command)
    if isinstance(command, technologies.Command):
        return technologies.decide(state, command)
    if isinstance(command, room_actions.Command):
        return room_actions.decide(state, command)
    assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    if isinstance(event, changes.Change):
        return changes.evolve(state, event)
    if isinstance(event, researchers.Event):
        return researchers.evolve(state, event)
    if isinstance(event, contamination.Event):
        return contamination.evolve(state, event)
    if isinstance(event, rounds.Event):
        return rounds.evolve(state, event)
    if isinstance(event, offers.Event):
        return offers.evolve(state, event)
    if isinstance(event, missions.Event):
        return missions.evolve(state, event)
    assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: the things it changes must exist. Rules are not checked."""
    if isinstance(event, changes.Change):
        return changes.can_follow(state, event)
    if isinstance(event, contamination.Event):
        return contamination.can_follow(event)
    if isinstance(event, offers.Event):
        return offers.can_follow(state, event)
    if isinstance(event, missions.Event):
        return missions.can_follow(state, event)
    return True


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* in this phase, in a fixed order.

    All legal commands are among them, with a few exceptions: rolls and cards that players type in, corrections, effects
    of technologies, and steps after the first.
    """
    yield from offers.candidates(state, seat)
    yield from contamination.candidates(state, seat)
    yield from actions(state, seat)
    yield from room_actions.candidates(state, seat)
    yield from missions.candidates(state, seat)
    yield from rounds.candidates(state, seat)


def actions(state: State, seat: str) -> Iterator[researchers.Command | technologies.Command]:
    """Yield commands that the dice of *seat* might pay for."""
    yield from researchers.candidates(state, seat)
    yield from technologies.candidates(state, seat)


def idlest(state: State, seat: str) -> Command | None:
    """Return the command with the least effect for an absent *seat*, or None.

    The other players decide about missions, rolls and offers.
    """
    return offers.idlest(state, seat) or contamination.idlest(state, seat) or rounds.idlest(state, seat)


PARSER: Parser[Command] = Parser.of(Command, technologies.READERS)
CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
