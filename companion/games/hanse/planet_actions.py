"""The planet actions: load a container, unload one and turn over its goods, buy a technology."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, assert_never

from companion.games.hanse.cards import LABELS, TECHNOLOGIES, Container, Technology
from companion.games.hanse.goods import ALL_GOODS, CardSide, Goods, Pair, Sides, any_side, pairs
from companion.games.hanse.places import ORBITS, PLANETS, Planet, label_of
from companion.games.hanse.scoring import megagalax_gained, won
from companion.games.hanse.state import (
    Flipping,
    Phase,
    State,
    check_held,
    goods_in_game,
    name_of,
    place_of,
    stations_left,
    turn_of,
    works_at,
)
from companion.games.hanse.turns import Count, GameEnded
from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields
from companion.kernel.said import Said, pattern, said, said_n
from companion.kernel.values import dataclass, replace
from companion.model.parser import Flag, Known, Line, Seat, Wholes
from companion.model.speech import Verbosity
from companion.model.tellings import Occurrence, Rows, Silent, Telling, nobody

BONUS = 1
"""Extra Megagalax for each unloaded card if no goods were at the planet."""


class TwoThatLeave(Wholes):
    """The numbers of two cards that leave the game, in ascending order. Example: ``[0, 3]``"""

    def read(self, fields: Fields, name: str, known: Known) -> Pair:
        """Read the pair from field *name*."""
        numbers = super().read(fields, name, known)
        if len(numbers) != 2 or numbers[0] >= numbers[1]:
            raise Malformed(said("leave must be two numbers, the smaller one first"))
        return numbers[0], numbers[1]


@dataclass(frozen=True)
class Load(Line, do="load"):
    """Load all goods for the planet *to* into an empty container.

    Example: ``{"do": "load", "player": "red", "to": "p2"}``
    """

    phase = Phase.TURN
    player: Seat
    to: Planet


@dataclass(frozen=True)
class Unload(Line, do="unload"):
    """Unload a whole container at its destination.

    Example: ``{"do": "unload", "player": "red", "container": 0}``
    """

    phase = Phase.TURN
    player: Seat
    container: Container


@dataclass(frozen=True)
class Flip(Line, do="flip"):
    """Turn over the unloaded goods. *cards* are their other sides, *leave* is the pair that leaves the game.

    Example: ``{"do": "flip", "player": "red", "cards": [{"to": "p2", "value": 2}], "leave": [0, 2]}``
    """

    phase = Phase.FLIP
    player: Seat
    cards: Sides
    leave: Annotated[Pair | None, TwoThatLeave(0, ALL_GOODS - 1)] = None


@dataclass(frozen=True)
class Buy(Line, do="buy"):
    """Buy a technology from the hand.

    Example: ``{"do": "buy", "player": "red", "card": "container"}``
    """

    phase = Phase.TURN
    player: Seat
    card: Technology


@dataclass(frozen=True)
class ActionUsed:
    """A planet action was used.

    *orbit* says that it was used from the orbit, with a Space Station. It ends an open flight.
    """

    player: Seat
    orbit: Annotated[bool, Flag()]


@dataclass(frozen=True)
class Loaded:
    """All goods at *planet* for destination *to* were loaded into a container."""

    player: Seat
    planet: Planet
    to: Planet
    container: Container

    def fits(self, state: State) -> bool:
        """Return whether the player has the container."""
        return self.container < len(state.players[self.player].containers)


@dataclass(frozen=True)
class Unloaded:
    """A container was unloaded at a planet, and the player gained Megagalax."""

    player: Seat
    planet: Planet
    container: Container
    gained: Count

    def fits(self, state: State) -> bool:
        """Return whether goods are in the container."""
        return any(state.players[self.player].containers[self.container : self.container + 1])


@dataclass(frozen=True)
class Flipped:
    """The unloaded goods were turned over. If *leave* isn't empty, the two cards with these numbers left the game."""

    player: Seat
    cards: Sides
    leave: Annotated[tuple[int, ...], Wholes(0, ALL_GOODS - 1)]

    def fits(self, state: State) -> bool:
        """Return whether this number of cards was unloaded."""
        return state.flipping is not None and len(self.cards) == len(state.flipping.cards)


@dataclass(frozen=True)
class Bought:
    """A technology was bought and is in play."""

    player: Seat
    card: Technology
    paid: Count


Command = Load | Unload | Flip | Buy
Event = ActionUsed | Loaded | Unloaded | Flipped | Bought


OFTEN: dict[type, float] = {Unload: 30.0, Load: 8.0}
"""Weights of commands that random play chooses often, since they help to end a game. The usual weight is 1."""


def decide(state: State, command: Command) -> tuple[Event | GameEnded, ...]:
    """Return the events of *command*, or raise `Refused`."""
    match command:
        case Load():
            planet, used = _action(state, command.player)
            return (used, loading(state, command.player, planet, command.to))
        case Unload():
            return _unload(state, command)
        case Flip():
            return _flip(state, command)
        case Buy():
            return _buy(state, command)
        case _:
            assert_never(command)


def loading(state: State, colour: str, planet: str, to: str) -> Loaded:
    """Return the event that loads all goods at *planet* for destination *to*, or raise `Refused`."""
    container = state.players[colour].empty_container
    if container is None:
        raise Refused(said("No container is empty."))
    if not any(card.to == to for card in state.at(planet)):
        here, there = label_of(planet), label_of(to)
        raise Refused(said("No goods for %(there)s are on %(here)s.", there=there, here=here))
    return Loaded(colour, planet, to, container)


def _unload(state: State, command: Unload) -> tuple[Event | GameEnded, ...]:
    """Unload a whole container at its destination.

    The player gains the values of the cards, and a bonus if no goods were there.
    """
    planet, used = _action(state, command.player)
    check_loaded(state, command.player, command.container)
    player = state.players[command.player]
    cargo = player.containers[command.container]
    if cargo[0].to != planet:
        raise Refused(said("Those goods are for %(planet)s.", planet=label_of(cargo[0].to)))
    gained = worth(state, planet, cargo)
    events = (used, Unloaded(command.player, planet, command.container, gained))
    return (*events, *won(player.megagalax + gained))


def check_loaded(state: State, colour: str, container: int) -> None:
    """Raise `Refused` if *colour* has no goods in *container*."""
    containers = state.players[colour].containers
    if container >= len(containers) or not containers[container]:
        raise Refused(said("%(name)s has nothing in that container.", name=name_of(state, colour)))


def worth(state: State, planet: str, cargo: tuple[Goods, ...]) -> int:
    """Return the Megagalax that unloading *cargo* at *planet* would give now."""
    bonus = 0 if state.at(planet) else BONUS * len(cargo)
    return sum(card.value for card in cargo) + bonus


def _flip(state: State, command: Flip) -> tuple[Event | GameEnded, ...]:
    """Turn over the unloaded goods. One pair with the same planet leaves the game."""
    assert state.flipping is not None, "the phase was looked at"
    _check_sides(state.flipping, command.cards)
    leave = _leaving(command)
    last = goods_in_game(state) == len(leave)
    ended = (GameEnded("goods"),) if last and leave else ()
    return (Flipped(command.player, command.cards, leave), *ended)


def _check_sides(flipping: Flipping, sides: tuple[CardSide, ...]) -> None:
    cards = flipping.cards
    if len(sides) != len(cards):
        raise Refused(said("Turn over %(count)s cards, not %(given)s.", count=len(cards), given=len(sides)))
    for number, (card, side) in enumerate(zip(cards, sides, strict=True), 1):
        if side.to == flipping.planet:
            raise Refused(said("A card's two sides name two planets. Check card %(num)s.", num=number))
        if card.back is not None and card.back != side:
            back = said("%(planet)s, %(value)s", planet=label_of(card.back.to), value=card.back.value)
            raise Refused(said("The back of card %(num)s is known: %(back)s.", num=number, back=back))


def _leaving(command: Flip) -> tuple[int, ...]:
    found = pairs(command.cards)
    if command.leave is None:
        if len(found) > 1:
            raise Refused(said("Say which pair leaves the game."))
        return found[0] if found else ()
    if not found:
        raise Refused(said("No two cards show the same planet."))
    if command.leave not in found:
        raise Refused(said("The two that leave must show the same planet."))
    return command.leave


def _buy(state: State, command: Buy) -> tuple[Event, ...]:
    """Buy a technology from the hand for the price of this turn."""
    _, used = _action(state, command.player)
    price, has = turn_of(state).price, state.players[command.player].megagalax
    check_held(state, command.player, (command.card,))
    if price > has:
        fills: dict[str, Any] = {"card": LABELS[command.card], "price": price, "has": has}
        name = name_of(state, command.player)
        raise Refused(said("%(card)s costs %(price)s Megagalax; %(name)s has %(has)s.", name=name, **fills))
    return (used, Bought(command.player, command.card, price))


def _action(state: State, colour: str) -> tuple[str, ActionUsed]:
    """Return the planet where *colour* may act and the event that uses an action, or raise `Refused`."""
    if not turn_of(state).actions:
        raise Refused(said("No planet action is left."))
    planet, orbit = works_at(state), place_of(state, colour) in ORBITS
    if planet is None:
        raise Refused(_out_in_space(state, colour, orbit))
    return planet, ActionUsed(colour, orbit)


def _out_in_space(state: State, colour: str, orbit: bool) -> str:
    if not orbit:
        return said("The ship is between two orbits.")
    if state.players[colour].technology("space_station") and not stations_left(state):
        return said("Every Space Station was used this turn.")
    return said("Land first: the ship is in orbit.")


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*."""
    match event:
        case ActionUsed():
            turn = turn_of(state)
            used = replace(turn, actions=turn.actions - 1, stations_used=turn.stations_used + event.orbit)
            return replace(state, turn=replace(used, begun=True, energy=None))
        case Loaded():
            there = state.at(event.planet)
            taken = tuple(card for card in there if card.to == event.to)
            player = state.players[event.player].holding(event.container, taken)
            left = tuple(card for card in there if card.to != event.to)
            return state.with_player(event.player, player).put(event.planet, left)
        case Unloaded():
            player = state.players[event.player]
            emptied = state.with_player(event.player, player.holding(event.container, ()))
            flipping = Flipping(event.planet, player.containers[event.container])
            after = megagalax_gained(emptied, event.player, event.gained)
            return replace(after, flipping=flipping, phase=Phase.FLIP)
        case Flipped():
            return _flipped(state, event)
        case Bought():
            player = state.players[event.player].with_technology(event.card, 1)
            paid = replace(player, hand=player.hand - 1, megagalax=player.megagalax - event.paid)
            return state.with_player(event.player, paid)
        case _:
            assert_never(event)


def _flipped(state: State, event: Flipped) -> State:
    assert state.flipping is not None, "what was unloaded is turned over"
    planet, cards = state.flipping.planet, state.flipping.cards
    turned = (card.turned(side) for card, side in zip(cards, event.cards, strict=True))
    staying = tuple(card for number, card in enumerate(turned) if number not in event.leave)
    return replace(state.put(planet, (*state.at(planet), *staying)), flipping=None, phase=Phase.TURN)


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield planet actions, or the flips of the unloaded goods if all their backs are known."""
    if state.phase is Phase.TURN:
        yield from (Unload(seat, number) for number in range(len(state.players[seat].containers)))
        yield from (Load(seat, planet) for planet in PLANETS)
        yield from (Buy(seat, card) for card in TECHNOLOGIES)
    if state.flipping is not None:
        backs = tuple(card.back for card in state.flipping.cards if card.back is not None)
        if len(backs) == len(state.flipping.cards):
            yield from (Flip(seat, backs, leave) for leave in pairs(backs) or (None,))


def at_random(state: State, lots: Random) -> Flip:
    """Return the command that turns over the unloaded goods. Unknown backs are chosen at random."""
    assert state.flipping is not None, "the phase was looked at"
    planet, cards = state.flipping.planet, state.flipping.cards
    sides = tuple(any_side(planet, lots) if card.back is None else card.back for card in cards)
    found = pairs(sides)
    return Flip(turn_of(state).player, sides, lots.choice(found) if found else None)


def gained(what: Occurrence) -> Said:
    """Return the sentence that says how many Megagalax a player gains."""
    more = what.fields["gained"]
    return said_n("%(name)s gains %(num)s Megagalax", "%(name)s gains %(num)s Megagalax", more, name=what.name)


def _turned_over(what: Occurrence) -> Said:
    sides = [f"{label_of(side['to'])} {side['value']}" for side in what.fields["cards"]]
    return said("%(name)s turns over: %(sides)s", name=what.name, sides=", ".join(sides))


def _left(what: Occurrence) -> Said | None:
    leave, cards = what.fields["leave"], what.fields["cards"]
    return said("Two goods for %(planet)s leave the game", planet=label_of(cards[leave[0]].to)) if leave else None


SENTENCES: Rows = {
    ActionUsed: Silent("the action itself is said"),
    Loaded: Telling(
        pattern("%(name)s loads for %(planet)s"),
        "load",
        said("All goods for that planet go in, and the container is sealed."),
        "load",
        words=Verbosity.ALL,
    ),
    Unloaded: Telling(
        pattern("%(name)s unloads container %(num)s"),
        "unload",
        said("Each card brings its value, and 1 more where no goods were."),
        "load",
        aloud=gained,
        words=Verbosity.FEW,
    ),
    Flipped: Telling(
        _turned_over,
        "flip",
        said("New goods for new planets. One pair for the same planet leaves."),
        "load",
        aloud=_left,
        about=nobody,
        possible=said("Turn the goods over"),
        how=said("one pair for the same planet leaves the game"),
    ),
    Bought: Telling(
        pattern("%(name)s buys %(card)s"),
        "buy",
        said("A technology stays for good. Each one makes the next dearer."),
        "buy",
        possible=said("Buy a technology"),
    ),
}
