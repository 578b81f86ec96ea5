"""What holds after every event, whatever was played: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple

from companion.games.hanse.cards import CARDS, DECK, HAND_LIMIT
from companion.games.hanse.goods import ALL_GOODS, AT_A_PLANET, GOAL
from companion.games.hanse.hand import seen
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.state import Phase, Player, State, goods_in_game


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for every invariant that *state* breaks; none in a sound game."""
    found = [*_goods(state), *_turn(state)]
    for colour, player in state.players.items():
        found += (f"{colour}: {fault}" for fault in (*_cards(player), *_ship(state, player)))
    return tuple(found)


def _goods(state: State) -> Iterator[str]:
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


def _turn(state: State) -> Iterator[str]:
    turn = state.turn
    if turn is None:
        return
    if min(each for each in astuple(turn) if isinstance(each, int)) < 0:
        yield "something of the turn is below zero"
    if (state.phase is Phase.ANSWER) != (state.played is not None):
        yield "a card waits for an answer in the wrong phase"
    if state.phase is Phase.TURN and state.flipping is not None:
        yield "goods are being turned over in the midst of a turn"


def _cards(player: Player) -> Iterator[str]:
    count = player.hand + player.draw_pile + player.discards + sum(player.technologies)
    if count != DECK:
        yield f"{count} cards, not {DECK}"
    if min(player.hand, player.draw_pile, player.discards, *player.technologies) < 0 or player.hand > HAND_LIMIT:
        yield f"{player.hand} cards in hand, {player.draw_pile} in the pile, {player.discards} discarded"
    if sum(player.known.values()) > player.discards or any(seen(player, card) > CARDS[card] for card in CARDS):
        yield "more cards are known than there are"


def _ship(state: State, player: Player) -> Iterator[str]:
    if not 0 <= player.megagalax <= GOAL:
        yield f"{player.megagalax} Megagalax"
    if (player.place in PLACES) != (state.turn is not None) and state.phase is not Phase.PLANET:
        yield f"the ship is at {player.place}"
    if len(player.containers) != 1 + player.technology("container"):
        yield f"{len(player.containers)} containers"
    if any(len({card.to for card in cargo}) > 1 for cargo in player.containers):
        yield "a container holds goods for two planets"
