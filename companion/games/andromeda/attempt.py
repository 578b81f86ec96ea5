"""Establishing a centre: the played set gives a number of draws. Each draw brings one station out of the ring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, assert_never

from companion.games.andromeda import rounds
from companion.games.andromeda.actions import Set, SetPlayed, WithBonus, check_held, halved, play, playable
from companion.games.andromeda.board import CENTRES, PLANETS
from companion.games.andromeda.rounds import Count, Planet, check_turn, done
from companion.games.andromeda.state import (
    TOP_LEVEL,
    Attempt,
    Phase,
    State,
    best_free_centre,
    changed,
    from_earth,
    label_of,
    name_of,
    stations_on,
)
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.said import Said, said, word
from companion.kernel.values import dataclass, replace
from companion.model.parser import Flag, Form, Known, Line, Seat, Text, Whole, WordsOfState


class TwoColours(Form):
    """A list of two colours, which may be equal. Example: ``["red", "blue"]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[str, str]:
        """Read the list from field *name*."""
        colours = fields.list(name)
        if len(colours) != 2 or not all(isinstance(colour, str) for colour in colours):
            raise Malformed(said("colours must name two colours"))
        return colours[0], colours[1]

    def write(self, line: dict[str, Any], name: str, value: tuple[str, str]) -> None:
        """Write the list."""
        line[name] = list(value)


@dataclass(frozen=True)
class Establish(Line, do="establish"):
    """Play a set to try for a centre with the ring.

    Example: ``{"do": "establish", "player": "red", "planet": "p1", "cards": 3}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class Draw(Line, do="draw"):
    """Record that one station left the ring.

    Example: ``{"do": "draw", "colour": "blue"}``
    """

    colour: Annotated[str, Text()]


@dataclass(frozen=True)
class DoubleExit(Line, do="double_exit"):
    """Record that two stations left the ring at once.

    *out* is the colour of the station that counts, chosen at random. It is None if both go back.

    Example: ``{"do": "double_exit", "colours": ["red", "blue"], "out": "red"}``
    """

    colours: Annotated[tuple[str, str], TwoColours()]
    out: Annotated[str | None, Text()] = None


@dataclass(frozen=True)
class StopDrawing(Line, do="stop_drawing"):
    """Give up the remaining draws.

    Example: ``{"do": "stop_drawing", "player": "green"}``
    """

    player: Seat


@dataclass(frozen=True)
class AttemptBegan:
    """The ring was put over a planet.

    *cards* is the size of the played set if it is a true set, and 0 if it has jokers.
    """

    player: Seat
    planet: Planet
    draws: Count
    cards: Count
    bonus: Annotated[bool, Flag()]


@dataclass(frozen=True)
class CentreTaken:
    """A station of the drawing player came out and took a centre. *slot* is the index of the centre, from 0."""

    player: Seat
    planet: Planet
    slot: Annotated[int, Whole(0, CENTRES - 1)]


@dataclass(frozen=True)
class FlewHome:
    """A station of another player came out and went back to Earth."""

    player: Seat
    planet: Planet


@dataclass(frozen=True)
class PutBack:
    """Two stations left the ring at once. One or both of them, *colours*, went back under it."""

    colours: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class AttemptEnded:
    """An attempt ended."""


Command = Establish | Draw | DoubleExit | StopDrawing
Event = AttemptBegan | CentreTaken | FlewHome | PutBack | AttemptEnded
Events = tuple[Event | SetPlayed | rounds.Event, ...]
"""The events of a command: those of the attempt, of the played set, and of the turn."""
RARELY: dict[type[object], float] = {StopDrawing: 0.1}
"""Weights of commands that people rarely give (`companion.games.andromeda.random_policy`)."""


def decide(state: State, command: Command) -> Events:
    """Return the events of an attempt that begins, or of a draw while one is open."""
    if isinstance(command, Establish):
        return _establish(state, command)
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


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    if isinstance(event, AttemptBegan):
        return replace(state, attempt=_attempt(state, event))
    if isinstance(event, PutBack):
        return state
    attempt = state.attempt
    assert attempt is not None, "stations are drawn in an attempt only, and only an open attempt ends"
    match event:
        case FlewHome():
            home = from_earth(state, event.player, event.planet, -1)
            return replace(home, attempt=_after_draw(attempt, event.player))
        case CentreTaken():
            return _centre_taken(state, attempt, event)
        case AttemptEnded():
            return replace(state, attempt=None, tried=(*state.tried, attempt))
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return False if *event* changes an attempt and none is open. The rules are not checked."""
    return state.attempt is not None or isinstance(event, AttemptBegan | PutBack)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield the attempts and draws that may be legal for *seat*, except double exits, which no player chooses."""
    attempt = state.attempt
    if attempt is None:
        if state.phase is Phase.ACTIONS and seat == state.turn:
            yield from (Establish(seat, cards, bonus) for cards, bonus in playable(state, seat))
    elif seat == attempt.player:
        yield from (Draw(colour) for colour, count in stations_on(state, attempt.planet).items() if count)
        yield StopDrawing(seat)


def draws_for(state: State, colour: str, size: int) -> int:
    """Return how many draws a set of *size* cards gives: half its size, rounded up at level 4 and down below."""
    return halved(size, state.players[colour].technology == TOP_LEVEL)


def _establish(state: State, command: Establish) -> Events:
    """Begin an attempt. Refuse a planet without a free centre, or without a station of the player."""
    check_turn(state, command.player)
    played, planet = play(state, command.player, command.set), command.set.planet
    if not state.players[command.player].on(planet):
        name = name_of(state, command.player)
        raise Refused(said("%(name)s has no station on %(planet)s.", name=name, planet=label_of(state, planet)))
    if best_free_centre(state, planet) is None:
        raise Refused(said("All three centres of %(planet)s are taken.", planet=label_of(state, planet)))
    check_held(state, command.player, command.set)
    draws = draws_for(state, command.player, command.set.size)
    return (played, AttemptBegan(command.player, planet, draws, command.set.true_size, command.bonus))


def _attempt(state: State, event: AttemptBegan) -> Attempt:
    stations = sum(stations_on(state, event.planet).values())
    own = state.players[event.player].on(event.planet)
    draws = event.draws
    return Attempt(event.player, event.planet, draws, draws, event.cards, event.bonus, stations=stations, own=own)


def end_if_empty(state: State) -> tuple[AttemptEnded | rounds.Event, ...]:
    """End an attempt if a correction has left no station to draw or no free centre."""
    attempt = state.attempt
    if attempt is None:
        return ()
    playable = any(stations_on(state, attempt.planet).values()) and best_free_centre(state, attempt.planet) is not None
    return () if playable else _ended(state, attempt)


def _drawn(state: State, attempt: Attempt, colour: str) -> tuple[Event | rounds.Event, ...]:
    under = _under_the_ring(state, attempt, (colour,))
    if colour == attempt.player:
        slot = best_free_centre(state, attempt.planet)
        assert slot is not None, "an attempt without a free centre has ended"
        taken = CentreTaken(colour, attempt.planet, slot)
        return (taken, *_ended(evolve(state, taken), attempt))
    home = FlewHome(colour, attempt.planet)
    over = attempt.draws_left == 1 or sum(under.values()) == 1
    return (home, *_ended(state, attempt)) if over else (home,)  # This station changes nothing that follows.


def _after_draw(attempt: Attempt, colour: str, took: int = 0) -> Attempt:
    return replace(attempt, draws_left=attempt.draws_left - 1, drawn=(*attempt.drawn, colour), took=took)


def _centre_taken(state: State, attempt: Attempt, event: CentreTaken) -> State:
    at, player = PLANETS.index(event.planet), state.players[event.player]
    owners, value = state.centres[at], state.setting.board.planet(event.planet).centres[event.slot]
    taken = (*owners[: event.slot], event.player, *owners[event.slot + 1 :])
    return replace(
        state,
        players={**state.players, event.player: replace(player, planets=changed(player.planets, at, -1))},
        centres=(*state.centres[:at], taken, *state.centres[at + 1 :]),
        attempt=_after_draw(attempt, event.player, value),
    )


def _ended(state: State, attempt: Attempt) -> tuple[AttemptEnded | rounds.Event, ...]:
    return (AttemptEnded(), *done(state, attempt.cards, attempt.bonus))


def _double_exit(state: State, attempt: Attempt, command: DoubleExit) -> Events:
    _under_the_ring(state, attempt, command.colours)
    if state.options.double_exit == "redo":
        if command.out is not None:
            raise Refused(said("Two at once both go back at this table."))
        return (PutBack(command.colours),)
    if command.out not in command.colours:
        raise Refused(said("One of the two counts: say which one was picked."))
    other = command.colours[1] if command.out == command.colours[0] else command.colours[0]
    return (PutBack((other,)), *_drawn(state, attempt, command.out))


def _stop(state: State, attempt: Attempt, command: StopDrawing) -> Events:
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
