"""Random legal play, for simulations and property tests: any hand that a table could have held."""

from __future__ import annotations

from random import Random

from companion.games.andromeda import commands as asked
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.commands import Command
from companion.games.andromeda.invariants import broken
from companion.games.andromeda.legal_moves import candidates, legal
from companion.games.andromeda.options import CHOICES, Options
from companion.games.andromeda.preparation import dealt_so_far
from companion.games.andromeda.state import CARDS_OF_A_PLANET, STOCK, Phase, State, stations_on
from companion.games.andromeda.view import waited_for
from companion.kernel.validation import Line

COLOURS = ("red", "blue", "green", "yellow", "black")
NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli")
PAIRS = 0.03
"""How often two stations leave the ring at once (reasoned, as for the simulated ring)."""
RARELY: dict[type[object], float] = {asked.Excuse: 0.03, asked.EndTurn: 0.2, asked.StopDrawing: 0.1}
"""Weights of what people seldom do; everything else weighs 1."""


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header for 3 to 5 *players*."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
    options = {name: lots.choice(values) for name, values in _rulings().items()} if any_rulings else {}
    return {"players": seats, "first": lots.choice(seats)["colour"], "options": options}


def command(state: State, lots: Random) -> Command:
    """Return a legal command for one of those the table waits for; never called after the end."""
    seat = lots.choice(waited_for(state))
    if state.phase is Phase.SETUP:
        return asked.SetUp(seat, _set_up_cards(state, lots))
    if state.attempt:
        return _draw(state, lots)
    return _choice(state, seat, lots)


def _choice(state: State, seat: str, lots: Random) -> Command:
    """Draw a kind of command first, so that the many sets do not drown the rest, then one of it."""
    found: dict[type[object], list[Command]] = {}
    for candidate in candidates(state, seat):
        found.setdefault(type(candidate), []).append(candidate)
    while found:
        kinds = sorted(found, key=lambda kind: kind.__name__)
        kind = lots.choices(kinds, [RARELY.get(kind, 1.0) for kind in kinds])[0]
        at = lots.randrange(len(found[kind]))
        if legal(state, chosen := found[kind].pop(at)):
            return chosen
        if not found[kind]:
            del found[kind]
    raise RuntimeError(f"{seat} is waited for and can do nothing")


def _draw(state: State, lots: Random) -> Command:
    attempt = state.attempt
    assert attempt is not None
    under = [colour for colour, count in stations_on(state, attempt.planet).items() for _ in range(count)]
    if len(under) > 1 and lots.random() < PAIRS:
        first, second = lots.sample(under, 2)
        out = lots.choice((first, second)) if state.options.double_exit == "random_of_two" else None
        return asked.DoubleExit((first, second), out)
    stop = asked.StopDrawing(attempt.player)
    if legal(state, stop) and lots.random() < RARELY[asked.StopDrawing]:
        return stop
    return asked.Draw(lots.choice(under))


def _set_up_cards(state: State, lots: Random) -> tuple[int, ...]:
    left = [CARDS_OF_A_PLANET - dealt for dealt in dealt_so_far(state)]
    deck = [at for at, cards in enumerate(left) for _ in range(cards)]
    hand = lots.sample(deck, state.setting.stock.cards)
    return tuple(hand.count(at) for at in range(len(PLANETS)))


def _rulings() -> dict[str, tuple[object, ...]]:
    flags = {name: (False, True) for name in Options.__slots__ if name not in CHOICES}
    return {**flags, **CHOICES}


class _RandomPlay:
    """This module as the simulation knows it."""

    players = tuple(STOCK)
    header = staticmethod(header)
    command = staticmethod(command)
    broken = staticmethod(broken)

    def rounds(self, state: State) -> int:
        """Return the round."""
        return state.round


RANDOM_PLAY = _RandomPlay()
