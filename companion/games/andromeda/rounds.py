"""The course of a game: set-up, deals, phases, turns, and the events that follow an action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, assert_never

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import (
    CARDS_OF_A_PLANET,
    EARNED_BY,
    FIRST_HAND,
    KINDS,
    OTHER_ACTIONS,
    STARTER_ACTIONS,
    Phase,
    State,
    Trading,
    clockwise_from,
    credits_moved,
    drawn,
    label_of,
    left_of,
    name_of,
    with_player,
)
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, whole
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OneOf, Seat, Whole

MOST = 999
"""Upper limit for counts. The box contains fewer of every kind of thing."""
Count = Annotated[int, Whole(0, MOST)]
Planet = Annotated[str, OneOf(*PLANETS)]


class ByPlanet(Form):
    """Counts of cards by planet. Example: ``{"p1": 2, "p5": 1}``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Read the counts from field *name*. A missing planet counts as 0."""
        cards = Fields(fields.take(name), name)
        counts = tuple(cards.whole(planet, 0, CARDS_OF_A_PLANET) if cards.has(planet) else 0 for planet in PLANETS)
        cards.nothing_else()
        return counts

    def write(self, line: dict[str, Any], name: str, value: tuple[int, ...]) -> None:
        """Write the counts that aren't 0."""
        line[name] = {planet: count for planet, count in zip(PLANETS, value, strict=True) if count}


class ForEachPlanet(Form):
    """A number for each planet, in the order of planets. Example: ``[2, 0, 0, 1, 0, 0, 0]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[int, ...]:
        """Read the numbers from field *name*."""
        cards = fields.whole_numbers(name, 0, CARDS_OF_A_PLANET)
        if len(cards) != len(PLANETS):
            raise Malformed(said("cards must give a number for each planet"))
        return cards


class ForEachSeat(Form):
    """Pairs of a colour and a number. Example: ``[["red", 9], ["blue", 9]]``"""

    def read(self, fields: Fields, name: str, known: Known) -> tuple[tuple[str, int], ...]:
        """Read the pairs from field *name*."""
        return pairs(fields, name, known.state.colours)


def pairs(fields: Fields, name: str, words: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Read a list of pairs. Each pair consists of one of *words* and a number."""
    found = fields.list(name)
    for pair in found:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or pair[0] not in words:
            raise Malformed(said("%(name)s must be pairs of a word and a number", name=name))
    return tuple((word, whole(number, name, 0, MOST)) for word, number in found)


@dataclass(frozen=True)
class SetUp(Line, do="setup"):
    """Place a player's face-up set-up cards, given as counts by planet.

    Example: ``{"do": "setup", "player": "red", "cards": {"p1": 2, "p3": 1}}``
    """

    player: Seat
    cards: Annotated[tuple[int, ...], ByPlanet()]


@dataclass(frozen=True)
class Deal(Line, do="deal"):
    """Deal cards: every hand is filled up to its limit.

    Example: ``{"do": "deal"}``
    """


@dataclass(frozen=True)
class CardsShown:
    """A player's set-up cards were turned face up. For each card, a station was placed on its planet."""

    player: Seat
    cards: Annotated[tuple[int, ...], ForEachPlanet()]


@dataclass(frozen=True)
class Dealt:
    """Planet cards were dealt from the supply to hands: the number of cards by colour, in seat order."""

    cards: Annotated[tuple[tuple[str, int], ...], ForEachSeat()]


@dataclass(frozen=True)
class RoundBegan:
    """A round began, with its card phase."""

    number: Count
    starter: Seat


@dataclass(frozen=True)
class PhaseBegan:
    """A phase began. The player *turn* acts first and has *actions* actions."""

    phase: Annotated[str, OneOf(*Phase)]
    turn: Seat
    actions: Count = 0


@dataclass(frozen=True)
class TurnBegan:
    """The turn passed to *player* within a phase."""

    player: Seat
    actions: Count = 0


@dataclass(frozen=True)
class CreditEarned:
    """A true set earned a bonus credit from its pile."""

    player: Seat
    kind: Annotated[str, OneOf(*KINDS)]


@dataclass(frozen=True)
class ActionDone:
    """One action of the turn was used."""


@dataclass(frozen=True)
class GameEnded:
    """The last round is over."""


Command = SetUp | Deal
Event = CardsShown | Dealt | RoundBegan | PhaseBegan | TurnBegan | CreditEarned | ActionDone | GameEnded


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events of set-up cards, or of a deal."""
    match command:
        case SetUp():
            return _set_up(state, command)
        case Deal():
            return _deal(state)
        case _:
            assert_never(command)


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case ActionDone():
            return replace(state, actions_left=state.actions_left - 1)
        case TurnBegan():
            return replace(state, turn=event.player, actions_left=event.actions)
        case CreditEarned():
            return credits_moved(state, event.player, (event.kind,), 1)
        case PhaseBegan():
            return _phase_began(state, event)
        case RoundBegan():
            return _round_began(state, event)
        case Dealt():
            return _dealt(state, event)
        case CardsShown():
            return _cards_shown(state, event)
        case GameEnded():
            return replace(state, phase=Phase.FINISHED, turn="", actions_left=0)
        case _:
            assert_never(event)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield the deal if it is legal for *seat*. Set-up cards are not among the candidates."""
    if state.phase is Phase.CARDS and seat == state.starter:
        yield Deal()


def button(state: State, seat: str | None, held: bool) -> Command | None:
    """Return the deal if it is due and the button is "next" (then *seat* is None)."""
    return Deal() if state.phase is Phase.CARDS and seat is None else None


def _set_up(state: State, command: SetUp) -> tuple[Event, ...]:
    """Place a player's set-up cards. After the last player's cards, deal the first hands (rules: preparation)."""
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
    """Return the number of set-up cards on the table by planet.

    Each card has added a station, so stations are counted.
    """
    start = state.setting.stock.planet
    return tuple(sum(player.planets[at] - start for player in state.players.values()) for at in range(len(PLANETS)))


def _cards_shown(state: State, event: CardsShown) -> State:
    player = state.players[event.player]
    planets = tuple(map(sum, zip(player.planets, event.cards, strict=True)))
    return with_player(state, event.player, planets=planets, unplaced=0)


def _deal(state: State) -> tuple[Event, ...]:
    """Fill every hand up to its limit and begin the transport phase (rules: card phase)."""
    _check_phase(state, Phase.CARDS, said("Cards are dealt only at the start of a round."))
    cards = tuple(to_deal(state).items())
    return (Dealt(cards), PhaseBegan(Phase.TRANSPORT, state.starter))


def to_deal(state: State) -> dict[str, int]:
    """Return how many cards each hand lacks, clockwise from the starting player.

    If there are not enough cards, the last hands get fewer. Only corrections can cause that.
    """
    left = state.supply + state.discards
    cards = {}
    for colour in clockwise_from(state, state.starter):
        player = state.players[colour]
        cards[colour] = min(left, max(0, player.hand_limit - player.hand))
        left -= cards[colour]
    return cards


def _dealt(state: State, event: Dealt) -> State:
    supply, discards = drawn(state.supply, state.discards, sum(cards for _, cards in event.cards))
    players = dict(state.players)
    for colour, cards in event.cards:
        players[colour] = replace(players[colour], hand=players[colour].hand + cards)
    return replace(state, players=players, supply=supply, discards=discards)


def _check_phase(state: State, phase: Phase, reason: Said) -> None:
    if state.phase is not phase:
        raise Refused(reason)


def begin_actions(state: State) -> PhaseBegan:
    """Return the event that begins the action phase. The starting player has three actions."""
    return PhaseBegan(Phase.ACTIONS, state.starter, STARTER_ACTIONS)


def _phase_began(state: State, event: PhaseBegan) -> State:
    phase = Phase(event.phase)
    trading = Trading({}) if phase is Phase.TRADING else None
    return replace(state, phase=phase, turn=event.turn, actions_left=event.actions, trading=trading)


def check_turn(state: State, colour: str) -> None:
    """Refuse unless *colour* may take an action now."""
    if state.phase is not Phase.ACTIONS:
        raise Refused(said("Actions come after trading."))
    if state.attempt:
        raise Refused(said("Finish the draws first."))
    if state.turn != colour:
        raise Refused(said("It's %(name)s's turn.", name=name_of(state, state.turn)))


def done(state: State, true_cards: int = 0, bonus: bool = True) -> tuple[Event, ...]:
    """Return the events that follow an action in *state*: a credit for a true set, and the next action or turn."""
    events: list[Event] = []
    kind = EARNED_BY.get(true_cards)
    if bonus and kind and state.credits[KINDS.index(kind)]:
        events.append(CreditEarned(state.turn, kind))
    events.append(ActionDone())
    if state.actions_left == 1:
        events.append(pass_turn(state))
    return tuple(events)


def pass_turn(state: State) -> Event:
    """Return the event that begins the next turn or round, or ends the game.

    The last round is always played to its end (rules: end and score).
    """
    following = left_of(state, state.turn)
    if following != state.starter:
        return TurnBegan(following, OTHER_ACTIONS)
    if state.last_round:
        return GameEnded()
    return RoundBegan(state.round + 1, left_of(state, state.starter))


def _round_began(state: State, event: RoundBegan) -> State:
    return replace(
        state,
        round=event.number,
        starter=event.starter,
        phase=Phase.CARDS,
        turn="",
        actions_left=0,
        transported=frozenset(),
    )
