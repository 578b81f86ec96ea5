"""Preparation, and the deal at the start of a round."""

from __future__ import annotations

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.commands import SetUp
from companion.games.andromeda.events import CardsShown, Dealt, Event, PhaseBegan, RoundBegan
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.state import (
    CARDS_OF_A_PLANET,
    FIRST_HAND,
    Phase,
    State,
    clockwise_from,
    label_of,
    name_of,
)
from companion.kernel.errors import Refused
from companion.kernel.i18n import Said, said


def set_up(state: State, command: SetUp) -> tuple[Event, ...]:
    """Place a player's set-up cards; the last player's brings the first hands (preparation)."""
    _check_phase(state, Phase.SETUP, said("Set-up is over."))
    name, wanted = name_of(state, command.player), state.setting.stock.cards
    if not state.players[command.player].unplaced:
        raise Refused(said("%(name)s's set-up cards are already placed.", name=name))
    if sum(command.cards) != wanted:
        chosen = sum(command.cards)
        raise Refused(
            said("%(name)s needs %(wanted)s set-up cards, not %(count)s.", name=name, wanted=wanted, count=chosen)
        )
    for planet, dealt, more in zip(PLANETS, dealt_so_far(state), command.cards, strict=True):
        if dealt + more > CARDS_OF_A_PLANET:
            most, label = CARDS_OF_A_PLANET, label_of(state, planet)
            raise Refused(said("The game has only %(most)s %(planet)s cards.", most=most, planet=label))
    shown = CardsShown(command.player, command.cards)
    placed = evolve(state, shown)
    if any(player.unplaced for player in placed.players.values()):
        return (shown,)
    hands = tuple((colour, FIRST_HAND) for colour in state.colours)
    return (shown, Dealt(hands), RoundBegan(1, state.setting.first))


def dealt_so_far(state: State) -> tuple[int, ...]:
    """Count the set-up cards on the table by planet: stations beyond those that every planet starts with."""
    start = state.setting.stock.planet
    return tuple(sum(player.planets[at] - start for player in state.players.values()) for at in range(len(PLANETS)))


def deal(state: State) -> tuple[Event, ...]:
    """Fill every hand up to its limit and go on to transport (the card phase)."""
    _check_phase(state, Phase.CARDS, said("Cards are dealt only at the start of a round."))
    cards = tuple(to_deal(state).items())
    return (Dealt(cards), PhaseBegan(Phase.TRANSPORT, state.starter))


def to_deal(state: State) -> dict[str, int]:
    """Return how many cards each hand lacks, clockwise from the starting player.

    Should the cards run out (only after corrections by hand can they), the
    last ones get fewer.
    """
    left = state.supply + state.discards
    cards = {}
    for colour in clockwise_from(state, state.starter):
        player = state.players[colour]
        cards[colour] = min(left, max(0, player.hand_limit - player.hand))
        left -= cards[colour]
    return cards


def _check_phase(state: State, phase: Phase, reason: Said) -> None:
    if state.phase is not phase:
        raise Refused(reason)
