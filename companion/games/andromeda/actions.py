"""The action phase: exchange cards, move stations, ship and technology.

All of these except the exchange cost a set of cards. So does an attempt (`companion.games.andromeda.attempt`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations_with_replacement, product
from typing import Annotated, Any, assert_never

from companion.games.andromeda import rounds
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rounds import Count, Planet, check_turn, done, pass_turn
from companion.games.andromeda.state import (
    COST,
    EARNED_BY,
    KINDS,
    LARGEST_SET,
    LEAST_SET,
    TOP_LEVEL,
    Phase,
    Player,
    State,
    credits_moved,
    drawn,
    from_earth,
    label_of,
    name_of,
    with_player,
)
from companion.games.andromeda.terms import counted_stations
from companion.kernel.errors import Refused
from companion.kernel.fields import Fields
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Flag, Form, Known, Line, OneOf, Seat, Whole, Words

MOST_EXCHANGED, MOST_EXCHANGED_ADVANCED = 2, 3
THIRD_CARD_TECHNOLOGY = 3


@dataclass(frozen=True)
class CardSet:
    """A set of cards played for an action: *cards* planet cards of *planet*, and credits as *jokers*."""

    planet: str
    cards: int
    jokers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of cards, jokers included."""
        return self.cards + len(self.jokers)

    @property
    def true_size(self) -> int:
        """The number of cards if it is a true set (a set without jokers), otherwise 0."""
        return 0 if self.jokers else self.cards


class SetForm(Form):
    """A played set, in three fields. Example: ``"planet": "p1", "cards": 3, "jokers": ["gold"]``"""

    def read(self, fields: Fields, name: str, known: Known) -> CardSet:
        """Read the three fields; `jokers` may be missing."""
        planet = fields.word("planet", PLANETS)
        return CardSet(planet, fields.whole("cards", 0), fields.words("jokers", KINDS, default=[]))

    def write(self, line: dict[str, Any], name: str, value: CardSet) -> None:
        """Write the three fields, `jokers` only if there are any."""
        line.update(planet=value.planet, cards=value.cards)
        if value.jokers:
            line["jokers"] = list(value.jokers)


Set = Annotated[CardSet, SetForm()]
WithBonus = Annotated[bool, Flag()]


@dataclass(frozen=True)
class Exchange(Line, do="exchange"):
    """Discard planet cards and draw the same number.

    Example: ``{"do": "exchange", "player": "red", "cards": 2}``
    """

    player: Seat
    cards: Annotated[int, Whole(0)]


@dataclass(frozen=True)
class Move(Line, do="move"):
    """Play a set to move stations from Earth to its planet.

    Example: ``{"do": "move", "player": "red", "planet": "p1", "cards": 3, "jokers": ["gold"], "bonus": false,
    "stations": 2}``
    """

    written = ("player", "set", "bonus", "stations")
    player: Seat
    set: Set
    stations: Annotated[int, Whole(0)]
    bonus: WithBonus = True


@dataclass(frozen=True)
class Ship(Line, do="ship"):
    """Play a set for the next level of the ship.

    Example: ``{"do": "ship", "player": "red", "planet": "p2", "cards": 4}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class Technology(Line, do="technology"):
    """Play a set for the next level of technology.

    Example: ``{"do": "technology", "player": "red", "planet": "p7", "cards": 5}``
    """

    player: Seat
    set: Set
    bonus: WithBonus = True


@dataclass(frozen=True)
class EndTurn(Line, do="end_turn"):
    """End the turn with fewer actions than allowed.

    Example: ``{"do": "end_turn", "player": "green"}``
    """

    player: Seat


@dataclass(frozen=True)
class CardsExchanged:
    """A player discarded planet cards and drew the same number."""

    player: Seat
    cards: Count


@dataclass(frozen=True)
class SetPlayed:
    """A set was played: its planet cards went to the discards, its jokers to their piles."""

    player: Seat
    cards: Count
    jokers: Annotated[tuple[str, ...], Words(*KINDS)] = ()


@dataclass(frozen=True)
class StationsMoved:
    """Stations went from Earth to a planet."""

    player: Seat
    planet: Planet
    stations: Count


@dataclass(frozen=True)
class LevelGained:
    """A track (`ship` or `technology`) went up by one level."""

    player: Seat
    track: Annotated[str, OneOf("ship", "technology")]


Command = Exchange | Move | Ship | Technology | EndTurn
Event = CardsExchanged | SetPlayed | StationsMoved | LevelGained
RARELY: dict[type[object], float] = {EndTurn: 0.2}
"""Weights of commands that people rarely give (`companion.games.andromeda.random_policy`)."""


def decide(state: State, command: Command) -> tuple[Event | rounds.Event, ...]:
    """Return the events of an action of the player in turn, who may also give up the remaining actions."""
    check_turn(state, command.player)
    match command:
        case EndTurn():
            return (pass_turn(state),)
        case Exchange():
            return _exchange(state, command)
        case Move():
            events = _move(state, command)
        case Ship():
            events = _level_up(state, command, "ship")
        case Technology():
            events = _level_up(state, command, "technology")
        case _:
            assert_never(command)
    check_held(state, command.player, command.set)
    return events


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case SetPlayed():
            return _set_played(state, event)
        case CardsExchanged():
            supply, discards = drawn(state.supply, state.discards + event.cards, event.cards)
            return replace(state, supply=supply, discards=discards)
        case StationsMoved():
            return from_earth(state, event.player, event.planet, event.stations)
        case LevelGained():
            level = getattr(state.players[event.player], event.track)
            return with_player(state, event.player, **{event.track: level + 1})
        case _:
            assert_never(event)


def can_follow(state: State, event: Event) -> bool:
    """Return whether *event* is possible: a level that is gained must exist. The rules are not checked."""
    return not isinstance(event, LevelGained) or getattr(state.players[event.player], event.track) < TOP_LEVEL


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield all actions that may be legal for *seat*, except attempts."""
    if state.phase is not Phase.ACTIONS or state.attempt or seat != state.turn:
        return
    yield from (Exchange(seat, cards) for cards in range(1, most_exchanged(state, seat) + 1))
    for cards, bonus in playable(state, seat):
        most = min(stations_moved(state, seat, cards.size), state.players[seat].earth)
        yield from (Move(seat, cards, stations, bonus) for stations in range(most, -1, -1))
        if cards.size >= (cost_of_next(state, seat, "ship") or LARGEST_SET + 1):
            yield Ship(seat, cards, bonus)
        if cards.size >= (cost_of_next(state, seat, "technology") or LARGEST_SET + 1):
            yield Technology(seat, cards, bonus)
    yield EndTurn(seat)


def idlest(state: State, seat: str) -> tuple[Command, ...]:
    """Return the command that ends the turn of an absent *seat*, or nothing if its draws are not finished."""
    return (EndTurn(seat),) if state.phase is Phase.ACTIONS and not state.attempt else ()


def button(state: State, seat: str | None, held: bool) -> Command | None:
    """Return what the button of *seat* means now: while it is *held*, it ends the turn of that player."""
    ends = held and state.phase is Phase.ACTIONS and seat == state.turn and state.attempt is None
    return EndTurn(state.turn) if ends else None


def playable(state: State, seat: str) -> Iterator[tuple[CardSet, bool]]:
    """Yield the sets that *seat* may have in hand, and whether the player takes the credit for the set, if any."""
    player = state.players[seat]
    for jokers in joker_sets(player):
        for planet, cards in product(PLANETS, range(1, LARGEST_SET - len(jokers) + 1)):
            if cards + len(jokers) >= LEAST_SET and cards <= player.planet_cards:
                played = CardSet(planet, cards, jokers)
                yield from ((played, bonus) for bonus in ((True, False) if _earns(state, played) else (True,)))


def joker_sets(player: Player) -> Iterator[tuple[str, ...]]:
    """Yield every choice of the player's credits as jokers for a set.

    Even the largest set has at least one real card.
    """
    for count in range(min(sum(player.credits), LARGEST_SET - 1) + 1):
        for jokers in combinations_with_replacement(KINDS, count):
            if all(jokers.count(kind) <= player.credit(kind) for kind in set(jokers)):
                yield jokers


def _earns(state: State, cards: CardSet) -> bool:
    kind = EARNED_BY.get(cards.true_size)
    return kind is not None and state.credits[KINDS.index(kind)] > 0


def most_exchanged(state: State, colour: str) -> int:
    """Return how many cards one exchange may take: two, or three from technology level 3."""
    advanced = state.players[colour].technology >= THIRD_CARD_TECHNOLOGY
    return MOST_EXCHANGED_ADVANCED if advanced else MOST_EXCHANGED


def play(state: State, colour: str, cards: CardSet) -> SetPlayed:
    """Return the event that plays a set from the hand.

    Refuses a set of fewer than 3 or more than 7 cards, and a set of only jokers.
    """
    if not cards.cards:
        raise Refused(said("A set needs at least one planet card besides jokers."))
    if not LEAST_SET <= cards.size <= LARGEST_SET:
        least, most = LEAST_SET, LARGEST_SET
        raise Refused(
            said("A set has %(least)s to %(most)s cards, not %(count)s.", least=least, most=most, count=cards.size)
        )
    return SetPlayed(colour, cards.cards, cards.jokers)


def check_held(state: State, colour: str, cards: CardSet) -> None:
    """Refuse a set that the player doesn't have.

    The refusal doesn't name missing cards, since credits in hand are secret.

    This is the last check. If everybody can see why a set is illegal, an earlier check has refused it for that reason,
    so this refusal reveals nothing more about the hand.
    """
    player = state.players[colour]
    if cards.cards > player.planet_cards or any(cards.jokers.count(kind) > player.credit(kind) for kind in KINDS):
        raise Refused(said("%(name)s doesn't have these cards.", name=name_of(state, colour)))


def _set_played(state: State, event: SetPlayed) -> State:
    player = state.players[event.player]
    played = with_player(state, event.player, hand=player.hand - event.cards)
    returned = credits_moved(played, event.player, event.jokers, -1) if event.jokers else played
    return replace(returned, discards=state.discards + event.cards)


def halved(cards: int, rounds_up: bool) -> int:
    """Return half of *cards*, rounded down unless *rounds_up*.

    >>> halved(5, rounds_up=False), halved(5, rounds_up=True)
    (2, 3)
    """
    return (cards + 1) // 2 if rounds_up else cards // 2


def stations_moved(state: State, colour: str, size: int) -> int:
    """Return how many stations a set of *size* cards may move, if there are enough on Earth."""
    both = state.options.tech4_rounds_up == "draws_and_moves"
    return halved(size, both and state.players[colour].technology == TOP_LEVEL)


def cost_of_next(state: State, colour: str, track: str) -> int | None:
    """Return how many cards the next level of *track* costs, or None at the top level."""
    level: int = getattr(state.players[colour], track)
    return COST[track][level] if level < TOP_LEVEL else None


def _exchange(state: State, command: Exchange) -> tuple[Event | rounds.Event, ...]:
    name, most = name_of(state, command.player), most_exchanged(state, command.player)
    if not 1 <= command.cards <= most:
        if command.cards == MOST_EXCHANGED_ADVANCED:
            need = THIRD_CARD_TECHNOLOGY
            raise Refused(said("%(name)s needs technology level %(level)s to exchange 3 cards.", name=name, level=need))
        raise Refused(said("%(name)s may exchange 1 to %(most)s cards.", name=name, most=most))
    if command.cards > state.players[command.player].planet_cards:
        raise Refused(said("%(name)s doesn't have that many planet cards. Credits can't be exchanged.", name=name))
    event = CardsExchanged(command.player, command.cards)
    return (event, *done(evolve(state, event)))


def _move(state: State, command: Move) -> tuple[Event | rounds.Event, ...]:
    played = play(state, command.player, command.set)
    most = stations_moved(state, command.player, command.set.size)
    if command.stations > most:
        stations, count = counted_stations(most), command.stations
        size = command.set.size
        raise Refused(
            said(
                "A set of %(size)s moves up to %(stations)s, not %(count)s.", size=size, stations=stations, count=count
            )
        )
    if command.stations > state.players[command.player].earth:
        raise Refused(said("%(name)s doesn't have that many stations on Earth.", name=name_of(state, command.player)))
    moved = StationsMoved(command.player, command.set.planet, command.stations)
    return _with_consequences(state, command, (played, moved))


def _level_up(state: State, command: Ship | Technology, track: str) -> tuple[Event | rounds.Event, ...]:
    played = play(state, command.player, command.set)
    cost = cost_of_next(state, command.player, track)
    if cost is None:
        raise Refused(_at_the_top(name_of(state, command.player), track))
    overpaid = command.set.size > cost and state.options.allow_overpay
    if command.set.size != cost and not overpaid:
        raise Refused(_next_costs(track, cost, label_of(state, command.set.planet)))
    return _with_consequences(state, command, (played, LevelGained(command.player, track)))


def _at_the_top(name: str, track: str) -> Said:
    if track == "ship":
        return said("%(name)s's ship is already at the top level.", name=name)
    return said("%(name)s's technology is already at the top level.", name=name)


def _next_costs(track: str, cost: int, planet: str) -> Said:
    if track == "ship":
        return said("The next ship level costs exactly %(cost)s %(planet)s cards.", cost=cost, planet=planet)
    return said("The next technology level costs exactly %(cost)s %(planet)s cards.", cost=cost, planet=planet)


def _with_consequences(
    state: State, command: Move | Ship | Technology, events: tuple[Event, ...]
) -> tuple[Event | rounds.Event, ...]:
    after = reduce(evolve, events, state)
    return (*events, *done(after, command.set.true_size, command.bonus))
