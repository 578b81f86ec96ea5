"""The strategy of simulated players in a demonstration game: legal, plausible and varied moves."""

from __future__ import annotations

from random import Random

from companion.games.andromeda import trading
from companion.games.andromeda.actions import CardSet, EndTurn, Exchange, Move, Ship, Technology, cost_of_next
from companion.games.andromeda.attempt import Draw, Establish
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.random_policy import command as any_command
from companion.games.andromeda.rounds import Deal
from companion.games.andromeda.rules import Command, choices, legal
from companion.games.andromeda.state import KINDS, LEAST_SET, Phase, State, best_free_centre, stations_on
from companion.games.andromeda.trading import ENOUGH_TO_SWAP, Lay, forbidden_cards, laying, must_lay, size
from companion.games.andromeda.transport import Transport
from companion.games.andromeda.view import waited_for

SIZES = {3: 6, 4: 5, 5: 2, 6: 1}
"""Weights of set sizes: roughly how often a hand of nine cards has this number of cards of one planet."""
FLIES = 0.3
"""The probability that a transport card is played."""
ONE_MORE = 0.3
"""The probability that a third card is laid."""
EAGER = 5.0


def command(state: State, lots: Random) -> Command:
    """Return a legal command for the first seat that must act. It must not be called after the end."""
    seat = waited_for(state)[0]
    match state.phase:
        case Phase.CARDS:
            return Deal()
        case Phase.TRANSPORT:
            return _transport(state, seat, lots)
        case Phase.TRADING if state.options.trade_record == "on":
            return _trade(state, seat, lots)
        case Phase.ACTIONS if state.attempt:
            return _draw(state, lots)
        case Phase.ACTIONS:
            return _action(state, seat, lots)
        case Phase.SETUP | Phase.TRADING:
            return any_command(state, lots)
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _transport(state: State, seat: str, lots: Random) -> Command:
    out = Transport(seat, "to_planet", lots.choice(PLANETS))
    return out if lots.random() < FLIES and legal(state, out) else Transport(seat, "pass")


def _trade(state: State, seat: str, lots: Random) -> Command:
    if laying(state) and (must_lay(state) or size(state) < ENOUGH_TO_SWAP or lots.random() < ONE_MORE):
        cards = [card for card in PLANETS if seat == state.starter or card not in forbidden_cards(state)]
        lots.shuffle(cards)
        lay = next((one for one in (Lay(seat, card) for card in cards) if legal(state, one)), None)
        if lay is not None:
            return lay
    offered = choices(state, seat)
    eager = [one for one in offered if not isinstance(one, trading.Command)]
    # A player with only forbidden planets lays a credit. Without a credit, the player sits out.
    return lots.choice(eager or list(offered))


def _draw(state: State, lots: Random) -> Command:
    attempt = state.attempt
    assert attempt is not None
    under = [colour for colour, count in stations_on(state, attempt.planet).items() for _ in range(count)]
    return Draw(lots.choice(under))


def _action(state: State, seat: str, lots: Random) -> Command:
    """Choose one command of each kind, drop illegal ones, and return one of the others by weighted random choice."""
    wishes = {
        _establish(state, seat, lots): EAGER,
        _move(state, seat, lots): 2.0,
        Exchange(seat, lots.choice((1, 2))): 2.0,
        _track(state, seat, "technology", lots): 1.5,
        _track(state, seat, "ship", lots): 1.0,
    }
    possible = {wish: weight for wish, weight in wishes.items() if wish is not None and legal(state, wish)}
    if not possible:
        return EndTurn(seat)
    return lots.choices(list(possible), list(possible.values()))[0]


def _establish(state: State, seat: str, lots: Random) -> Command | None:
    """Return an attempt at the planet with the highest expected value per draw, or None if no attempt can succeed."""
    worth = {planet: _worth(state, seat, planet) for planet in PLANETS}
    planet = max(worth, key=lambda each: worth[each])
    return Establish(seat, CardSet(planet, _size(state, seat, lots))) if worth[planet] else None


def _worth(state: State, seat: str, planet: str) -> float:
    slot, there = best_free_centre(state, planet), stations_on(state, planet)
    if slot is None or not there[seat]:
        return 0.0
    return state.setting.board.planet(planet).centres[slot] * there[seat] / sum(there.values())


def _move(state: State, seat: str, lots: Random) -> Command | None:
    free = [planet for planet in PLANETS if best_free_centre(state, planet) is not None]
    cards = _size(state, seat, lots)
    stations = min(cards // 2, state.players[seat].earth)
    return Move(seat, CardSet(lots.choice(free), cards), stations) if free and stations else None


def _track(state: State, seat: str, track: str, lots: Random) -> Command | None:
    cost = cost_of_next(state, seat, track)
    if cost is None:
        return None
    kind = Technology if track == "technology" else Ship
    return kind(seat, _with_jokers(state, seat, CardSet(lots.choice(PLANETS), cost)))


def _with_jokers(state: State, seat: str, cards: CardSet) -> CardSet:
    """Return *cards*. If there are more than three and the player has a credit, it replaces one of them."""
    held = [kind for kind in KINDS if state.players[seat].credit(kind)]
    if cards.size <= LEAST_SET or not held:
        return cards
    return CardSet(cards.planet, cards.cards - 1, (held[0],))


def _size(state: State, seat: str, lots: Random) -> int:
    most = state.players[seat].planet_cards
    sizes = {cards: weight for cards, weight in SIZES.items() if cards <= most} or {LEAST_SET: 1}
    return lots.choices(list(sizes), list(sizes.values()))[0]
