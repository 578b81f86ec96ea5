"""Random legal play for simulations and property tests.

Dice, tiles and cards are chosen at random among the possible ones.

`broken` checks after every event that nothing was lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from companion.games.wreck import corrections, missions, offers, researchers, room_actions, technologies, turns
from companion.games.wreck.cards import (
    GENERAL,
    MISSION_CARDS,
    MOST_KP,
    MOST_SACRIFICED,
    PERSONAL,
    RESEARCHERS,
    TELEPORTER,
    TELEPORTERS,
    VACCINE,
    Altar,
    Card,
    Species,
    species_json,
)
from companion.games.wreck.changes import (
    Change,
    DieChanged,
    PointsGiven,
    ResearchersMoved,
    TechnologyTurned,
    VaccinesMoved,
)
from companion.games.wreck.dice import ACTIONS, CALLED, CONTAMINATION, STEPS, SYMBOLS, TRAINED, symbols_of
from companion.games.wreck.header import most_tiles
from companion.games.wreck.offers import most_offered, rerolled
from companion.games.wreck.options import CHOICES
from companion.games.wreck.researchers import first_steps
from companion.games.wreck.rooms import AIRLOCK, LABORATORY, NOT_FOR_TWO, ROOMS, TILES, ZONE, Cell, side_by_side
from companion.games.wreck.rules import Command, legal
from companion.games.wreck.state import (
    ROUNDS,
    SUPPLY,
    VACCINES,
    Phase,
    State,
    aboard,
    cell_of,
    closed_cells,
    own,
    teleporters_in,
)
from companion.games.wreck.turns import due_to_leave
from companion.games.wreck.view import waited_for
from companion.kernel.fields import Line

COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ana", "Ben", "Cem", "Dora")
SWAPS, FULFILS, CORRECTS, DECLINES = 0.15, 0.12, 0.02, 0.5
"""The probabilities of swapping a mission, fulfilling a mission, making a correction, and declining an offer."""
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


def roll(count: int, lots: Random) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Roll *count* dice with equal chances for all symbols.

    Return the first roll, and the rerolls because of contamination.
    """
    dice = tuple(lots.choices(SYMBOLS, k=count))
    rerolls, left = [], rerolled(dice)
    while left:
        again = tuple(lots.choices(SYMBOLS, k=left))
        rerolls.append(again)
        left = again.count(CONTAMINATION)
    return dice, tuple(rerolls)


def command(state: State, lots: Random) -> Command:
    """Return a legal command for the seat that must act. It must not be called after the end."""
    (seat,) = waited_for(state)
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return _between(state, seat, lots)
        case Phase.OFFERS:
            return _offer(state, seat, lots)
        case Phase.TURNS:
            return _turn(state, seat, lots)
        case Phase.FINISHED:
            raise AssertionError("asked after the end")


def _between(state: State, seat: str, lots: Random) -> Command:
    if state.open_due:
        return missions.Open(_card(lots) if lots.random() < 1 - SWAPS else None)
    swap = missions.Exchange(lots.choice(state.colours))
    if lots.random() < SWAPS and legal(state, swap):
        return swap
    return offers.Roll(seat, *roll(state.setting.dice, lots))


def _offer(state: State, seat: str, lots: Random) -> Command:
    if state.offer is None:
        pool = symbols_of(state.pool)
        return offers.Offer(seat, tuple(lots.sample(pool, lots.randint(1, most_offered(state)))))
    if not state.offer.forced and lots.random() < DECLINES:
        return offers.Decline(seat)
    return offers.Accept(seat, lots.choice((*symbols_of(state.pool), None)))


def _turn(state: State, seat: str, lots: Random) -> Command:
    if state.players[seat].contamination:
        return _contaminate(state, seat, lots)
    if lots.random() < CORRECTS:
        repair = corrections.Correct(seat, "a card said so", _effects(state, lots))
        if repair.effects and legal(state, repair):
            return repair
    if not state.fulfilling:
        dice = [die for die in ACTIONS if state.players[seat].dice[SYMBOLS.index(die)]]
        kinds = [_room_action, *(_by(die) for die in dice)]
        lots.shuffle(kinds)
        for kind in kinds:
            chosen = kind(state, seat, lots)
            if chosen is not None and legal(state, chosen):
                return chosen
    fulfil = _fulfil(state, seat, lots) if lots.random() < FULFILS else None
    return fulfil if fulfil is not None and legal(state, fulfil) else turns.EndTurn(seat)


Chance = Callable[[State, str, Random], Command | None]


def _by(die: str) -> Chance:
    """Return a function that uses *die* in a random way: for its symbol, for steps, or to explore."""

    def used(state: State, seat: str, lots: Random) -> Command | None:
        uses: list[Chance] = [lambda *_: _explore(state, seat, die, lots), lambda *_: _move(state, seat, die, lots)]
        if die in TRAINED:
            uses.append(lambda *_: researchers.Train(seat, die, lots.randint(1, TRAINED[die])))
        if die in CALLED:
            uses.append(lambda *_: _call(state, seat, die, lots))
        if die == "technology":
            uses.append(_technology)
        return lots.choice(uses)(state, seat, lots)

    return used


def _explore(state: State, seat: str, die: str, lots: Random) -> Command | None:
    closed, sources = closed_cells(state), [room for room in state.researchers if own(state, seat, room)]
    ways = [(room, cell) for room in sources for cell in closed if side_by_side(cell_of(state, room), cell)]
    if not ways:
        return None
    unused = NOT_FOR_TWO if len(state.colours) == len(NOT_FOR_TWO) else ()
    rooms = [room for room in ROOMS if room not in state.researchers and room not in unused]
    source, cell = lots.choice(ways)
    return researchers.Explore(seat, die, source, cell, lots.choice(rooms))


def _move(state: State, seat: str, die: str, lots: Random) -> Command | None:
    possible = first_steps(state, seat)
    if not possible:
        return None
    steps = [lots.choice(possible)]
    for _ in range(lots.randrange(STEPS[die])):
        onward = [step for step in possible if step[0] == steps[-1][1]]
        steps.append(lots.choice(onward or possible))
    return researchers.Move(seat, die, tuple(steps))


def _call(state: State, seat: str, die: str, lots: Random) -> Command | None:
    rooms = [room for room in state.teleporters if teleporters_in(state, seat, room)]
    most = min(CALLED[die] + lots.randint(0, 1), state.players[seat].species)
    return researchers.Call(seat, die, tuple(lots.choices(rooms, k=lots.randint(1, most)))) if rooms and most else None


def _technology(state: State, seat: str, lots: Random) -> Command | None:
    ready = [each.id for each in state.setting.technologies if each.id not in state.used]
    if not ready:
        return None
    id = lots.choice(ready)
    if id != TELEPORTER:
        gain = (VaccinesMoved(seat, 2),) if id == VACCINE else _effects(state, lots)
        chosen = technologies.Technology(seat, id, gain)
        return chosen if legal(state, chosen) else technologies.Technology(seat, id, ())
    rooms = (
        [room for room in state.researchers if own(state, seat, room)] if state.players[seat].teleporters else [None]
    )
    return technologies.Teleport(seat, lots.choice(rooms)) if rooms else None


def _effects(state: State, lots: Random) -> tuple[Change, ...]:
    colour = lots.choice(state.colours)
    wishes: tuple[Change, ...] = (
        PointsGiven(colour, lots.choice((1, 1, 2, -1))),
        ResearchersMoved(colour, SUPPLY, lots.choice(tuple(state.researchers)), 1),
        ResearchersMoved(colour, lots.choice(tuple(state.researchers)), lots.choice(("species", "place")), 1),
        DieChanged(colour, lots.choice(ACTIONS), lots.choice((*ACTIONS, None))),
        DieChanged(colour, None, lots.choice(ACTIONS)),
        TechnologyTurned(lots.choice(state.setting.technologies).id, bool(lots.randrange(2))),
    )
    return tuple(lots.sample(wishes, lots.randint(1, 2)))


def _room_action(state: State, seat: str, lots: Random) -> Command | None:
    found = [each for each in room_actions.candidates(state, seat) if legal(state, each)]
    return lots.choice(found) if found and lots.randrange(2) else None


def _contaminate(state: State, seat: str, lots: Random) -> Command:
    player = state.players[seat]
    vaccines = lots.randint(0, min(player.contamination, player.vaccines))
    due = due_to_leave(state, seat, vaccines)
    inside = min(own(state, seat, ZONE), due)
    rooms = (*((ZONE,) * inside), *_some(state, seat, due - inside, lots, leaving=ZONE))
    place = lots.randint(0, due) if state.setting.species_of(seat).place else 0
    return turns.Contaminate(seat, vaccines, rooms, place)


def _some(state: State, seat: str, count: int, lots: Random, leaving: str = "") -> Sequence[str]:
    """Return the rooms of *count* random researchers of *seat*. Researchers in the room *leaving* are excluded."""
    rooms = [room for room in state.researchers if room != leaving for _ in range(own(state, seat, room))]
    return lots.sample(rooms, count)


def _fulfil(state: State, seat: str, lots: Random) -> Command | None:
    lying = {each.id: each.card for each in state.general}
    mission = lots.choice((*lying, PERSONAL))
    card = lying.get(mission)
    entered = None if card is not None else _card(lots)
    costs = (card or entered or _card(lots)).sacrifice
    if sum(own(state, seat, room) for room in state.researchers) < costs:
        return None
    return missions.Fulfil(seat, mission, tuple(_some(state, seat, costs, lots)), entered)


def _card(lots: Random) -> Card:
    return Card(
        "", lots.choice((1, 1, 2, 2, 3, MOST_KP)) if lots.random() < SWAPS else 1, lots.randint(0, MOST_SACRIFICED)
    )


def _species(lots: Random) -> Species:
    place = Altar("", lots.randint(1, 3)) if lots.random() < SWAPS else None
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
    yield from _mission_faults(state)


def _mission_faults(state: State) -> Iterator[str]:
    fulfilled = [each.mission for player in state.players.values() for each in player.missions]
    opened = sorted([*(each.id for each in state.general), *(each for each in fulfilled if each != PERSONAL)])
    if opened != list(GENERAL[: state.opened]):
        yield f"general missions {opened}, not {state.opened}"
    held = sum(player.personal for player in state.players.values())
    cards = len(GENERAL) + state.personal_pile + held + fulfilled.count(PERSONAL)
    if cards != MISSION_CARDS:
        yield f"{cards} mission cards, not {MISSION_CARDS}"


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
