"""The control of rooms: the player who controls each room, and the KP that the rooms give at the moment."""

from __future__ import annotations

from companion.games.wreck.rooms import ROOMS
from companion.games.wreck.state import State


def controller(state: State, room: str) -> str | None:
    """Return the colour with the most researchers in *room*.

    Return None if there is a tie, or if that colour has fewer researchers than the room's minimum.
    """
    counts = state.researchers.get(room)
    if counts is None:
        return None
    most = max(counts)
    if most < ROOMS[room].minimum or counts.count(most) > 1:
        return None
    return state.colours[counts.index(most)]


def controls(state: State, colour: str, room: str) -> bool:
    """Return whether *colour* controls *room*."""
    return controller(state, room) == colour


def room_kp(room: str, counts: tuple[int, ...]) -> tuple[int, ...]:
    """Return the KP that *room* gives each seat. Tied players share them, rounded down, if they have the minimum."""
    most, tile = max(counts), ROOMS[room]
    if most < tile.minimum:
        return (0,) * len(counts)
    share = tile.kp // counts.count(most)
    return tuple(share if count == most else 0 for count in counts)


def rooms_kp(state: State) -> tuple[int, ...]:
    """Return the sum of the KP of all open rooms, for each seat."""
    each = [room_kp(room, counts) for room, counts in state.researchers.items()]
    return tuple(map(sum, zip(*each, strict=True)))
