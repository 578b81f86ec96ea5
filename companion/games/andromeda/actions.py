"""The action phase: exchange cards, move stations, establish a centre, ship and technology.

All of these except the exchange cost a set of cards.
"""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda import attempt
from companion.games.andromeda.commands import (
    ActionCommand,
    CardSet,
    EndTurn,
    Establish,
    Exchange,
    Move,
    Ship,
    Technology,
)
from companion.games.andromeda.events import CardsExchanged, Event, LevelGained, SetPlayed, StationsMoved
from companion.games.andromeda.evolve import evolve
from companion.games.andromeda.rounds import check_turn, done, end_turn
from companion.games.andromeda.state import COST, KINDS, LARGEST_SET, LEAST_SET, TOP_LEVEL, State, label_of, name_of
from companion.games.andromeda.terms import counted_stations
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said

MOST_EXCHANGED, MOST_EXCHANGED_ADVANCED = 2, 3
THIRD_CARD_TECHNOLOGY = 3


def act(state: State, command: ActionCommand) -> tuple[Event, ...]:
    """Return the events of an action of the player in turn."""
    if isinstance(command, EndTurn):
        return end_turn(state, command)
    check_turn(state, command.player)
    events = _answer(state, command)
    if not isinstance(command, Exchange):
        _check_held(state, command.player, command.set)
    return events


def _answer(state: State, command: Exchange | Move | Establish | Ship | Technology) -> tuple[Event, ...]:
    match command:
        case Exchange():
            return _exchange(state, command)
        case Move():
            return _move(state, command)
        case Establish():
            return attempt.establish(state, command, play(state, command.player, command.set))
        case Ship():
            return _level_up(state, command, "ship")
        case Technology():
            return _level_up(state, command, "technology")
        case _:
            assert_never(command)


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


def _check_held(state: State, colour: str, cards: CardSet) -> None:
    """Refuse a set that the player doesn't have.

    The refusal doesn't name missing cards, since credits in hand are secret.

    This is the last check. If a set is illegal for a reason that everybody can see, it is refused for that reason
    before, so the refusal reveals nothing about the hand.
    """
    player = state.players[colour]
    if cards.cards > player.planet_cards or any(cards.jokers.count(kind) > player.credit(kind) for kind in KINDS):
        raise Refused(said("%(name)s doesn't have these cards.", name=name_of(state, colour)))


def stations_moved(state: State, colour: str, size: int) -> int:
    """Return how many stations a set of *size* cards may move, if there are enough on Earth."""
    both = state.options.tech4_rounds_up == "draws_and_moves"
    return attempt.halved(size, both and state.players[colour].technology == TOP_LEVEL)


def cost_of_next(state: State, colour: str, track: str) -> int | None:
    """Return how many cards the next level of *track* costs, or None at the top level."""
    level: int = getattr(state.players[colour], track)
    return COST[track][level] if level < TOP_LEVEL else None


def _exchange(state: State, command: Exchange) -> tuple[Event, ...]:
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


def _move(state: State, command: Move) -> tuple[Event, ...]:
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


def _level_up(state: State, command: Ship | Technology, track: str) -> tuple[Event, ...]:
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


def _with_consequences(state: State, command: Move | Ship | Technology, events: tuple[Event, ...]) -> tuple[Event, ...]:
    for event in events:
        state = evolve(state, event)
    return (*events, *done(state, command.set.true_size, command.bonus))
