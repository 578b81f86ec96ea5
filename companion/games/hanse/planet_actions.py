"""The planet actions: load a container, unload one and turn over its goods, buy a technology."""

from __future__ import annotations

from companion.games.hanse.cards import LABELS
from companion.games.hanse.commands import Buy, Flip, Load, Unload
from companion.games.hanse.events import ActionUsed, Bought, Event, Flipped, GameEnded, Loaded, Unloaded
from companion.games.hanse.goods import GOAL, CardSide, Goods, pairs
from companion.games.hanse.hand import check_held
from companion.games.hanse.places import ORBITS, label_of
from companion.games.hanse.state import (
    Flipping,
    State,
    goods_in_game,
    name_of,
    place_of,
    stations_left,
    turn_of,
    works_at,
)
from companion.kernel.errors import Refused
from companion.kernel.said import said

BONUS = 1
"""Extra Megagalax for each unloaded card if no goods were at the planet."""


def load(state: State, command: Load) -> tuple[Event, ...]:
    """Load all goods for one planet into the first empty container."""
    planet, used = _action(state, command.player)
    return (used, loading(state, command.player, planet, command.to))


def loading(state: State, colour: str, planet: str, to: str) -> Loaded:
    """Return the event that loads all goods at *planet* for destination *to*, or raise `Refused`."""
    container = state.players[colour].empty_container
    if container is None:
        raise Refused(said("%(name)s has no empty container.", name=name_of(state, colour)))
    if not any(card.to == to for card in state.at(planet)):
        here, there = label_of(planet), label_of(to)
        raise Refused(said("No goods for %(there)s are on %(here)s.", there=there, here=here))
    return Loaded(colour, planet, to, container)


def unload(state: State, command: Unload) -> tuple[Event, ...]:
    """Unload a whole container at its destination.

    The player gains the values of the cards, and a bonus if no goods were there.
    """
    planet, used = _action(state, command.player)
    player, name = state.players[command.player], name_of(state, command.player)
    if command.container >= len(player.containers) or not player.containers[command.container]:
        raise Refused(said("%(name)s has nothing in that container.", name=name))
    cargo = player.containers[command.container]
    if cargo[0].to != planet:
        raise Refused(said("Those goods are for %(planet)s.", planet=label_of(cargo[0].to)))
    gained = worth(state, planet, cargo)
    events = (used, Unloaded(command.player, planet, command.container, gained))
    return (*events, *won(player.megagalax + gained))


def worth(state: State, planet: str, cargo: tuple[Goods, ...]) -> int:
    """Return the Megagalax that unloading *cargo* at *planet* would give now."""
    bonus = 0 if state.at(planet) else BONUS * len(cargo)
    return sum(card.value for card in cargo) + bonus


def won(megagalax: int) -> tuple[GameEnded, ...]:
    """Return the event that ends the game if *megagalax* is enough to win, otherwise nothing."""
    return (GameEnded("megagalax"),) if megagalax >= GOAL else ()


def flip(state: State, command: Flip) -> tuple[Event, ...]:
    """Turn over the unloaded goods. One pair with the same planet leaves the game."""
    assert state.flipping is not None, "the phase was looked at"
    _check_sides(state.flipping, command.cards)
    leave = _leaving(command)
    last = goods_in_game(state) == len(leave)
    ended = (GameEnded("goods"),) if last and leave else ()
    return (Flipped(command.player, command.cards, leave), *ended)


def buy(state: State, command: Buy) -> tuple[Event, ...]:
    """Buy a technology from the hand for the price of this turn."""
    _, used = _action(state, command.player)
    price, has = turn_of(state).price, state.players[command.player].megagalax
    check_held(state, command.player, (command.card,))
    if price > has:
        name, card = name_of(state, command.player), LABELS[command.card]
        raise Refused(
            said(
                "%(card)s costs %(price)s Megagalax; %(name)s has %(has)s.",
                card=card,
                price=price,
                name=name,
                has=has,
            )
        )
    return (used, Bought(command.player, command.card, price))


def _action(state: State, colour: str) -> tuple[str, ActionUsed]:
    """Return the planet where *colour* may act and the event that uses an action, or raise `Refused`."""
    if not turn_of(state).actions:
        raise Refused(said("%(name)s has no planet action left.", name=name_of(state, colour)))
    planet, orbit = works_at(state), place_of(state, colour) in ORBITS
    if planet is None:
        raise Refused(_out_in_space(state, colour, orbit))
    return planet, ActionUsed(colour, orbit)


def _out_in_space(state: State, colour: str, orbit: bool) -> str:
    name = name_of(state, colour)
    if not orbit:
        return said("%(name)s's ship is between two orbits.", name=name)
    if state.players[colour].technology("space_station") and not stations_left(state):
        return said("%(name)s has used every Space Station this turn.", name=name)
    return said("Land first: %(name)s's ship is in orbit.", name=name)


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
