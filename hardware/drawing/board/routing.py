"""Paths for wires over a grid, on one or both sides of a board: the cheapest that does not touch other nets."""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush

Node = tuple[int, int, int]  # side, column, row
Way = list[Node]
TURN, CHANGE = 0.3, 6.0  # cost of a corner and of a via, in steps of the grid


class Blocked(Exception):
    """There is no free path between two points."""


def way(starts: Iterable[Node], goals: Iterable[Node], free: Callable[[Node, Node], bool], sides: int) -> Way:
    """Return the cheapest path from one of *starts* to one of *goals* by steps that *free* allows, or raise Blocked."""
    ends = set(goals)
    cheapest: dict[Node, float] = {}
    came: dict[Node, Node | None] = {}
    waiting: list[tuple[float, Node, Node | None, tuple[int, ...]]] = []
    for start in sorted(set(starts)):
        heappush(waiting, (0.0, start, None, ()))
    while waiting:
        cost, node, before, heading = heappop(waiting)
        if node in came:
            continue
        came[node] = before
        if node in ends:
            return _back(node, came)
        for step in _steps(node, sides):
            there = (node[0] + step[0] if sides > 1 else node[0], node[1] + step[1], node[2] + step[2])
            price = cost + (CHANGE if step[0] else 1 + TURN * (heading not in ((), step)))
            if there not in came and price < cheapest.get(there, 1e9) and (there in ends or free(node, there)):
                cheapest[there] = price
                heappush(waiting, (price, there, node, step))
    raise Blocked


def _steps(node: Node, sides: int) -> Iterator[tuple[int, int, int]]:
    yield from ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    if sides > 1:
        yield (1 - 2 * node[0], 0, 0)


def _back(node: Node, came: dict[Node, Node | None]) -> Way:
    found: Way = []
    at: Node | None = node
    while at is not None:
        found.append(at)
        at = came[at]
    return found[::-1]


def corners(of: Way) -> Way:
    """Return *of* without the nodes on straight lines between its corners."""
    kept = [of[0]]
    for before, here, after in zip(of, of[1:], of[2:], strict=False):
        if tuple(b - a for a, b in zip(before, here, strict=True)) != tuple(
            b - a for a, b in zip(here, after, strict=True)
        ):
            kept.append(here)
    return [*kept, of[-1]] if len(of) > 1 else kept
