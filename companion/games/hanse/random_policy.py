"""Random legal play for simulations and property tests.

Hands and backs of cards are chosen at random among the possible ones.

`broken` checks after every event that no card was lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from random import Random

from companion.games.hanse.cards import CARDS, DECK, HAND_LIMIT
from companion.games.hanse.flight import Fly, Roll, cast, reachable
from companion.games.hanse.goods import ALL_GOODS, AT_A_PLANET, GOAL, VALUES, CardSide, pairs
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.planet_actions import Flip, Load, Unload
from companion.games.hanse.rules import LEGAL_MOVES, Command
from companion.games.hanse.setup import LayGoods
from companion.games.hanse.state import Phase, Player, State, goods_in_game, waited_for
from companion.games.hanse.turns import EndTurn
from companion.kernel.fields import Line

COLOURS = ("red", "blue")
NAMES = ("Ana", "Ben")
OFTEN: dict[type, float] = {Unload: 30.0, Load: 8.0, Roll: 8.0, Fly: 4.0}
"""Weights of commands that help to end a game. All other commands have the weight 1."""
STRAIGHT = 0.7
"""The probability that a ship flies to the destination of its goods if it can."""
NAMED = 0.5
"""The probability that a card discarded at the end of a turn is named."""


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header, with a random option if *any_rulings*."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
    options = {"reshuffle": lots.random() < NAMED} if any_rulings else {}
    return {"players": seats, "younger": lots.choice(COLOURS), "options": options}


def command(state: State, lots: Random) -> Command:
    """Return a legal command for a seat that must act. It must not be called after the end."""
    match state.phase:
        case Phase.GOODS:
            planet = next(each for each in PLANETS if not state.at(each))
            return LayGoods(planet, tuple(any_side(planet, lots) for _ in range(AT_A_PLANET)))
        case Phase.FLIP:
            return flipped(state, lots)
        case Phase.CHOICE | Phase.PLANET | Phase.TURN | Phase.ANSWER:
            seat = waited_for(state)[0]
            return LEGAL_MOVES.at_random(state, seat, lots, OFTEN, lambda chosen: _lived(state, chosen, lots))
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def any_side(planet: str, lots: Random) -> CardSide:
    """Return a random side of a card, as it may be visible at *planet*."""
    return CardSide(lots.choice([each for each in PLANETS if each != planet]), lots.choice(VALUES))


def flipped(state: State, lots: Random) -> Flip:
    """Return the command that turns over the unloaded goods. Unknown backs are chosen at random."""
    assert state.flipping is not None, "the phase was looked at"
    planet, cards = state.flipping.planet, state.flipping.cards
    sides = tuple(any_side(planet, lots) if card.back is None else card.back for card in cards)
    found = pairs(sides)
    return Flip(waited_for(state)[0], sides, lots.choice(found) if found else None)


def _lived(state: State, chosen: Command, lots: Random) -> Command:
    """Return *chosen* with realistic details: rolled dice, discarded cards, and usually a useful place to fly to."""
    match chosen:
        case Roll(player):
            return Roll(player, cast(lots))
        case EndTurn(player):
            return EndTurn(player, _discard(state, player, lots))
        case Fly(player):
            wanted = [place for place in reachable(state) if _wanted(state, player, place)]
            straight = wanted and lots.random() < STRAIGHT
            return Fly(player, lots.choice(wanted)) if straight else chosen
    return chosen


def _wanted(state: State, player: str, place: str) -> bool:
    """Return whether *player* carries a container for the planet at *place*."""
    return any(cargo[0].to == place for cargo in state.players[player].containers if cargo)


def _discard(state: State, seat: str, lots: Random) -> tuple[str | None, ...]:
    player = state.players[seat]
    count = lots.choice((0, 0, 0, 1, 1, 2))
    cards: list[str | None] = [None] * min(count, player.hand)
    names = [card for card in CARDS if player.may_hold(card)]
    if cards and names and lots.random() < NAMED:
        cards[0] = lots.choice(names)
    return tuple(cards)


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for each invariant that *state* violates. The result is empty if there is none."""
    found = [*_goods_faults(state), *_turn_faults(state)]
    for colour, player in state.players.items():
        found += (f"{colour}: {fault}" for fault in (*_cards_faults(player), *_ship_faults(state, player)))
    return tuple(found)


def _goods_faults(state: State) -> Iterator[str]:
    count = goods_in_game(state)
    if state.phase is Phase.GOODS:
        if count % AT_A_PLANET:
            yield f"{count} goods cards are out"
    elif not 0 <= count <= ALL_GOODS or count % 2:
        yield f"{count} goods cards are in the game"
    for planet, cargo in zip(PLANETS, state.goods, strict=True):
        if any(card.to == planet for card in cargo):
            yield f"a card at {planet} shows {planet}"
        if any(card.back and card.back.to == card.to for card in cargo):
            yield f"a card at {planet} names one planet on both sides"


def _turn_faults(state: State) -> Iterator[str]:
    turn = state.turn
    if turn is None:
        return
    if min(each for each in astuple(turn) if isinstance(each, int)) < 0:
        yield "something of the turn is below zero"
    if (state.phase is Phase.ANSWER) != (state.played is not None):
        yield "a card waits for an answer in the wrong phase"
    if state.phase is Phase.TURN and state.flipping is not None:
        yield "goods are being turned over in the midst of a turn"


def _cards_faults(player: Player) -> Iterator[str]:
    count = player.hand + player.draw_pile + player.discards + sum(player.technologies)
    if count != DECK:
        yield f"{count} cards, not {DECK}"
    if min(player.hand, player.draw_pile, player.discards, *player.technologies) < 0 or player.hand > HAND_LIMIT:
        yield f"{player.hand} cards in hand, {player.draw_pile} in the pile, {player.discards} discarded"
    if sum(player.known.values()) > player.discards or any(player.seen(card) > CARDS[card] for card in CARDS):
        yield "more cards are known than there are"


def _ship_faults(state: State, player: Player) -> Iterator[str]:
    if not 0 <= player.megagalax <= GOAL:
        yield f"{player.megagalax} Megagalax"
    if (player.place in PLACES) != (state.turn is not None) and state.phase is not Phase.PLANET:
        yield f"the ship is at {player.place}"
    if len(player.containers) != 1 + player.technology("container"):
        yield f"{len(player.containers)} containers"
    if any(len({card.to for card in cargo}) > 1 for cargo in player.containers):
        yield "a container holds goods for two planets"


class _RandomPlay:
    """Random play of this game, as the simulation uses it."""

    players = (len(COLOURS),)
    header = staticmethod(header)
    command = staticmethod(command)
    broken = staticmethod(broken)

    def rounds(self, state: State) -> int:
        """Return how many turns each player has had, the current one included."""
        return (state.turn.number + 1) // 2 if state.turn else 1


RANDOM_PLAY = _RandomPlay()
