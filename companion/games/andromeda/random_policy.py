"""Random legal play for simulations and property tests. Hands are chosen at random among the possible ones.

`broken` checks after every event that no card or station was lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.andromeda import actions, attempt, trading
from companion.games.andromeda.attempt import DoubleExit, Draw, StopDrawing
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.options import CHOICES, Options
from companion.games.andromeda.rounds import SetUp, dealt_so_far
from companion.games.andromeda.rules import LEGAL_MOVES, Command, legal
from companion.games.andromeda.state import (
    CARDS_OF_A_PLANET,
    CREDIT_SUPPLY,
    KINDS,
    PLANET_CARDS,
    STOCK,
    TOP_LEVEL,
    Phase,
    Player,
    State,
    on_centres,
    stations_on,
)
from companion.games.andromeda.view import waited_for
from companion.kernel.fields import Line

COLOURS = ("red", "blue", "green", "yellow", "black")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
PAIRS = 0.03
"""The probability that two stations leave the ring at once. It is an assumption, as for the simulated ring."""
RARELY = trading.RARELY | actions.RARELY | attempt.RARELY
"""Weights of commands that people rarely give. All other commands have the weight 1."""
STATIONS = {3: 26, 4: 22, 5: 19}
"""The number of stations and markers of a colour in play, by number of players (rules: preparation)."""
ON_TRACKS = 2


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header for 3 to 5 *players*, with random options if *any_rulings*."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
    options = {name: lots.choice(values) for name, values in _rulings().items()} if any_rulings else {}
    return {"players": seats, "first": lots.choice(seats)["colour"], "options": options}


def command(state: State, lots: Random) -> Command:
    """Return a legal command for one of the seats that must act. It must not be called after the end."""
    seat = lots.choice(waited_for(state))
    if state.phase is Phase.SETUP:
        return SetUp(seat, _set_up_cards(state, lots))
    if state.attempt:
        return _draw(state, lots)
    return LEGAL_MOVES.at_random(state, seat, lots, RARELY, lambda chosen: chosen)


def _draw(state: State, lots: Random) -> Command:
    attempt = state.attempt
    assert attempt is not None
    under = [colour for colour, count in stations_on(state, attempt.planet).items() for _ in range(count)]
    if len(under) > 1 and lots.random() < PAIRS:
        first, second = lots.sample(under, 2)
        out = lots.choice((first, second)) if state.options.double_exit == "random_of_two" else None
        return DoubleExit((first, second), out)
    stop = StopDrawing(attempt.player)
    if legal(state, stop) and lots.random() < RARELY[StopDrawing]:
        return stop
    return Draw(lots.choice(under))


def _set_up_cards(state: State, lots: Random) -> tuple[int, ...]:
    left = [CARDS_OF_A_PLANET - dealt for dealt in dealt_so_far(state)]
    deck = [at for at, cards in enumerate(left) for _ in range(cards)]
    hand = lots.sample(deck, state.setting.stock.cards)
    return tuple(hand.count(at) for at in range(len(PLANETS)))


def _rulings() -> dict[str, tuple[object, ...]]:
    flags = {name: (False, True) for name in Options.__slots__ if name not in CHOICES}
    return {**flags, **CHOICES}


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for each invariant that *state* violates. The result is empty if there is none."""
    return (*_card_faults(state), *(fault for colour in state.colours for fault in _player_faults(state, colour)))


def stations_of(state: State, colour: str) -> int:
    """Count all stations of *colour* in the game."""
    player = state.players[colour]
    return player.earth + sum(player.planets) + player.unplaced + on_centres(state, colour) + ON_TRACKS


def _card_faults(state: State) -> Iterator[str]:
    planet_cards = state.supply + state.discards + sum(player.planet_cards for player in state.players.values())
    if planet_cards != PLANET_CARDS:
        yield f"{planet_cards} planet cards, not {PLANET_CARDS}"
    for at, kind in enumerate(KINDS):
        credits = state.credits[at] + sum(player.credits[at] for player in state.players.values())
        if credits != CREDIT_SUPPLY[kind]:
            yield f"{credits} {kind} credits, not {CREDIT_SUPPLY[kind]}"
    if min(state.supply, state.discards, *state.credits) < 0:
        yield "a pile of cards is below zero"


def _player_faults(state: State, colour: str) -> Iterator[str]:
    player, wanted = state.players[colour], STATIONS[len(state.colours)]
    if stations_of(state, colour) != wanted:
        yield f"{colour} has {stations_of(state, colour)} stations, not {wanted}"
    if min(_counts_of(player)) < 0:
        yield f"{colour} has a count below zero"
    if not (1 <= player.ship <= TOP_LEVEL and 1 <= player.technology <= TOP_LEVEL):
        yield f"{colour} stands beside a track"


def _counts_of(player: Player) -> tuple[int, ...]:
    return (player.earth, *player.planets, player.planet_cards, *player.credits, player.transport)


class _RandomPlay:
    """Random play of this game, as the simulation uses it."""

    players = tuple(STOCK)
    header = staticmethod(header)
    command = staticmethod(command)
    broken = staticmethod(broken)

    def rounds(self, state: State) -> int:
        """Return the number of the current round."""
        return state.round


RANDOM_PLAY = _RandomPlay()
