"""The turns and the end: who is in turn, discarding and drawing, and the price of technologies."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, assert_never

from companion.games.hanse.cards import CARDS, HAND_LIMIT, Discards, HandSize
from companion.games.hanse.state import OpenTurn, Phase, Player, State, check_held, name_of, other, turn_of, waited_for
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said, said_n
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line, OneOf, Seat, Whole
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Rows, Silent, Telling

MOST = 999
"""Upper limit for counts. The box contains fewer of every kind of thing."""
Count = Annotated[int, Whole(0, MOST)]


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn: discard cards (None is an unnamed card), then draw *draw* cards (None means as many as allowed).

    Example: ``{"do": "end_turn", "player": "red", "discard": ["agent", null], "draw": 2}``
    """

    phase = Phase.TURN
    player: Seat
    discard: Discards = ()
    draw: Annotated[int | None, Whole(0, HAND_LIMIT)] = None


@dataclass(frozen=True)
class TurnBegan:
    """A turn began. *price* is the cost of each technology in this turn."""

    player: Seat
    price: Count

    def fits(self, state: State) -> bool:
        """Return whether the ships are on the board."""
        return all(player.place for player in state.players.values())


@dataclass(frozen=True)
class TurnEnded:
    """The turn ended: cards were discarded, then others drawn."""

    player: Seat
    discard: Discards
    drawn: HandSize


@dataclass(frozen=True)
class GameEnded:
    """The game ended because of `megagalax` or `goods`."""

    by: Annotated[str, OneOf("megagalax", "goods")]


Event = TurnBegan | TurnEnded | GameEnded
NAMED = 0.5
"""The probability in random play that a discarded card is named."""


def decide(state: State, command: EndTurn) -> tuple[Event, ...]:
    """Discard, draw cards, and pass the turn to the opponent."""
    check_held(state, command.player, command.discard)
    most = most_drawn(state, state.players[command.player].discarding(command.discard))
    if command.draw is not None and command.draw > most:
        name = name_of(state, command.player)
        raise Refused(said_n("%(name)s may draw %(num)s card.", "%(name)s may draw %(num)s cards.", most, name=name))
    ended = TurnEnded(command.player, command.discard, most if command.draw is None else command.draw)
    return (ended, next_turn(state))


def most_drawn(state: State, player: Player) -> int:
    """Return how many cards *player* may draw: one per Replenishment, limited by the hand limit and the piles."""
    cards = player.draw_pile + (player.discards if state.setting.reshuffle else 0)
    return max(0, min(player.replenishments, HAND_LIMIT - player.hand, cards))


def next_turn(state: State) -> TurnBegan:
    """Return the event that begins the opponent's turn."""
    return turn_begins(state, other(state, turn_of(state).player))


def turn_begins(state: State, colour: str) -> TurnBegan:
    """Return the event that begins the turn of *colour*.

    The price of a technology is the number of technology cards that the player has in play now.
    """
    return TurnBegan(colour, state.players[colour].technology_cards)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    match event:
        case TurnBegan():
            number = state.turn.number + 1 if state.turn else 1
            return replace(state, phase=Phase.TURN, turn=OpenTurn(number, event.player, event.price))
        case TurnEnded():
            player = state.players[event.player].discarding(event.discard)
            return state.with_player(event.player, player.drawing(event.drawn))
        case GameEnded():
            return replace(state, phase=Phase.FINISHED, ended_by=event.by)
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[EndTurn]:
    """Yield the command that ends the turn, without discards."""
    if state.phase is Phase.TURN:
        yield EndTurn(seat)


def at_random(state: State, chosen: EndTurn, lots: Random) -> EndTurn:
    """Return *chosen* with random discards, of which the first may be named."""
    player = state.players[chosen.player]
    count = lots.choice((0, 0, 0, 1, 1, 2))
    cards: list[str | None] = [None] * min(count, player.hand)
    names = [card for card in CARDS if player.may_hold(card)]
    if cards and names and lots.random() < NAMED:
        cards[0] = lots.choice(names)
    return EndTurn(chosen.player, tuple(cards))


def announced(state: State) -> Utterance | None:
    """Return a sentence that says who must act, and what they must do."""
    if state.phase in (Phase.GOODS, Phase.FLIP, Phase.FINISHED):
        return None
    (seat,) = waited_for(state)
    return Utterance(_asked(state, name_of(state, seat)), (seat,), Verbosity.FEW, TURN)


def _asked(state: State, name: str) -> Said:
    match state.phase:
        case Phase.CHOICE:
            return said("%(name)s, move first or name the planet?", name=name)
        case Phase.PLANET:
            return said("%(name)s, where do both ships start?", name=name)
        case Phase.ANSWER:
            return said("%(name)s, allow it?", name=name)
        case Phase.TURN:
            return said("%(name)s goes on.", name=name) if turn_of(state).begun else said("%(name)s's turn.", name=name)
        case Phase.GOODS | Phase.FLIP | Phase.FINISHED:
            raise AssertionError(f"nobody is announced in {state.phase}")
        case _:
            assert_never(state.phase)


def _ended(what: Occurrence) -> Said:
    thrown = len(what.fields.get("discard", ()))
    if not thrown:
        return said("%(name)s ends the turn", name=what.name)
    return said_n(
        "%(name)s discards %(num)s card and ends the turn",
        "%(name)s discards %(num)s cards and ends the turn",
        thrown,
        name=what.name,
    )


SENTENCES: Rows = {
    TurnBegan: Silent("the announcement of the turn says it"),
    TurnEnded: Telling(
        _ended,
        "end_turn",
        said("One card for each Replenishment, and the die is passed."),
        "turn",
        aloud=Silent("the announcement of the next turn says it"),
        possible=said("End the turn"),
    ),
    GameEnded: Silent("the narrator says the result"),
}
