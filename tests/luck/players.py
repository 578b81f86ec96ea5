"""Simulated players of Andromeda, of unequal strength, who make few random choices."""

from __future__ import annotations

from random import Random

from companion.games.andromeda.actions import CardSet, EndTurn, Move
from companion.games.andromeda.attempt import Establish
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.demo_policy import command as lively
from companion.games.andromeda.rules import Command, legal
from companion.games.andromeda.state import Phase, State, best_free_centre, stations_on

CARDS = {"red": 6, "blue": 5, "green": 4, "yellow": 3}
"""How large a set each player plays: more cards mean more draws and stations, so red is the strongest."""


def unequal(state: State, lots: Random) -> Command:
    """Return the current player's command: the best attempt or move with as many cards as CARDS gives the colour."""
    if state.phase is not Phase.ACTIONS or state.attempt:
        return lively(state, lots)
    seat = state.turn
    cards = min(CARDS[seat], state.players[seat].planet_cards)
    wishes = [_establish(state, seat, cards), _move(state, seat, cards)]
    return next((wish for wish in wishes if wish is not None and legal(state, wish)), EndTurn(seat))


def _establish(state: State, seat: str, cards: int) -> Command | None:
    worth = {planet: _worth(state, seat, planet) for planet in PLANETS}
    best = max(PLANETS, key=lambda planet: worth[planet])
    return Establish(seat, CardSet(best, cards)) if worth[best] else None


def _worth(state: State, seat: str, planet: str) -> float:
    slot, there = best_free_centre(state, planet), stations_on(state, planet)
    if slot is None or not there[seat]:
        return 0.0
    return state.setting.board.planet(planet).centres[slot] * there[seat] / sum(there.values())


def _move(state: State, seat: str, cards: int) -> Command | None:
    free = {
        planet: state.setting.board.planet(planet).centres[slot]
        for planet in PLANETS
        if (slot := best_free_centre(state, planet)) is not None
    }
    stations = min(cards // 2, state.players[seat].earth)
    if not free or not stations:
        return None
    return Move(seat, CardSet(max(free, key=lambda planet: free[planet]), cards), stations)
