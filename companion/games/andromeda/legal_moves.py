"""The legal commands of a seat, for pages, tests and simulation.

`candidates` quickly lists possible commands, and `decide` says which of them are legal. So exactly the accepted
commands are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from companion.games.andromeda import commands as asked
from companion.games.andromeda.actions import cost_of_next, most_exchanged, stations_moved
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.commands import CardSet, Command
from companion.games.andromeda.rules import decide
from companion.games.andromeda.state import EARNED_BY, KINDS, LARGEST_SET, LEAST_SET, Phase, Player, State, stations_on
from companion.games.andromeda.trading import laying, trading_of
from companion.model.legal_moves import LegalMoves


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* in this phase, in a fixed order.

    All legal commands are among them, with a few exceptions.

    The exceptions are set-up cards (all combinations with the right sum), corrections, and double exits, which no
    player chooses.
    """
    match state.phase:
        case Phase.CARDS if seat == state.starter:
            yield asked.Deal()
        case Phase.TRANSPORT if seat == state.turn:
            yield from _transports(seat)
        case Phase.TRADING:
            yield from _trades(state, seat)
        case Phase.ACTIONS if state.attempt:
            yield from _draws(state, seat)
        case Phase.ACTIONS if seat == state.turn:
            yield from _actions(state, seat)


def _transports(seat: str) -> Iterator[Command]:
    yield asked.Transport(seat, "pass")
    for move, planet in product(("to_planet", "to_earth"), PLANETS):
        yield asked.Transport(seat, move, planet)


def _trades(state: State, seat: str) -> Iterator[Command]:
    if state.options.trade_record == "off":
        if seat == state.starter:
            yield asked.EndTrading()
        return
    if laying(state):
        yield from (asked.Lay(seat, card) for card in (*PLANETS, *KINDS, None))
        yield asked.Excuse(seat)
    if trading_of(state).partner == seat:
        yield from (asked.Keep(seat), asked.Leave(seat))
    yield from (asked.Swap(seat, partner) for partner in state.colours)
    yield asked.TakeBack(seat)


def _draws(state: State, seat: str) -> Iterator[Command]:
    attempt = state.attempt
    if attempt is None or attempt.player != seat:
        return
    yield from (asked.Draw(colour) for colour, count in stations_on(state, attempt.planet).items() if count)
    yield asked.StopDrawing(seat)


def _actions(state: State, seat: str) -> Iterator[Command]:
    player = state.players[seat]
    yield from (asked.Exchange(seat, cards) for cards in range(1, most_exchanged(state, seat) + 1))
    for jokers in joker_sets(player):
        for planet, cards in product(PLANETS, range(1, LARGEST_SET - len(jokers) + 1)):
            if cards + len(jokers) >= LEAST_SET and cards <= player.planet_cards:
                yield from _plays(state, seat, CardSet(planet, cards, jokers))
    if state.options.transport_as_action:
        yield from _transports(seat)
    yield asked.EndTurn(seat)


def joker_sets(player: Player) -> Iterator[tuple[str, ...]]:
    """Yield every choice of the player's credits as jokers for a set.

    Even the largest set has at least one real card.
    """
    for count in range(min(sum(player.credits), LARGEST_SET - 1) + 1):
        for jokers in combinations_with_replacement(KINDS, count):
            if all(jokers.count(kind) <= player.credit(kind) for kind in set(jokers)):
                yield jokers


def _plays(state: State, seat: str, cards: CardSet) -> Iterator[Command]:
    most = min(stations_moved(state, seat, cards.size), state.players[seat].earth)
    for bonus in (True, False) if _earns(state, cards) else (True,):
        yield from (asked.Move(seat, cards, stations, bonus) for stations in range(most, -1, -1))
        yield asked.Establish(seat, cards, bonus)
        if cards.size >= (cost_of_next(state, seat, "ship") or LARGEST_SET + 1):
            yield asked.Ship(seat, cards, bonus)
        if cards.size >= (cost_of_next(state, seat, "technology") or LARGEST_SET + 1):
            yield asked.Technology(seat, cards, bonus)


def _earns(state: State, cards: CardSet) -> bool:
    kind = EARNED_BY.get(cards.true_size)
    return kind is not None and state.credits[KINDS.index(kind)] > 0


def idlest(state: State, seat: str) -> tuple[Command, ...]:
    """Return the commands with the least effect for an absent *seat*.

    The other players decide about the trade of an absent starting player.
    """
    match state.phase:
        case Phase.TRANSPORT:
            return (asked.Transport(seat, "pass"),)
        case Phase.TRADING if seat != state.starter:
            keep = (asked.Keep(seat),) if trading_of(state).partner == seat else ()
            return (*keep, asked.TakeBack(seat), asked.Lay(seat, None), asked.Excuse(seat))
        case Phase.ACTIONS if not state.attempt:
            return (asked.EndTurn(seat),)
        case _:
            return ()


LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
why_not = LEGAL_MOVES.why_not
