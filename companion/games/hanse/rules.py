"""The rules of Die Kosmische Hanse: `decide` turns a command into events, or refuses it.

This module contains the set-up and the flights. Other modules contain the planet actions, interventions, turns and
corrections.
"""

from __future__ import annotations

from typing import assert_never

from companion.games.hanse import commands as asked
from companion.games.hanse.cards import DIRECTIONS
from companion.games.hanse.commands import Choose, Command, Fly, Hyperjump, LayGoods, Roll, Start, Tunnel
from companion.games.hanse.corrections import correct
from companion.games.hanse.events import (
    Event,
    Flown,
    GoodsLaid,
    Hyperjumped,
    Rolled,
    ShipsPlaced,
    StarterChosen,
    Tunnelled,
)
from companion.games.hanse.evolve import evolve
from companion.games.hanse.goods import AT_A_PLANET
from companion.games.hanse.interventions import allow, intervene, neutralise
from companion.games.hanse.places import ENERGY, GAPS, INNERMOST, OUTERMOST, label_of
from companion.games.hanse.planet_actions import buy, flip, load, unload
from companion.games.hanse.state import Phase, State, name_of, other, place_of, turn_of, waited_for
from companion.games.hanse.turns import end_turn, turn_begins
from companion.kernel.errors import Refused
from companion.kernel.said import said, word

VERSION = "1"
AGAIN = 1
"""The result after which the die is rolled again."""
TUNNEL_ENERGY = 1
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
"""The phase in which each command is allowed. A correction is allowed in any phase."""


def decide(state: State, command: Command) -> tuple[Event, ...]:  # noqa: C901  # one arm per command, nothing nested
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    _check_seat_and_moment(state, command)
    match command:
        case asked.LayGoods():
            return lay_goods(state, command)
        case asked.Choose():
            return choose(state, command)
        case asked.Start():
            return start(state, command)
        case asked.Roll():
            return roll(state, command)
        case asked.Fly():
            return fly(state, command)
        case asked.Tunnel():
            return tunnel(state, command)
        case asked.Hyperjump():
            return hyperjump(state, command)
        case asked.Load():
            return load(state, command)
        case asked.Unload():
            return unload(state, command)
        case asked.Flip():
            return flip(state, command)
        case asked.Buy():
            return buy(state, command)
        case asked.Intervene():
            return intervene(state, command)
        case asked.Allow():
            return allow(state, command)
        case asked.Neutralise():
            return neutralise(state, command)
        case asked.EndTurn():
            return end_turn(state, command)
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


def lay_goods(state: State, command: LayGoods) -> tuple[Event, ...]:
    """Set out five goods cards at a planet. None of them may show the planet itself."""
    planet = label_of(command.planet)
    if state.at(command.planet):
        raise Refused(said("The goods of %(planet)s are out already.", planet=planet))
    if len(command.cards) != AT_A_PLANET:
        raise Refused(said("%(planet)s gets %(num)s goods cards.", planet=planet, num=AT_A_PLANET))
    if any(side.to == command.planet for side in command.cards):
        raise Refused(said("No card at %(planet)s shows %(planet)s. Flip it.", planet=planet))
    return (GoodsLaid(command.planet, command.cards),)


def choose(state: State, command: Choose) -> tuple[Event, ...]:
    """Set who moves first. The other player names the planet."""
    first = command.take == "first"
    return (StarterChosen(command.player if first else other(state, command.player)),)


def start(state: State, command: Start) -> tuple[Event, ...]:
    """Put both ships on the planet and begin the first turn."""
    assert state.starter is not None, "chosen before"
    placed = ShipsPlaced(command.planet)
    return (placed, turn_begins(evolve(state, placed), state.starter))


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    """Begin a flight.

    After a 1 the die is rolled again, and all results are added. Each Fusion Drive in play adds 1.
    """
    *again, last = command.dice
    if last == AGAIN or any(die != AGAIN for die in again):
        raise Refused(said("Only a 1 is rolled again."))
    if not turn_of(state).flights:
        raise Refused(said("%(name)s has no flight left.", name=name_of(state, command.player)))
    drives = state.players[command.player].technology("fusion_drive")
    return (Rolled(command.player, command.dice, sum(command.dice) + drives),)


def fly(state: State, command: Fly) -> tuple[Event, ...]:
    """Fly straight to a place, as far as the energy allows."""
    available, here = _open_flight(state), place_of(state, command.player)
    cost = ENERGY[here].get(command.to)
    if cost is None:
        raise Refused(_no_way(state, command, here))
    if cost > available:
        raise Refused(said("That takes %(cost)s energy, and %(left)s is left.", cost=cost, left=available))
    return (Flown(command.player, command.to, cost),)


def tunnel(state: State, command: Tunnel) -> tuple[Event, ...]:
    """Fly through the sun from the innermost orbit to the outermost, never the other way."""
    if not turn_of(state).tunnels:
        raise Refused(said("%(name)s has no open Sun Tunnel.", name=name_of(state, command.player)))
    available = _open_flight(state)
    if place_of(state, command.player) != INNERMOST:
        raise Refused(said("The tunnel starts in %(place)s.", place=label_of(INNERMOST)))
    if available < TUNNEL_ENERGY:
        raise Refused(said("No energy is left."))
    return (Tunnelled(command.player, TUNNEL_ENERGY),)


def hyperjump(state: State, command: Hyperjump) -> tuple[Event, ...]:
    """Jump to the innermost or outermost orbit, before anything else in the turn."""
    turn, name = turn_of(state), name_of(state, command.player)
    if not state.players[command.player].technology(DIRECTIONS[command.direction]):
        raise Refused(said("%(name)s doesn't own that hyperjump.", name=name))
    if turn.begun:
        raise Refused(said("Hyperjumps come first in a turn."))
    if command.direction in turn.jumped:
        raise Refused(said("Each hyperjump works once a turn."))
    if place_of(state, command.player) == (INNERMOST if command.direction == "inward" else OUTERMOST):
        raise Refused(said("%(name)s's ship is there already.", name=name))
    return (Hyperjumped(command.player, command.direction),)


def _open_flight(state: State) -> int:
    energy = turn_of(state).energy
    if energy is None:
        raise Refused(said("Roll the die first."))
    return energy


def _no_way(state: State, command: Fly, here: str) -> str:
    if command.to == here:
        return said("%(name)s's ship is there already.", name=name_of(state, command.player))
    assert command.to in GAPS, "everything else can be reached"
    return said("Ships don't stop in a gap on the way in.")
