"""The legal commands of a seat, for pages, tests and simulation.

`candidates` quickly lists possible commands, and `decide` says which of them are legal. So exactly the accepted
commands are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.games.hanse import commands as asked
from companion.games.hanse.cards import DIRECTIONS, INTERVENTIONS, TECHNOLOGIES, WITHIN
from companion.games.hanse.commands import Command
from companion.games.hanse.goods import pairs
from companion.games.hanse.places import PLANETS
from companion.games.hanse.rules import decide
from companion.games.hanse.state import Phase, State, other, waited_for
from companion.games.hanse.view import reachable
from companion.model.legal_moves import LegalMoves

LAST_DICE = range(2, 7)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* in this phase, in a fixed order.

    All legal commands are among them, with a few exceptions.

    The exceptions are the goods of the set-up, rolls of more than one die, unknown sides of goods, discards at the end
    of a turn, and corrections.
    """
    if seat not in waited_for(state):
        return
    match state.phase:
        case Phase.CHOICE:
            yield from (asked.Choose(seat, take) for take in ("first", "planet"))
        case Phase.PLANET:
            yield from (asked.Start(seat, planet) for planet in PLANETS)
        case Phase.TURN:
            yield from _turn(state, seat)
        case Phase.FLIP:
            yield from _flips(state, seat)
        case Phase.ANSWER:
            yield from (asked.Allow(seat), asked.Neutralise(seat))


def _turn(state: State, seat: str) -> Iterator[Command]:
    yield from (asked.Hyperjump(seat, direction) for direction in DIRECTIONS)
    yield from (asked.Unload(seat, number) for number in range(len(state.players[seat].containers)))
    yield from (asked.Load(seat, planet) for planet in PLANETS)
    yield from (asked.Buy(seat, card) for card in TECHNOLOGIES)
    yield from (asked.Fly(seat, place) for place in reachable(state))
    yield from (asked.Roll(seat, (die,)) for die in LAST_DICE)
    yield asked.Tunnel(seat)
    for card in INTERVENTIONS:
        yield from _interventions(state, seat, card)
    yield asked.EndTurn(seat)


def _interventions(state: State, seat: str, card: str) -> Iterator[Command]:
    if card in WITHIN:
        for planet, to in product(WITHIN[card], PLANETS):
            yield asked.Intervene(seat, card, asked.Loading(planet, to))
    elif card == "on_board_transmitter":
        mine, theirs = (state.players[each].containers for each in (seat, other(state, seat)))
        for one, two in product(range(len(mine)), range(len(theirs))):
            yield asked.Intervene(seat, card, asked.Exchange(one, two))
    else:
        yield asked.Intervene(seat, card)


def _flips(state: State, seat: str) -> Iterator[Command]:
    """Yield the commands that turn over the unloaded goods, if all their backs are known."""
    assert state.flipping is not None, "the phase was looked at"
    backs = tuple(card.back for card in state.flipping.cards if card.back is not None)
    if len(backs) == len(state.flipping.cards):
        yield from (asked.Flip(seat, backs, leave) for leave in pairs(backs) or (None,))


LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
