"""The rules of Andromeda: `decide` turns a command into events, or refuses it, and `evolve` applies an event.

Both are divided by chapters of the rulebook. Each chapter is a module with its commands and events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.games.andromeda import actions, attempt, corrections, rounds, swaps, trading, transport
from companion.games.andromeda.state import State
from companion.kernel.errors import Refused
from companion.kernel.said import said, word
from companion.model.legal_moves import LegalMoves
from companion.model.parser import EventCodec, Parser

VERSION = "1"
Command = (
    rounds.Command
    | transport.Transport
    | trading.Command
    | swaps.Command
    | actions.Command
    | attempt.Command
    | corrections.Correct
)
Event = (
    rounds.Event | transport.Event | trading.Event | swaps.Event | actions.Event | attempt.Event | corrections.Corrected
)


def decide(state: State, command: Command) -> tuple[Event, ...]:  # noqa: C901  # one arm per chapter, nothing nested
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    for colour in (getattr(command, "player", None), getattr(command, "partner", None)):
        if colour is not None and colour not in state.players:
            raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(colour)))
    if isinstance(command, corrections.Correct):
        return corrections.decide(state, command)
    if state.finished:
        raise Refused(said("The game is over."))
    if isinstance(command, attempt.Command):
        return attempt.decide(state, command)
    if isinstance(command, trading.Command):
        return trading.decide(state, command)
    if isinstance(command, swaps.Command):
        return swaps.decide(state, command)
    if isinstance(command, actions.Command):
        return actions.decide(state, command)
    if isinstance(command, transport.Transport):
        return transport.decide(state, command)
    if isinstance(command, rounds.Command):
        return rounds.decide(state, command)
    assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses. No other code changes the state of a game."""
    if isinstance(event, attempt.Event):
        return attempt.evolve(state, event)
    if isinstance(event, rounds.Event):
        return rounds.evolve(state, event)
    if isinstance(event, transport.Event):
        return transport.evolve(state, event)
    if isinstance(event, trading.Event):
        return trading.evolve(state, event)
    if isinstance(event, swaps.Event):
        return swaps.evolve(state, event)
    if isinstance(event, actions.Event):
        return actions.evolve(state, event)
    if isinstance(event, corrections.Corrected):
        return corrections.evolve(state, event)
    assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: the things that it changes must exist.

    The rules are not checked.
    """
    if isinstance(event, trading.Event):
        return trading.can_follow(state, event)
    if isinstance(event, swaps.Event):
        return swaps.can_follow(state, event)
    if isinstance(event, actions.Event):
        return actions.can_follow(state, event)
    return not isinstance(event, attempt.Event) or attempt.can_follow(state, event)


PARSER: Parser[Command] = Parser.of(Command)
parse, line_of = PARSER.parse, PARSER.line_of
CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
pack, unpack = CODEC.pack, CODEC.unpack


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* in this phase, in a fixed order.

    All legal commands are among them, with a few exceptions.

    The exceptions are set-up cards (all combinations with the right sum), corrections, and double exits, which no
    player chooses.
    """
    for chapter in (rounds, transport, trading, swaps, actions, attempt):
        yield from chapter.candidates(state, seat)


def idlest(state: State, seat: str) -> tuple[Command, ...]:
    """Return the commands with the least effect for an absent *seat*."""
    return tuple(command for chapter in (transport, swaps, trading, actions) for command in chapter.idlest(state, seat))


LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
why_not = LEGAL_MOVES.why_not
