"""Random legal play for simulations and property tests.

Hands and backs of cards are chosen at random among the possible ones.

`broken` checks after every event that no card was lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from random import Random

from companion.games.hanse import flight, planet_actions, setup, turns
from companion.games.hanse.cards import CARDS, DECK, HAND_LIMIT
from companion.games.hanse.goods import ALL_GOODS, AT_A_PLANET
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.rules import LEGAL_MOVES, Command
from companion.games.hanse.scoring import GOAL
from companion.games.hanse.state import Phase, Player, State, goods_in_game, waited_for
from companion.kernel.fields import Line

COLOURS = ("red", "blue")
NAMES = ("Ana", "Ben")
OFTEN = flight.OFTEN | planet_actions.OFTEN


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header, with a random option if *any_rulings*."""
    seats = [{"colour": colour, "name": name} for colour, name in zip(COLOURS, NAMES, strict=True)][:players]
    options = {"reshuffle": lots.random() < 0.5} if any_rulings else {}
    return {"players": seats, "younger": lots.choice(COLOURS), "options": options}


def command(state: State, lots: Random) -> Command:
    """Return a legal command for a seat that must act. It must not be called after the end."""
    match state.phase:
        case Phase.GOODS:
            return setup.at_random(state, lots)
        case Phase.FLIP:
            return planet_actions.at_random(state, lots)
        case Phase.CHOICE | Phase.PLANET | Phase.TURN | Phase.ANSWER:
            seat = waited_for(state)[0]
            return LEGAL_MOVES.at_random(state, seat, lots, OFTEN, lambda chosen: _lived(state, chosen, lots))
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _lived(state: State, chosen: Command, lots: Random) -> Command:
    """Return *chosen* with realistic details."""
    if isinstance(chosen, flight.Command):
        return flight.at_random(state, chosen, lots)
    return turns.at_random(state, chosen, lots) if isinstance(chosen, turns.EndTurn) else chosen


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
