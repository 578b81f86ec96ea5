"""The course of a round: turns in the order of the order cards, then the clean-up or the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, assert_never

from companion.games.wreck.contamination import acting, check_clean
from companion.games.wreck.dice import NO_DICE
from companion.games.wreck.missions import drawing, drawn, new_turn
from companion.games.wreck.scoring import reached
from companion.games.wreck.state import ROUNDS, Phase, State, clockwise_from, with_everybody, with_player
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line, Seat, WordsOfState


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn. Remaining dice are lost.

    Example: ``{"do": "end_turn", "player": "red"}``
    """

    player: Seat


@dataclass(frozen=True)
class TurnBegan:
    """A turn began."""

    player: Seat


@dataclass(frozen=True)
class TurnEnded:
    """A turn ended, and its remaining dice were lost."""

    player: Seat


@dataclass(frozen=True)
class CleanUpBegan:
    """A round ended without a winner, and the clean-up began. The players in *drawn* get a new personal mission."""

    starter: Seat
    drawn: Annotated[tuple[str, ...], WordsOfState(lambda state: state.colours)]


@dataclass(frozen=True)
class GameEnded:
    """The game ended: a player has enough KP, or the seventh round is over."""


Command = EndTurn
Event = TurnBegan | TurnEnded | CleanUpBegan | GameEnded


def decide(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Return the events of *command*, or raise `Refused`. The player with the next order card follows."""
    check_clean(state, command.player)
    ended = TurnEnded(command.player)
    order = state.players[command.player].order + 1
    following = next((colour for colour in state.colours if state.players[colour].order == order), None)
    if following is not None:
        return (ended, TurnBegan(following))
    return (ended, *_over(evolve(state, ended)))


def _over(state: State) -> tuple[Event, ...]:
    """Return the events after the last turn of a round: the end of the game, or the clean-up."""
    if state.round == ROUNDS or reached(state):
        return (GameEnded(),)
    starter = clockwise_from(state, state.starter)[1]
    return (CleanUpBegan(starter, drawing(state, starter)),)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case TurnBegan(player):
            return replace(new_turn(state), phase=Phase.TURNS, turn=player)
        case TurnEnded(player):
            return with_player(state, player, dice=NO_DICE)
        case CleanUpBegan(starter, colours):
            ready = with_everybody(drawn(new_turn(state), colours), dice=NO_DICE, room_action=False)
            return replace(ready, phase=Phase.CLEANUP, starter=starter, used=frozenset(), turn="")
        case GameEnded():
            return replace(with_everybody(new_turn(state), dice=NO_DICE), phase=Phase.FINISHED, turn="")
        case _:
            assert_never(event)


def idlest(state: State, seat: str) -> EndTurn | None:
    """Return the command that ends the turn of *seat*, or None if it can't end now."""
    return EndTurn(seat) if acting(state, seat) else None


def button(state: State, seat: str | None, held: bool) -> EndTurn | None:
    """Return the command of the button of *seat*: if the button is *held* in that seat's turn, the turn ends."""
    return EndTurn(seat) if held and seat is not None and state.phase is Phase.TURNS and seat == state.turn else None


def candidates(state: State, seat: str) -> Iterator[EndTurn]:
    """Yield the end of the turn, if it may be legal for *seat*."""
    if acting(state, seat):
        yield EndTurn(seat)
