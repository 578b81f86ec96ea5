"""What holds after every event, whatever was played: nothing is lost, nothing is doubled."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.wreck.cards import GENERAL, MISSION_CARDS, PERSONAL, RESEARCHERS, TELEPORTERS, VACCINE
from companion.games.wreck.rooms import AIRLOCK, LABORATORY, NOT_FOR_TWO
from companion.games.wreck.state import ROUNDS, VACCINES, Phase, State, aboard


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for every invariant that *state* breaks; none in a sound game."""
    return (*_table(state), *_tiles(state), *(fault for colour in state.colours for fault in _player(state, colour)))


def _table(state: State) -> Iterator[str]:
    dice = sum(state.pool) + sum(sum(player.dice) for player in state.players.values())
    dice += sum(state.offer.dice) if state.offer else 0
    if dice > state.setting.dice or (state.phase is Phase.OFFERS and dice != state.setting.dice):
        yield f"{dice} dice, not {state.setting.dice}"
    if state.phase not in (Phase.OFFERS, Phase.TURNS) and dice:
        yield f"{dice} dice between rounds"
    markers = state.vaccines + sum(player.vaccines for player in state.players.values())
    if markers != (VACCINES if any(each.id == VACCINE for each in state.setting.technologies) else 0):
        yield f"{markers} vaccine markers"
    orders = sorted(player.order for player in state.players.values() if player.order)
    if orders != list(range(1, len(orders) + 1)):
        yield f"order cards {orders}"
    if not 1 <= state.round <= ROUNDS or state.opened > ROUNDS:
        yield f"round {state.round} with {state.opened} missions"
    yield from _missions(state)


def _missions(state: State) -> Iterator[str]:
    fulfilled = [each.mission for player in state.players.values() for each in player.missions]
    opened = sorted([*(each.id for each in state.general), *(each for each in fulfilled if each != PERSONAL)])
    if opened != list(GENERAL[: state.opened]):
        yield f"general missions {opened}, not {state.opened}"
    held = sum(player.personal for player in state.players.values())
    cards = len(GENERAL) + state.personal_pile + held + fulfilled.count(PERSONAL)
    if cards != MISSION_CARDS:
        yield f"{cards} mission cards, not {MISSION_CARDS}"


def _tiles(state: State) -> Iterator[str]:
    opened = [tile for tile in state.tiles if tile is not None]
    if len(set(opened)) != len(opened) or opened[0] != AIRLOCK or state.tiles[0] != AIRLOCK:
        yield f"rooms {opened}"
    if set(opened) != set(state.researchers) or set(opened) != set(state.teleporters):
        yield "somebody is in a room that is not open"
    if len(state.colours) == len(NOT_FOR_TWO) and set(NOT_FOR_TWO) & set(opened):
        yield "a room that two players do not use"
    if any(state.teleporters.get(LABORATORY, ())):
        yield "a teleporter in the laboratory"


def _player(state: State, colour: str) -> Iterator[str]:
    player, at = state.players[colour], state.setting.at[colour]
    researchers = player.supply + player.species + player.place + aboard(state, colour)
    if researchers != RESEARCHERS:
        yield f"{colour} has {researchers} researchers, not {RESEARCHERS}"
    teleporters = player.teleporters + sum(counts[at] for counts in state.teleporters.values())
    if teleporters != TELEPORTERS:
        yield f"{colour} has {teleporters} teleporters, not {TELEPORTERS}"
    if player.place and state.setting.species_of(colour).place is None:
        yield f"{colour} has researchers at a place that is not there"
    aboard_counts = [counts[at] for counts in (*state.researchers.values(), *state.teleporters.values())]
    beside = (player.supply, player.species, player.place, player.teleporters, player.vaccines, player.kp)
    if min(*aboard_counts, *beside, *player.dice) < 0:
        yield f"{colour} has a count below zero"
