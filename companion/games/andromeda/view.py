"""A game as JSON and as text, its result, and the players it waits for. Hidden information is left out."""

from __future__ import annotations

from typing import Any

from companion.games.andromeda import trading
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.scoring import centres_held, rank, score, winners
from companion.games.andromeda.state import KINDS, Phase, State, name_of, stations_on
from companion.kernel.said import Said, all_of, said
from companion.model.capabilities import Wanted
from companion.model.clock import Step
from companion.model.game import Result, Viewer


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the state as JSON.

    Credits that *viewer* may not see are null, and the total doesn't include their points.
    """
    return {
        "game": "andromeda",
        "round": state.round,
        "phase": str(state.phase),
        "starter": state.starter,
        "to_act": list(waited_for(state)),
        "actions_left": state.actions_left,
        "ring": _ring(state),
        "trading": trading.view(state),
        "players": {colour: _player(state, colour, sees_credits(state, colour, viewer)) for colour in state.colours},
        "bonus_supply": dict(zip(KINDS, state.credits, strict=True)),
        "supply": state.supply,
        "discards": state.discards,
        "last_round": state.last_round,
        "finished": state.finished,
        "winners": list(winners(state)),
    }


def sees_credits(state: State, colour: str, viewer: Viewer) -> bool:
    """Return whether *viewer* may see the bonus credits of *colour*."""
    open_to_all = state.finished or state.options.show_bonus_credits == "always"
    return viewer.owner or viewer.seat == colour or open_to_all


def waited_for(state: State) -> tuple[str, ...]:
    """Return the colours that must act now, in seat order."""
    match state.phase:
        case Phase.SETUP:
            return tuple(colour for colour in state.colours if state.players[colour].unplaced)
        case Phase.CARDS:
            return (state.starter,)
        case Phase.TRADING:
            return trading.has_the_word(state)
        case Phase.FINISHED:
            return ()
        case Phase.TRANSPORT | Phase.ACTIONS:
            return (state.turn,)


def step(state: State) -> Step | None:
    """Return the step that the clock measures.

    It changes when other players must act, or when the players must do something else.
    """
    if state.finished:
        return None
    name = str(state.phase)
    mark = (state.round,)
    if state.phase is Phase.TRADING:
        return trading.step(state)
    if state.phase is Phase.SETUP:
        return Step(name, (), mark)
    return Step(name, waited_for(state), mark)


def wanted(state: State) -> Wanted | None:
    """Return the draw that the ring should expect, or None."""
    attempt = state.attempt
    if attempt is None:
        return None
    under = {colour: count for colour, count in stations_on(state, attempt.planet).items() if count}
    return Wanted(attempt.player, attempt.planet, under, attempt.draws_left)


def result(state: State) -> Result | None:
    """Return the result, or None before the end."""
    if state.phase is not Phase.FINISHED:
        return None
    totals = {colour: score(state, colour).total for colour in state.colours}
    return Result(winners(state), totals, _why(state), state.setting.first)


def _why(state: State) -> Said:
    won = winners(state)
    names = all_of([name_of(state, colour) for colour in won])
    best = rank(state, won[0])
    others = [rank(state, colour) for colour in state.colours if colour not in won]
    if len(won) > 1:
        return said("%(names)s share the win: points, technology and ship are all level.", names=names)
    if any(other[:2] == best[:2] for other in others):
        return said("%(names)s wins the tie with the bigger ship.", names=names)
    if any(other[0] == best[0] for other in others):
        return said("%(names)s wins the tie on technology.", names=names)
    return said("%(names)s wins with %(points)s points.", names=names, points=best[0])


def _ring(state: State) -> dict[str, Any] | None:
    attempt = state.attempt
    if attempt is None:
        return None
    return {"player": attempt.player, "planet": attempt.planet, "draws_left": attempt.draws_left}


def _player(state: State, colour: str, credits_shown: bool) -> dict[str, Any]:
    player, points = state.players[colour], score(state, colour)
    total = points.total if credits_shown else points.total - points.bonus
    return {
        "earth": player.earth,
        "planets": dict(zip(PLANETS, player.planets, strict=True)),
        "centres": [{"planet": planet, "value": value} for planet, value in centres_held(state, colour)],
        "ship": player.ship,
        "technology": player.technology,
        "transport": player.transport,
        "hand": player.hand,
        "bonus": dict(zip(KINDS, player.credits, strict=True)) if credits_shown else None,
        "score": {
            "centres": points.centres,
            "earth": points.earth,
            "technology": points.technology,
            "bonus": points.bonus if credits_shown else None,
            "total": total,
        },
    }


def standing(state: State) -> tuple[str, ...]:
    """Return lines for a terminal: round and phase, each player's points, and who must act or has won."""
    lines = [f"Andromeda, round {state.round}, {state.phase.value}"]
    for colour in state.colours:
        points = score(state, colour)
        parts = f"centres {points.centres}, earth {points.earth}, technology {points.technology}, bonus {points.bonus}"
        lines.append(f"  {name_of(state, colour)} ({colour}): {points.total} points ({parts})")
    ended = result(state)
    names = ", ".join(name_of(state, colour) for colour in waited_for(state))
    return (*lines, f"Waiting for {names or 'nobody'}" if ended is None else ended.why)
