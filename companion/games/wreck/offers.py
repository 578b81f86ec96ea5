"""Who gets which dice: offers go round until somebody takes them, and the last card goes with the rest."""

from __future__ import annotations

from typing import assert_never

from companion.games.wreck.commands import Accept, Decline, Offer, OfferCommand
from companion.games.wreck.dice import counted, holds, showing
from companion.games.wreck.events import (
    Event,
    LastCardTaken,
    OffererChanged,
    OfferMade,
    OfferPassed,
    OfferTaken,
    TurnBegan,
)
from companion.games.wreck.evolve import evolve
from companion.games.wreck.state import OpenOffer as OnTheTable
from companion.games.wreck.state import Phase, State, carded, name_of, without_card
from companion.games.wreck.terms import counted_dice, symbol
from companion.kernel.errors import Refused
from companion.kernel.i18n import said

FOR_EACH_CARD = 2
"""Dice that stay for every order card that is free after an offer."""


def deal(state: State, command: OfferCommand) -> tuple[Event, ...]:
    """Answer an offer, or what somebody says to it."""
    match command:
        case Offer():
            return offer(state, command)
        case Accept():
            return accept(state, command)
        case Decline():
            return decline(state, command)
        case _:
            assert_never(command)


def offer(state: State, command: Offer) -> tuple[Event, ...]:
    """Put dice on the lowest free order card: one at least, and enough stay for the cards after it."""
    _check_phase(state)
    if state.offer is not None:
        raise Refused(said("%(name)s hasn't answered the offer yet.", name=name_of(state, state.offer.asked)))
    if command.player != state.offerer:
        raise Refused(said("%(name)s makes the offers now.", name=name_of(state, state.offerer)))
    if not command.dice:
        raise Refused(said("An offer has 1 die at least."))
    dice = counted(command.dice)
    if not holds(state.pool, dice):
        raise Refused(said("Those dice aren't all in the pool."))
    if len(command.dice) > most_offered(state):
        most = counted_dice(most_offered(state))
        raise Refused(said("This offer has %(dice)s at most: 2 stay for each free card.", dice=most))
    return (OfferMade(command.player, dice, without_card(state, command.player)),)


def most_offered(state: State) -> int:
    """Return how many dice an offer may have now."""
    free = len(state.colours) - carded(state) - 1
    return sum(state.pool) - FOR_EACH_CARD * free


def accept(state: State, command: Accept) -> tuple[Event, ...]:
    """Take the card with its dice and one more of the pool."""
    _asked(state, command.player)
    if command.die is not None and not showing(state.pool, command.die):
        raise Refused(said("No %(symbol)s die is left in the pool.", symbol=symbol(command.die)))
    taken = OfferTaken(command.player, command.die)
    return (taken, *_after(evolve(state, taken)))


def decline(state: State, command: Decline) -> tuple[Event, ...]:
    """Pass the offer on, clockwise; whoever made it can't."""
    lying = _asked(state, command.player)
    if lying.forced:
        raise Refused(said("The offer is back: %(name)s takes it.", name=name_of(state, command.player)))
    return (OfferPassed(without_card(state, command.player)),)


def _after(state: State) -> tuple[Event, ...]:
    """Return what follows an offer taken: the next one, or the last card and the first turn."""
    left = [colour for colour in state.colours if not state.players[colour].order]
    if len(left) == 1:
        first = next(colour for colour in state.colours if state.players[colour].order == 1)
        return (LastCardTaken(left[0]), TurnBegan(first))
    if state.players[state.offerer].order:
        return (OffererChanged(without_card(state, state.offerer)),)
    return ()


def _check_phase(state: State) -> None:
    if state.phase is not Phase.OFFERS:
        raise Refused(said("Offers are made after the roll, before the turns."))


def _asked(state: State, colour: str) -> OnTheTable:
    """Return the offer on the table if *colour* is asked about it."""
    _check_phase(state)
    if state.offer is None:
        raise Refused(said("There's no offer yet. %(name)s makes one.", name=name_of(state, state.offerer)))
    if state.offer.asked != colour:
        raise Refused(said("%(name)s is asked now.", name=name_of(state, state.offer.asked)))
    return state.offer
