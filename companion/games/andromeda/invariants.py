"""What holds after every event, whatever was played: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.andromeda.state import CREDIT_SUPPLY, KINDS, PLANET_CARDS, TOP_LEVEL, Player, State, on_centres

STATIONS = {3: 26, 4: 22, 5: 19}
"""Stations of a colour on Earth, planets, centres and the two tracks, by number of players (preparation)."""
ON_TRACKS = 2


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for every invariant that *state* breaks; none in a sound game."""
    return (*_cards(state), *(fault for colour in state.colours for fault in _player(state, colour)))


def stations_of(state: State, colour: str) -> int:
    """Count all stations of *colour* that are in the game."""
    player = state.players[colour]
    return player.earth + sum(player.planets) + player.unplaced + on_centres(state, colour) + ON_TRACKS


def _cards(state: State) -> Iterator[str]:
    planet_cards = state.supply + state.discards + sum(player.planet_cards for player in state.players.values())
    if planet_cards != PLANET_CARDS:
        yield f"{planet_cards} planet cards, not {PLANET_CARDS}"
    for at, kind in enumerate(KINDS):
        credits = state.credits[at] + sum(player.credits[at] for player in state.players.values())
        if credits != CREDIT_SUPPLY[kind]:
            yield f"{credits} {kind} credits, not {CREDIT_SUPPLY[kind]}"
    if min(state.supply, state.discards, *state.credits) < 0:
        yield "a pile of cards is below zero"


def _player(state: State, colour: str) -> Iterator[str]:
    player, wanted = state.players[colour], STATIONS[len(state.colours)]
    if stations_of(state, colour) != wanted:
        yield f"{colour} has {stations_of(state, colour)} stations, not {wanted}"
    if min(_counts(player)) < 0:
        yield f"{colour} has a count below zero"
    if not (1 <= player.ship <= TOP_LEVEL and 1 <= player.technology <= TOP_LEVEL):
        yield f"{colour} stands beside a track"


def _counts(player: Player) -> tuple[int, ...]:
    return (player.earth, *player.planets, player.planet_cards, *player.credits, player.transport)
