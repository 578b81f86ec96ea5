"""What a picked set gives, worked out by the rules before it is played."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import (
    CREDIT_POINTS,
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    State,
    best_free_centre,
    stations_on,
)
from web.games.andromeda.chances import chance, percent
from web.games.andromeda.faces import counted
from web.games.andromeda.set_pick import Pick, does_of


@dataclass(frozen=True)
class Gain:
    """One line of what the set gives."""

    number: str
    words: str
    small: str


def gains_of(state: State, pick: Pick) -> tuple[Gain, ...]:
    """Return what the set gives and costs, in the order of the page."""
    hand = state.players[pick.seat].hand
    cost = Gain(
        str(pick.size),
        f"{'card goes' if pick.size == 1 else 'cards go'}, {hand - pick.size} stay",
        f"of {hand} in hand",
    )
    return (*_effects(state, pick), cost, *_credit(state, pick))


def _effects(state: State, pick: Pick) -> tuple[Gain, ...]:
    player = state.players[pick.seat]
    if pick.action == "ship":
        return (
            Gain(
                str(HAND_LIMIT[player.ship + 1]), "cards is the new hand limit", f"{HAND_LIMIT[player.ship]} until now"
            ),
        )
    if pick.action == "technology":
        points, before = TECHNOLOGY_POINTS[player.technology + 1], TECHNOLOGY_POINTS[player.technology]
        return (Gain(str(points), "points for technology", f"{before} until now; level {player.technology + 1} of 4"),)
    if pick.action == "move":
        most = min(does_of(state, pick), player.earth)
        return (
            Gain(
                str(most),
                f"{'station moves' if most == 1 else 'stations move'} at most",
                f"{player.earth} on Earth now",
            ),
        )
    return _attempt_gains(state, pick)


def _attempt_gains(state: State, pick: Pick) -> tuple[Gain, ...]:
    under = stations_on(state, pick.planet)
    total, own = sum(under.values()), under[pick.seat]
    slot = best_free_centre(state, pick.planet)
    value = state.setting.board.planet(pick.planet).centres[slot or 0]
    draws = does_of(state, pick)
    small = f"{counted(total, 'station')} there, {own} {'is' if own == 1 else 'are'} yours"
    gains = [
        Gain(str(draws), f"{'draw' if draws == 1 else 'draws'} with the ring", small),
        Gain(str(value), "points for the centre", "if one of yours comes out"),
    ]
    if state.options.show_odds:
        gains.insert(1, Gain(percent(chance(total, own, draws)), "chance of a centre", "every station alike"))
    return tuple(gains)


def _credit(state: State, pick: Pick) -> tuple[Gain, ...]:
    if not pick.earned:
        return ()
    if not state.credits[KINDS.index(pick.earned)]:
        return (Gain("0", f"no {pick.earned} credit left", "its pile is empty"),)
    points = CREDIT_POINTS[pick.earned]
    return (Gain(f"+{points}", f"a {pick.earned} credit", f"{pick.cards} real cards earn it: {points} points"),)
