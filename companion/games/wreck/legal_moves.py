"""The legal commands of a seat. `candidates` quickly lists possible commands, and `decide` says which are legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from companion.games.wreck import commands as asked
from companion.games.wreck.cards import PERSONAL, TELEPORTER
from companion.games.wreck.commands import Command
from companion.games.wreck.dice import ACTIONS, SYMBOLS, symbols_of
from companion.games.wreck.rooms import ROOMS, ZONE, side_by_side
from companion.games.wreck.rounds import due_to_leave, most_offered
from companion.games.wreck.rules import decide
from companion.games.wreck.state import Phase, State, adjacent, cell_of, closed_cells, own, teleporters_in
from companion.model.legal_moves import LegalMoves

MOST_CALLED = 3


def candidates(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that may be legal for *seat* in this phase, in a fixed order.

    All legal commands are among them, with a few exceptions.

    The exceptions are rolls and cards that players type in, corrections, effects of technologies, and steps after the
    first.
    """
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            if seat == state.starter:
                yield asked.Open(None)
            yield asked.Exchange(seat)
        case Phase.OFFERS if state.offer:
            yield asked.Decline(seat)
            yield from (asked.Accept(seat, die) for die in (*SYMBOLS, None))
        case Phase.OFFERS if seat == state.offerer:
            yield from _offers(state, seat)
        case Phase.TURNS if seat == state.turn:
            yield from _turn(state, seat)


def _offers(state: State, seat: str) -> Iterator[Command]:
    for counts in product(*(range(count + 1) for count in state.pool)):
        if 1 <= sum(counts) <= most_offered(state):
            yield asked.Offer(seat, symbols_of(counts))


def _turn(state: State, seat: str) -> Iterator[Command]:
    if state.players[seat].contamination:
        yield from _contaminations(state, seat)
        return
    yield from die_actions(state, seat)
    yield from room_actions(state, seat)
    for mission in (*(each.id for each in state.general), PERSONAL):
        card = next((each.card for each in state.general if each.id == mission), None)
        if card is not None:
            yield from (asked.Fulfil(seat, mission, rooms) for rooms in _rooms_of(state, seat, card.sacrifice))
    yield asked.EndTurn(seat)


def _contaminations(state: State, seat: str) -> Iterator[Command]:
    player = state.players[seat]
    for vaccines in range(min(player.contamination, player.vaccines), -1, -1):
        due = due_to_leave(state, seat, vaccines)
        inside = min(own(state, seat, ZONE), due)
        places = range(due + 1) if state.setting.species_of(seat).place else (0,)
        for rooms in _rooms_of(state, seat, due - inside):
            ordered = ((ZONE,) * inside) + tuple(room for room in rooms if room != ZONE)
            yield from (asked.Contaminate(seat, vaccines, ordered, place) for place in places)


def _rooms_of(state: State, seat: str, count: int) -> Iterator[tuple[str, ...]]:
    """Yield all ways to take *count* researchers of *seat* from rooms."""
    with_own = [room for room in state.researchers if own(state, seat, room)]
    for rooms in combinations_with_replacement(with_own, count):
        if all(rooms.count(room) <= own(state, seat, room) for room in set(rooms)):
            yield rooms


def die_actions(state: State, seat: str) -> Iterator[Command]:
    """Yield commands that the dice of *seat* might pay for.

    Movements have only one step, and technologies have no effects.
    """
    held = [die for die in ACTIONS if state.players[seat].dice[SYMBOLS.index(die)]]
    steps = first_steps(state, seat)
    explored = list(_explored(state, seat))
    calls = list(_calls(state, seat))
    for die in held:
        yield from (asked.Train(seat, die, count) for count in (1, 2))
        yield from (asked.Call(seat, die, to) for to in calls)
        yield from (asked.Move(seat, die, (step,)) for step in steps)
        yield from (asked.Explore(seat, die, *each) for each in explored)
    if "technology" in held:
        yield from (asked.Teleport(seat, room) for room in (*state.researchers, None))
        others = (each.id for each in state.setting.technologies if each.id != TELEPORTER)
        yield from (asked.Technology(seat, id, ()) for id in others)


def first_steps(state: State, seat: str) -> tuple[asked.Step, ...]:
    """Return the single steps that researchers of *seat* can take."""
    from_rooms = (room for room in state.researchers if own(state, seat, room))
    return tuple((room, other) for room in from_rooms for other in state.researchers if adjacent(state, room, other))


def _calls(state: State, seat: str) -> Iterator[tuple[str, ...]]:
    rooms = [room for room in state.teleporters if teleporters_in(state, seat, room)]
    for count in range(1, MOST_CALLED + 1):
        yield from combinations_with_replacement(rooms, count)


def _explored(state: State, seat: str) -> Iterator[tuple[str, tuple[int, int], str]]:
    unknown = [room for room in ROOMS if room not in state.researchers]
    for cell in closed_cells(state):
        for source in state.researchers:
            if own(state, seat, source) and side_by_side(cell_of(state, source), cell):
                yield from ((source, cell, room) for room in unknown)


def room_actions(state: State, seat: str) -> Iterator[Command]:
    """Yield the room actions that *seat* might take."""
    if state.players[seat].room_action:
        return
    there = [(colour, room) for room in state.researchers for colour in state.colours if own(state, colour, room)]
    yield from (asked.Armoury(seat, colour, room) for colour, room in there)
    yield from (asked.Hangar(seat, room) for room in state.researchers)
    yield from (asked.Quarters(seat, (step,)) for step in first_steps(state, seat))
    yield asked.Communications(seat, None)
    yield from (asked.Communications(seat, to) for to in _calls(state, seat) if len(to) < MOST_CALLED)
    yield asked.Bridge(seat)
    if "reactor" in state.researchers:
        yield from (asked.Reactor(seat, (one, other)) for one, other in combinations_with_replacement(there, 2))


LEGAL_MOVES = LegalMoves(decide, candidates)
choices, legal = LEGAL_MOVES.choices, LEGAL_MOVES.legal
