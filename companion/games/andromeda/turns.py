"""Whose turn it is, how turns and rounds pass, and what an action that is done brings."""

from __future__ import annotations

from companion.games.andromeda.commands import EndTurn
from companion.games.andromeda.events import (
    ActionDone,
    CreditEarned,
    Event,
    GameEnded,
    PhaseBegan,
    RoundBegan,
    TurnBegan,
)
from companion.games.andromeda.state import (
    EARNED_BY,
    KINDS,
    OTHER_ACTIONS,
    STARTER_ACTIONS,
    Phase,
    State,
    left_of,
    name_of,
)
from companion.kernel.errors import Refused
from companion.kernel.i18n import said


def begin_actions(state: State) -> PhaseBegan:
    """Return the start of the action phase: the starting player has three actions."""
    return PhaseBegan(Phase.ACTIONS, state.starter, STARTER_ACTIONS)


def check_turn(state: State, colour: str) -> None:
    """Refuse unless *colour* may do an action now."""
    if state.phase is not Phase.ACTIONS:
        raise Refused(said("Actions come after trading."))
    if state.attempt:
        raise Refused(said("Finish the draws first."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def done(state: State, true_cards: int = 0, bonus: bool = True) -> tuple[Event, ...]:
    """Return what follows an action that is done in *state*: a credit for a true set, and the next turn."""
    events: list[Event] = []
    kind = EARNED_BY.get(true_cards)
    if bonus and kind and state.credits[KINDS.index(kind)]:
        events.append(CreditEarned(state.turn, kind))
    events.append(ActionDone())
    if state.actions_left == 1:
        events.append(pass_turn(state))
    return tuple(events)


def end_turn(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Give up the remaining actions of a turn (fewer are allowed)."""
    check_turn(state, command.player)
    return (pass_turn(state),)


def pass_turn(state: State) -> Event:
    """Return the next turn, round, or the end: a round is always finished (end and score)."""
    following = left_of(state, state.turn)
    if following != state.starter:
        return TurnBegan(following, OTHER_ACTIONS)
    if state.last_round:
        return GameEnded()
    return RoundBegan(state.round + 1, left_of(state, state.starter))
