"""What is between the turns: general missions opened, personal ones swapped, the roll, and how a round ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from companion.games.wreck.commands import BetweenTurns, Exchange, Open, Roll
from companion.games.wreck.dice import CONTAMINATION, MOST_CONTAMINATION, counted
from companion.games.wreck.events import (
    CleanUpBegan,
    DiceRolled,
    Event,
    GameEnded,
    MissionExchanged,
    MissionOpened,
)
from companion.games.wreck.scoring import reached
from companion.games.wreck.state import ROUNDS, Phase, State, clockwise_from, name_of
from companion.games.wreck.terms import counted_dice
from companion.kernel.errors import Refused
from companion.kernel.i18n import said

BETWEEN = (Phase.SETUP, Phase.CLEANUP)


def prepare(state: State, command: BetweenTurns) -> tuple[Event, ...]:
    """Answer what is done before the offers of a round."""
    match command:
        case Open():
            return open_mission(state, command)
        case Exchange():
            return exchange(state, command)
        case Roll():
            return roll(state, command)
        case _:
            assert_never(command)


def open_mission(state: State, command: Open) -> tuple[Event, ...]:
    """Open the next general mission: one in the set-up, one in each clean-up."""
    if state.phase not in BETWEEN or not state.open_due:
        raise Refused(said("Missions are opened once, in the set-up and in each clean-up."))
    return (MissionOpened(command.card),)


def exchange(state: State, command: Exchange) -> tuple[Event, ...]:
    """Swap a personal mission: in the clean-up, once, and not where it was fulfilled this round."""
    name, player = name_of(state, command.player), state.players[command.player]
    if state.phase is not Phase.CLEANUP:
        raise Refused(said("Personal missions are swapped in the clean-up."))
    _check_opened(state)
    if player.fulfilled:
        raise Refused(said("%(name)s fulfilled one this round and has a new one.", name=name))
    if not player.personal:
        raise Refused(said("%(name)s has no personal mission.", name=name))
    if player.exchanged:
        raise Refused(said("%(name)s has already swapped this round.", name=name))
    return (MissionExchanged(command.player),)


def roll(state: State, command: Roll) -> tuple[Event, ...]:
    """Begin a round: all dice are rolled, at most three contaminations stay, the others are rolled again."""
    if state.phase not in BETWEEN:
        raise Refused(said("The dice are rolled once, at the start of a round."))
    _check_opened(state)
    if command.player != state.starter:
        raise Refused(said("%(name)s rolls: the starting player.", name=name_of(state, state.starter)))
    _check_number(command.dice, state.setting.dice)
    number = 1 if state.phase is Phase.SETUP else state.round + 1
    return (DiceRolled(number, counted(_kept(command))),)


def over(state: State) -> tuple[Event, ...]:
    """Return what follows the last turn of a round: the end of the game, or the clean-up."""
    if state.round == ROUNDS or reached(state):
        return (GameEnded(),)
    starter = clockwise_from(state, state.starter)[1]
    fulfilled = [colour for colour in clockwise_from(state, starter) if state.players[colour].fulfilled]
    return (CleanUpBegan(starter, tuple(fulfilled[: state.personal_pile])),)


def rerolled(dice: Sequence[str]) -> int:
    """Return how many of *dice*, just rolled first, have to be rolled again."""
    return max(0, list(dice).count(CONTAMINATION) - MOST_CONTAMINATION)


def _kept(command: Roll) -> list[str]:
    """Return what is in the pool after all rerolls, or refuse a list that is too short or too long."""
    again = rerolled(command.dice)
    kept, left = list(command.dice), again
    for dice in command.rerolls:
        if not left:
            raise Refused(said("Nothing is rolled again: there's too little contamination."))
        _check_number(dice, left)
        kept += [symbol for symbol in dice if symbol != CONTAMINATION]
        left = dice.count(CONTAMINATION)
    if left:
        raise Refused(said("Roll %(dice)s again: 3 contaminations stay at most.", dice=counted_dice(left)))
    for _ in range(again):
        kept.remove(CONTAMINATION)
    return kept


def _check_number(dice: Sequence[str], wanted: int) -> None:
    if len(dice) != wanted:
        raise Refused(said("Roll %(dice)s, not %(count)s.", dice=counted_dice(wanted), count=len(dice)))


def _check_opened(state: State) -> None:
    if state.open_due:
        raise Refused(said("Open the next general mission first."))
