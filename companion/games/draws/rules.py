"""The rules of a draw table: `decide`, which may refuse a command, and `evolve`, which applies an event.

There is only one rule: a cube can only come out of the place in which it is. The players decide everything else.
"""

from __future__ import annotations

from typing import assert_never

from companion.games.draws import commands as asked
from companion.games.draws import events as happened
from companion.games.draws.commands import Command
from companion.games.draws.cubes import MOST, MOST_COLOURS, Counts, Cubes, added, not_none
from companion.games.draws.events import Event
from companion.games.draws.state import FALLS_KEPT, NOBODY, PULLS_KEPT, Fall, State, TablePull, name_of, outside, stuck
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said, word
from companion.kernel.values import replace

# The effect of each event on the state. No other code changes the state of a game.


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case happened.Drawn():
            return _drawn(state, event)
        case happened.PutIn(cubes):
            known = _known(state, cubes)
            return replace(known, inside=added(known.inside, cubes))
        case happened.WentBack(player, cubes):
            holds = {**state.holds, player: added(state.holds.get(player, {}), cubes, -1)}
            return replace(state, inside=added(state.inside, cubes), holds=holds)
        case happened.Thrown(cubes):
            return _thrown(_known(state, cubes), cubes)
        case happened.CameOut(cubes):
            return _came_out(state, cubes)
        case happened.Taken(player, back):
            return replace(state, taker=player, back=back)
        case happened.Corrected():
            return _corrected(_known(state, event.counts), event)
        case happened.Finished():
            return replace(state, finished=True)
        case _:
            assert_never(event)


def _known(state: State, cubes: Cubes) -> State:
    """Return *state* with the colours of *cubes* added to the table's colours."""
    new = tuple([colour for colour, _ in cubes if colour not in state.colours])
    if not new:
        return state
    return replace(state, colours=(*state.colours, *new), inside={**state.inside, **dict.fromkeys(new, 0)})


def _drawn(state: State, event: happened.Drawn) -> State:
    who, cubes = event.player, event.cubes
    pulls = (*state.pulls[-PULLS_KEPT + 1 :], TablePull(who, cubes, event.back))
    drew = {**state.drew, who: added(state.drew.get(who, {}), cubes)}
    if event.back:
        return replace(state, drew=drew, draws=state.draws + 1, pulls=pulls)
    holds = {**state.holds, who: added(state.holds.get(who, {}), cubes)}
    inside = added(state.inside, cubes, -1)
    return replace(state, inside=inside, drew=drew, holds=holds, draws=state.draws + 1, pulls=pulls)


def _thrown(state: State, cubes: Cubes) -> State:
    after = replace(state, thrown=added(state.thrown, cubes))
    return replace(after, falls=(*state.falls[-FALLS_KEPT + 1 :], Fall(cubes, {}, stuck(after))))


def _came_out(state: State, cubes: Cubes) -> State:
    after = replace(state, came_out=added(state.came_out, cubes))
    if not state.falls:
        return replace(after, falls=(Fall((), dict(cubes), stuck(after)),))
    *before, last = state.falls
    return replace(after, falls=(*before, Fall(last.thrown, added(last.out, cubes), stuck(after))))


def _corrected(state: State, event: happened.Corrected) -> State:
    if event.place == "inside":
        return replace(state, inside={**state.inside, **dict(event.counts)})
    after = replace(state, began_stuck=_began(state, dict(event.counts)))
    return replace(after, falls=(*state.falls[-FALLS_KEPT + 1 :], Fall((), {}, stuck(after))))


def _began(state: State, counts: Counts) -> dict[str, int]:
    """Return the cubes that must have been in the tower at the beginning if *counts* are in it now."""
    gone = {colour: state.came_out.get(colour, 0) - state.thrown.get(colour, 0) for colour in counts}
    return {**state.began_stuck, **{colour: count + gone[colour] for colour, count in counts.items()}}


VERSION = "1"


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    if state.finished and not isinstance(command, asked.Correct):
        raise Refused(said("This table is closed. Undo to go on."))
    _check_player(state, getattr(command, "player", None))
    match command:
        case asked.Draw():
            return _draw(state, command)
        case asked.Put():
            _check_room(state, state.inside, command.cubes)
            return (happened.PutIn(command.cubes),)
        case asked.Return():
            return _back(state, command)
        case asked.Throw():
            _check_room(state, stuck(state), command.cubes)
            return (happened.Thrown(command.cubes),)
        case asked.Out():
            return _out(state, command)
        case asked.Take():
            return _take(state, command)
        case asked.Correct():
            return _correct(state, command)
        case asked.Finish():
            return (happened.Finished(),)
        case _:
            assert_never(command)


def _draw(state: State, command: asked.Draw) -> tuple[Event, ...]:
    for colour, count in command.cubes:
        there = state.inside.get(colour, 0)
        if count > there:
            raise Refused(_too_few(colour, there))
    player = state.taker if command.player is None else command.player
    back = state.back if command.back is None else command.back
    return (happened.Drawn(player, command.cubes, back),)


def _too_few(colour: str, there: int) -> Said:
    if not there:
        return said("There's no %(colour)s cube inside.", colour=word(colour))
    return said("Inside: %(colour)s, only %(count)s.", colour=word(colour), count=there)


def _back(state: State, command: asked.Return) -> tuple[Event, ...]:
    holders = (NOBODY, *state.seats) if command.player is None else (command.player,)
    if command.cubes is None:
        found = tuple((seat, not_none(state.holds.get(seat, {}))) for seat in holders)
    else:
        found = tuple((seat, cubes) for seat, cubes in _gathered(state, holders, command.cubes))
    events = tuple(happened.WentBack(seat, cubes) for seat, cubes in found if cubes)
    if not events:
        raise Refused(_nothing_out(state, command.player))
    return events


def _gathered(state: State, holders: tuple[str, ...], cubes: Cubes) -> list[tuple[str, Cubes]]:
    """Return the cubes that each holder gives back, so that together they are *cubes*.

    The holders come in the given order.

    Raises `Refused` if they hold too few.
    """
    missing, found = dict(cubes), []
    for seat in holders:
        held = state.holds.get(seat, {})
        given = tuple((colour, min(count, held.get(colour, 0))) for colour, count in missing.items())
        found.append((seat, tuple((colour, count) for colour, count in given if count)))
        missing = {colour: count - dict(given)[colour] for colour, count in missing.items()}
    short = next((colour for colour, count in missing.items() if count), None)
    if short is not None:
        out = dict(cubes)[short] - missing[short]
        raise Refused(said("Drawn and not back: %(colour)s, only %(count)s.", colour=word(short), count=out))
    return found


def _nothing_out(state: State, player: str | None) -> Said:
    if player:
        return said("%(name)s has nothing to put back.", name=name_of(state, player))
    return said("Everything is back inside.")


def _out(state: State, command: asked.Out) -> tuple[Event, ...]:
    there = stuck(state)
    for colour, count in command.cubes:
        if count > there.get(colour, 0):
            raise Refused(
                said("In the tower: %(colour)s, only %(count)s.", colour=word(colour), count=there.get(colour, 0))
            )
    return (happened.CameOut(command.cubes),)


def _take(state: State, command: asked.Take) -> tuple[Event, ...]:
    player, back = command.player or NOBODY, state.back if command.back is None else command.back
    if (player, back) == (state.taker, state.back):
        raise Refused(said("The ring is there already."))
    return (happened.Taken(player, back),)


def _correct(state: State, command: asked.Correct) -> tuple[Event, ...]:
    if not command.reason.strip():
        raise Refused(said("Say what changes, and why."))
    place, counts = command.what
    before = state.inside if place == "inside" else stuck(state)
    if all(before.get(colour, 0) == count for colour, count in counts):
        raise Refused(said("That's what is counted already."))
    _check_colours(state, counts)
    return (happened.Corrected(place, counts),)


def _check_player(state: State, player: str | None) -> None:
    if player and player not in state.seats:
        raise Refused(said("Nobody at this table plays %(colour)s.", colour=word(player)))


def _check_room(state: State, there: Counts, cubes: Cubes) -> None:
    _check_colours(state, cubes)
    for colour, count in cubes:
        if there.get(colour, 0) + count > MOST:
            raise Refused(said("Up to %(most)s cubes of a colour.", most=MOST))


def _check_colours(state: State, cubes: Cubes) -> None:
    if len({*state.colours, *(colour for colour, _ in cubes)}) > MOST_COLOURS:
        raise Refused(said("Up to %(most)s colours fit on one table.", most=MOST_COLOURS))


def nothing_outside(state: State) -> bool:
    """Return whether every drawn cube is back inside."""
    return not any(outside(state).values())
