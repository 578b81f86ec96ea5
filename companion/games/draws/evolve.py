"""How each event changes the table: the only place where a state is made from another."""

from __future__ import annotations

from typing import assert_never

from companion.games.draws import events as happened
from companion.games.draws.cubes import Counts, Cubes, added
from companion.games.draws.events import Event
from companion.games.draws.state import FALLS_KEPT, PULLS_KEPT, Fall, State, TablePull, stuck
from companion.kernel.frozen import replace


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*; never refuses."""
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
    """Return *state* with every colour of *cubes* among its own."""
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
    """Return what must have been in the tower before, so that *counts* are in it now."""
    gone = {colour: state.came_out.get(colour, 0) - state.thrown.get(colour, 0) for colour in counts}
    return {**state.began_stuck, **{colour: count + gone[colour] for colour, count in counts.items()}}
