"""Establishing a centre: the played set gives a number of draws. Each draw brings one station out of the ring."""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda.commands import DoubleExit, Draw, DrawCommand, Establish, StopDrawing
from companion.games.andromeda.events import (
    AttemptBegan,
    AttemptEnded,
    CentreTaken,
    Event,
    FlewHome,
    PutBack,
    SetPlayed,
)
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.rounds import done
from companion.games.andromeda.state import TOP_LEVEL, Attempt, State, best_free_centre, label_of, name_of, stations_on
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said, word


def halved(cards: int, rounds_up: bool) -> int:
    """Return half of *cards*, rounded down unless *rounds_up*.

    >>> halved(5, rounds_up=False), halved(5, rounds_up=True)
    (2, 3)
    """
    return (cards + 1) // 2 if rounds_up else cards // 2


def draws_for(state: State, colour: str, size: int) -> int:
    """Return how many draws a set of *size* cards gives: half its size, rounded up at level 4 and down below."""
    return halved(size, state.players[colour].technology == TOP_LEVEL)


def establish(state: State, command: Establish, played: SetPlayed) -> tuple[Event, ...]:
    """Begin an attempt. Refuse a planet without a free centre, or without a station of the player."""
    planet = command.set.planet
    if not state.players[command.player].on(planet):
        name = name_of(state, command.player)
        raise Refused(said("%(name)s has no station on %(planet)s.", name=name, planet=label_of(state, planet)))
    if best_free_centre(state, planet) is None:
        raise Refused(said("All three centres of %(planet)s are taken.", planet=label_of(state, planet)))
    draws = draws_for(state, command.player, command.set.size)
    return (played, AttemptBegan(command.player, planet, draws, command.set.true_size, command.bonus))


def draw(state: State, command: DrawCommand) -> tuple[Event, ...]:
    """Return the events of a draw while an attempt is open."""
    attempt = state.attempt
    if attempt is None:
        raise Refused(said("No attempt is on: there's nothing to draw for."))
    match command:
        case Draw():
            return _drawn(state, attempt, command.colour)
        case DoubleExit():
            return _double_exit(state, attempt, command)
        case StopDrawing():
            return _stop(state, attempt, command)
        case _:
            assert_never(command)


def end_if_empty(state: State) -> tuple[Event, ...]:
    """End an attempt if a correction has left no station to draw or no free centre."""
    attempt = state.attempt
    if attempt is None:
        return ()
    playable = any(stations_on(state, attempt.planet).values()) and best_free_centre(state, attempt.planet) is not None
    return () if playable else _ended(state, attempt)


def _drawn(state: State, attempt: Attempt, colour: str) -> tuple[Event, ...]:
    under = _under_the_ring(state, attempt, (colour,))
    event: Event = FlewHome(colour, attempt.planet)
    if colour == attempt.player:
        slot = best_free_centre(state, attempt.planet)
        assert slot is not None, "an attempt without a free centre has ended"
        event = CentreTaken(colour, attempt.planet, slot)
    last = sum(under.values()) == 1
    over = colour == attempt.player or attempt.draws_left == 1 or last
    return (event, *_ended(evolve(state, event), attempt)) if over else (event,)


def _ended(state: State, attempt: Attempt) -> tuple[Event, ...]:
    return (AttemptEnded(), *done(state, attempt.cards, attempt.bonus))


def _double_exit(state: State, attempt: Attempt, command: DoubleExit) -> tuple[Event, ...]:
    _under_the_ring(state, attempt, command.colours)
    if state.options.double_exit == "redo":
        if command.out is not None:
            raise Refused(said("Two at once both go back at this table."))
        return (PutBack(command.colours),)
    if command.out not in command.colours:
        raise Refused(said("One of the two counts: say which one was picked."))
    other = command.colours[1] if command.out == command.colours[0] else command.colours[0]
    return (PutBack((other,)), *_drawn(state, attempt, command.out))


def _stop(state: State, attempt: Attempt, command: StopDrawing) -> tuple[Event, ...]:
    if not state.options.may_stop_drawing:
        raise Refused(said("No giving up draws at this table."))
    if command.player != attempt.player:
        raise Refused(said("It's %(name)s's attempt.", name=name_of(state, attempt.player)))
    return _ended(state, attempt)


def _under_the_ring(state: State, attempt: Attempt, colours: tuple[str, ...]) -> dict[str, int]:
    """Count the stations under the ring by colour. Raise `Refused` if *colours* are not all among them."""
    under = stations_on(state, attempt.planet)
    for colour in colours:
        if colours.count(colour) > under.get(colour, 0):
            raise Refused(_not_there(colour, label_of(state, attempt.planet), bool(under.get(colour))))
    return under


def _not_there(colour: str, planet: str, one: bool) -> Said:
    named = word(colour)
    if one:
        return said("There's no second %(colour)s station under the ring on %(planet)s.", colour=named, planet=planet)
    return said("There's no %(colour)s station under the ring on %(planet)s.", colour=named, planet=planet)
