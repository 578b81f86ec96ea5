"""Tracks of the printed board: on both sides, on a grid four times finer than that of the holes."""

from collections.abc import Iterator
from itertools import pairwise

from hardware.drawing.board.netlist import COLUMNS, ROWS, Netlist
from hardware.drawing.board.routing import Blocked, Node, Way, way

FINER = 4
PITCH = 2.54 / FINER  # millimetres between two points of the grid
TRACK, CLEARANCE, VIA = 0.4, 0.2, 0.8  # millimetres
PAD = 1.7  # diameter of the widest pad, millimetres
MARGIN = 8  # points outside the outermost holes, left and right; half as many above and below
HOLE_ROOM = 3.2  # millimetres that tracks avoid around the middle of a screw's hole
SCREWS = [(x, y) for x in (-33.0, 33.0) for y in (-23.0, 23.0)]


class Copper:
    """The pads and tracks on the board so far; `ways` has the tracks of each net."""

    def __init__(self, board: Netlist) -> None:
        self.ways: dict[str, list[Way]] = {}
        self._owner: dict[Node, str] = {}
        self._near: dict[Node, set[str]] = {}  # by point: nets with a pad or via so near that others must keep away
        self._pads = {point(pin_at): board.net_of.get(pin, pin) for pin, pin_at in board.at.items()}
        for spot, net in self._pads.items():
            self._keep_off(spot, net, (PAD + TRACK) / 2 + CLEARANCE)

    def route(self, net: str, spots: list[tuple[int, int]]) -> None:
        """Join all *spots* of *net*, or raise Blocked."""
        reached: set[Node] = {(side, *spots[0]) for side in (0, 1)}
        left = spots[1:]
        while left:
            nearest = min(left, key=lambda spot: min(abs(spot[0] - c) + abs(spot[1] - r) for _, c, r in reached))
            left.remove(nearest)
            found = way(reached, [(side, *nearest) for side in (0, 1)], lambda a, b: self._free(net, a, b), 2)
            self.ways.setdefault(net, []).append(found)
            reached |= set(found) | {(side, *nearest) for side in (0, 1)}
            self._take(net, found)

    def _take(self, net: str, found: Way) -> None:
        for node in found:
            self._owner[node] = net
        for one, other in pairwise(found):
            if one[0] != other[0] and one[1:] not in self._pads:
                self._keep_off(one[1:], net, (VIA + TRACK) / 2 + CLEARANCE)

    def _keep_off(self, spot: tuple[int, int], net: str, room: float) -> None:
        for near in _around(spot, room):
            for side in (0, 1):
                self._near.setdefault((side, *near), set()).add(net)

    def _free(self, net: str, one: Node, there: Node) -> bool:
        _, column, row = there
        if not _inside(column, row) or self._near.get(there, {net}) - {net} or self._owner.get(there, net) != net:
            return False
        if one[0] == there[0]:
            return True
        return there[1:] in self._pads or self._room_for_a_via(net, there[1:])

    def _room_for_a_via(self, net: str, spot: tuple[int, int]) -> bool:
        around = [(side, *near) for near in _around(spot, VIA + CLEARANCE) for side in (0, 1)]
        beside = [(side, *near) for near in _around(spot, (VIA + PAD) / 2 + CLEARANCE) for side in (0,)]
        if any(self._pads.get(node[1:], net) != net or node[1:] in self._pads for node in beside):
            return False
        tracks = [(side, *near) for near in _around(spot, (VIA + TRACK) / 2 + CLEARANCE) for side in (0, 1)]
        if any(self._owner.get(node, net) != net for node in tracks):
            return False
        return not any(self._near.get(node, {net}) - {net} for node in around[:2])


def routed(board: Netlist) -> dict[str, list[Way]]:
    """Return the tracks of every net. A net without a free path is routed first in the next of 20 rounds.

    Raise Blocked if the last round fails too.
    """
    order = sorted(board.nets, key=lambda net: (len(board.nets[net]) > 6, len(board.nets[net]), net))
    for _ in range(20):
        copper = Copper(board)
        blocked = next((net for net in order if not _fits(copper, board, net)), None)
        if blocked is None:
            return copper.ways
        order.remove(blocked)
        order.insert(0, blocked)
    raise Blocked(blocked)


def _fits(copper: Copper, board: Netlist, net: str) -> bool:
    try:
        copper.route(net, [point(board.at[pin]) for pin in board.nets[net]])
    except Blocked:
        return False
    return True


def point(hole: tuple[int, int]) -> tuple[int, int]:
    """Return the point of the grid at a hole."""
    return hole[0] * FINER, hole[1] * FINER


def millimetres(column: float, row: float) -> tuple[float, float]:
    """Return the position of a point of the grid, in millimetres from the middle of the board."""
    return (column - (COLUMNS - 1) * FINER / 2) * PITCH, (row - (ROWS - 1) * FINER / 2) * PITCH


def _inside(column: int, row: int) -> bool:
    if not (
        -MARGIN <= column <= (COLUMNS - 1) * FINER + MARGIN and -MARGIN // 2 <= row <= (ROWS - 1) * FINER + MARGIN // 2
    ):
        return False
    x, y = millimetres(column, row)
    return all((x - a) ** 2 + (y - b) ** 2 > HOLE_ROOM**2 for a, b in SCREWS)


def _around(spot: tuple[int, int], room: float) -> Iterator[tuple[int, int]]:
    reach = int(room / PITCH)
    yield spot
    for column in range(-reach, reach + 1):
        for row in range(-reach, reach + 1):
            if (column or row) and (column**2 + row**2) ** 0.5 * PITCH < room - 1e-6:
                yield spot[0] + column, spot[1] + row
