"""Random legal play for simulations and property tests.

Dice, tiles and cards are chosen at random among the possible ones.

`broken` checks after every event that nothing was lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from companion.games.wreck import (
    contamination,
    corrections,
    missions,
    offers,
    researchers,
    room_actions,
    rounds,
    technologies,
)
from companion.games.wreck.cards import (
    RESEARCHERS,
    TELEPORTER,
    TELEPORTERS,
    VACCINE,
    Altar,
    Species,
    species_json,
)
from companion.games.wreck.dice import ACTIONS, showing
from companion.games.wreck.header import most_tiles
from companion.games.wreck.options import CHOICES
from companion.games.wreck.rooms import AIRLOCK, LABORATORY, NOT_FOR_TWO, TILES, Cell
from companion.games.wreck.rules import Command, legal
from companion.games.wreck.state import ROUNDS, VACCINES, Phase, State, aboard
from companion.games.wreck.view import waited_for
from companion.kernel.fields import Line

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ana", "Ben", "Cem", "Dora")
PLACES = 0.15
"""The probability of a species with a place of its own."""
SIDES: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))


def header(players: int, lots: Random, any_rulings: bool = False) -> Line:
    """Return the game's part of a record header for 2 to 4 *players*, with random options if *any_rulings*."""
    options = {name: lots.choice(words) for name, words in CHOICES.items()} if any_rulings else {}
    free = options.get("tiles") == "free"
    tiles = lots.randint(2, most_tiles(players)) if free else TILES[players]
    rows = [
        {"colour": colour, "name": name, "species": species_json(_species(lots))}
        for colour, name in list(zip(COLOURS, NAMES, strict=True))[:players]
    ]
    ids = [TELEPORTER, *lots.sample((VACCINE, "t1", "t2", "t3", "t4", "t5", "t6"), 3)]
    return {
        "players": rows,
        "first": lots.choice(rows)["colour"],
        "options": options,
        "layout": [list(cell) for cell in _layout(tiles, lots)],
        "technologies": [{"id": id, "name": ""} for id in ids],
    }


def command(state: State, lots: Random) -> Command:
    """Return a legal command for the seat that must act. It must not be called after the end."""
    (seat,) = waited_for(state)
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return _legal(state, missions.at_random(state, seat, lots)) or offers.at_random(state, seat, lots)
        case Phase.OFFERS:
            return offers.at_random(state, seat, lots)
        case Phase.TURNS if state.players[seat].contamination:
            return contamination.at_random(state, seat, lots)
        case Phase.TURNS:
            return (
                _legal(state, corrections.at_random(state, seat, lots))
                or _action(state, seat, lots)
                or _legal(state, missions.at_random(state, seat, lots))
                or rounds.EndTurn(seat)
            )
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _legal(state: State, wished: Command | None) -> Command | None:
    return wished if wished is not None and legal(state, wished) else None


def _action(state: State, seat: str, lots: Random) -> Command | None:
    """Return a random action, if any is legal: of a room, or of one of the dice of *seat*."""
    if missions.turn_step(state) == "missions":
        return None
    dice = [die for die in ACTIONS if showing(state.players[seat].dice, die)]
    kinds: list[Chance] = [room_actions.at_random, *(partial(_with_die, die) for die in dice)]
    lots.shuffle(kinds)
    for kind in kinds:
        if chosen := _legal(state, kind(state, seat, lots)):
            return chosen
    return None


Chance = Callable[[State, str, Random], Command | None]


def _with_die(die: str, state: State, seat: str, lots: Random) -> Command | None:
    uses: list[Chance] = [*researchers.random_uses(die)]
    if die == technologies.DIE:
        uses.append(technologies.at_random)
    return lots.choice(uses)(state, seat, lots)


def _species(lots: Random) -> Species:
    place = Altar("", lots.randint(1, 3)) if lots.random() < PLACES else None
    return Species("", lots.randint(1, 4), lots.randint(1, 5), place)


def _layout(tiles: int, lots: Random) -> list[Cell]:
    cells: list[Cell] = [(0, 0)]
    while len(cells) < tiles:
        (x, y), (right, down) = lots.choice(cells), lots.choice(SIDES)
        if (beside := (x + right, y + down)) not in cells:
            cells.append(beside)
    return cells


def broken(state: State) -> tuple[str, ...]:
    """Return a sentence for each invariant that *state* violates. The result is empty if there is none."""
    theirs = (fault for colour in state.colours for fault in _player_faults(state, colour))
    return (*_table_faults(state), *_tile_faults(state), *theirs)


def _table_faults(state: State) -> Iterator[str]:
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
    yield from missions.faults(state)


def _tile_faults(state: State) -> Iterator[str]:
    opened = [tile for tile in state.tiles if tile is not None]
    if len(set(opened)) != len(opened) or opened[0] != AIRLOCK or state.tiles[0] != AIRLOCK:
        yield f"rooms {opened}"
    if set(opened) != set(state.researchers) or set(opened) != set(state.teleporters):
        yield "somebody is in a room that is not open"
    if len(state.colours) == len(NOT_FOR_TWO) and set(NOT_FOR_TWO) & set(opened):
        yield "a room that two players do not use"
    if any(state.teleporters.get(LABORATORY, ())):
        yield "a teleporter in the laboratory"


def _player_faults(state: State, colour: str) -> Iterator[str]:
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


class _RandomPlay:
    """Random play of this game, as the simulation uses it."""

    players = tuple(TILES)
    header = staticmethod(header)
    command = staticmethod(command)
    broken = staticmethod(broken)

    def rounds(self, state: State) -> int:
        """Return the number of the current round."""
        return state.round


RANDOM_PLAY = _RandomPlay()
