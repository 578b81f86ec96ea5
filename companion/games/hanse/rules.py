"""The rules of Die Kosmische Hanse: `decide` turns a command into events, or refuses it; `evolve` applies an event.

Each chapter of the rules is a module: its commands, its events and what they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.games.hanse import corrections, flight, interventions, planet_actions, setup, turns
from companion.games.hanse.cards import LABELS
from companion.games.hanse.places import label_of
from companion.games.hanse.state import Phase, State, name_of, waited_for
from companion.kernel.errors import Refused
from companion.kernel.said import said, word
from companion.model.legal_moves import LegalMoves
from companion.model.parser import EventCodec, Parser
from companion.model.tellings import Gaps, Tellings

VERSION = "1"
Command = (
    setup.Command
    | flight.Command
    | planet_actions.Command
    | interventions.Command
    | turns.EndTurn
    | corrections.Correct
)
Event = setup.Event | flight.Event | planet_actions.Event | interventions.Event | turns.Event | corrections.Corrected
BEFORE_THE_FIRST_TURN = setup.Event | turns.TurnBegan | turns.GameEnded


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    _check_seat_and_moment(state, command)
    if isinstance(command, flight.Command):
        return flight.decide(state, command)
    if isinstance(command, planet_actions.Command):
        return planet_actions.decide(state, command)
    if isinstance(command, interventions.Command):
        return interventions.decide(state, command)
    if isinstance(command, turns.EndTurn):
        return turns.decide(state, command)
    if isinstance(command, setup.Command):
        return setup.decide(state, command)
    return corrections.decide(state, command)


def _check_seat_and_moment(state: State, command: Command) -> None:
    player = getattr(command, "player", None)
    if player is not None and player not in state.players:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(player)))
    if command.phase is None:
        return
    if state.finished:
        raise Refused(said("The game is over."))
    if state.phase is not command.phase:
        raise Refused(_first(state))
    if player is not None and player not in waited_for(state):
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, waited_for(state)[0])))


def _first(state: State) -> str:
    """Return a sentence that says what must be done before anything else."""
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


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    if isinstance(event, flight.Event):
        return flight.evolve(state, event)
    if isinstance(event, planet_actions.Event):
        return planet_actions.evolve(state, event)
    if isinstance(event, interventions.Event):
        return interventions.evolve(state, event)
    if isinstance(event, turns.Event):
        return turns.evolve(state, event)
    if isinstance(event, setup.Event):
        return setup.evolve(state, event)
    return corrections.evolve(state, event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* can be applied to *state*: the things it changes must exist. Rules are not checked."""
    if state.turn is None and not isinstance(event, BEFORE_THE_FIRST_TURN):
        return False
    fits = getattr(event, "fits", None)
    return fits is None or bool(fits(state))


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* now, in a fixed order.

    All legal commands are among them, with a few exceptions: the goods of the set-up, rolls of more than one die,
    unknown sides of goods, discards at the end of a turn, and corrections.
    """
    if seat in waited_for(state):
        for chapter in (setup, flight, planet_actions, interventions, turns):
            yield from chapter.candidates(state, seat)


PARSER: Parser[Command] = Parser.of(Command)
CODEC: EventCodec[State, Event] = EventCodec.of(Event, can_follow)
LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
GAPS: Gaps = {
    "name": lambda what: what.name,
    "planet": lambda what: label_of(what.fields.get("to") or what.fields["planet"]),
    "card": lambda what: LABELS[what.fields["card"]],
    "num": lambda what: what.fields["container"] + 1,
    "dice": lambda what: ", ".join(map(str, what.fields.get("dice", ()))),
}
CHAPTERS = (setup, flight, planet_actions, interventions, turns, corrections)
TELLINGS = Tellings(turns.announced, GAPS, {event: row for each in CHAPTERS for event, row in each.SENTENCES.items()})
