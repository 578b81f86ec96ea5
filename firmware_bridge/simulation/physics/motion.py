"""The motion of cubes through the gate: the position of the first cube's front over time, and the edges of the beams.

Positions are in millimetres beyond the inner beam A. Times are in seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import pi, sin
from random import Random

from companion.kernel.shown import shows

Edge = tuple[str, bool, int]
KINDS = ("out", "pair", "back", "poke", "stuck", "glitch", "waiting")

STEPS = 24  # pieces of a leg, each with constant speed
STUCK_FOR_S = 3.0
GLITCH_LASTS_S = 0.0002
WAITS_S = 3.0  # how long the next cube rests at the inner beam after the previous cube has left
TURNS_S = 0.03  # how long a cube that goes back rests where it turns
AROUND = 1.5  # how far a cube travels before the first beam and after the second beam, in spot widths


@shows("_times", "_places")
class Path:
    """The position of the front over time. It is linear between the *nodes* (time, position)."""

    def __init__(self, nodes: Sequence[tuple[float, float]]) -> None:
        self._times = [time for time, _ in nodes]
        self._places = [place for _, place in nodes]

    @property
    def ends(self) -> float:
        """The time at which the cube reaches the end of its path."""
        return self._times[-1]

    def at(self, time: float) -> float:
        """Return the position of the front at *time*. It does not move before the first and after the last node."""
        after = bisect_right(self._times, time)
        if after in (0, len(self._times)):
            return self._places[0 if after == 0 else -1]
        began, start = self._times[after - 1], self._places[after - 1]
        return start + (self._places[after] - start) * (time - began) / (self._times[after] - began)

    def crossings(self, place: float) -> list[tuple[float, bool]]:
        """Return all crossings of *place* by the front: the time, and whether the front moves outwards."""
        found = []
        for n in range(len(self._times) - 1):
            before, after = self._places[n], self._places[n + 1]
            if (before < place) != (after < place):
                time = _between(place, (before, after), self._times[n : n + 2])
                found.append((time, after > before))
        return found


def _between(at: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    return ys[0] + (ys[1] - ys[0]) * (at - xs[0]) / (xs[1] - xs[0])


def path(kind: str, length: float, gap: float, spot: float, speed: float, change: float, lots: Random) -> Path:
    """Return the path for a passage of this *kind*, of a cube (or a pair) with *length* mm, at about *speed* mm/s.

    Within the path the speed varies by at most the fraction *change*. *gap* is the distance between
    the beams; *spot* is the width of the area in their middle that the sensor sees. Both are in
    millimetres.
    """
    start, end = -AROUND * spot, length + gap + AROUND * spot
    nodes = [(0.0, start)]
    hand = _hand(change, lots)
    if kind in ("out", "pair", "waiting"):
        _leg(nodes, end, speed, hand)
    elif kind == "back":
        _there_and_back(nodes, gap + lots.uniform(0.15, 0.85) * (length - gap), start, speed, hand)
    elif kind == "stuck":
        _leg(nodes, (length + gap) / 2, speed, hand)
        nodes.append((nodes[-1][0] + STUCK_FOR_S, nodes[-1][1]))
        _leg(nodes, end, speed, hand)
    else:
        _there_and_back(nodes, lots.uniform(0.2, 0.8) * gap, start, speed, hand)
    return Path(nodes)


def _there_and_back(nodes: list[tuple[float, float]], far: float, near: float, speed: float, hand: Hand) -> None:
    _leg(nodes, far, speed, hand)
    nodes.append((nodes[-1][0] + TURNS_S, far))
    _leg(nodes, near, speed, hand)


Hand = Callable[[float], float]


def _hand(change: float, lots: Random) -> Hand:
    """Return a hand: a function that maps the progress along the path (0 to 1) to the speed, relative to the initial
    speed.
    """
    much = lots.uniform(-change, change)
    if lots.random() < 0.5:
        return lambda part: 1 + much * part
    return lambda part: 1 + much * sin(pi * part)


def _leg(nodes: list[tuple[float, float]], to: float, speed: float, hand: Hand) -> None:
    """Extend *nodes* by a leg from the last node to the position *to*."""
    time, start = nodes[-1]
    for n in range(1, STEPS + 1):
        time += abs(to - start) / STEPS / (speed * hand((n - 0.5) / STEPS))
        nodes.append((time, start + (to - start) * n / STEPS))


def edges(way: Path, length: float, gap: float, jitter: float, lots: Random) -> list[tuple[str, bool, float]]:
    """Return the edges (beam, blocked, time) that a cube of *length* mm causes at beams A and B, which are *gap* mm
    apart.

    Each edge is shifted by a random time with the standard deviation *jitter*, in seconds. The
    edges of one beam keep their order.
    """
    found: list[tuple[str, bool, float]] = []
    for beam, place in (("A", 0.0), ("B", gap)):
        mine = [(at, outwards) for at, outwards in way.crossings(place)]
        mine += [(at, not outwards) for at, outwards in way.crossings(place + length)]
        times = sorted(at + lots.gauss(0, jitter) for at, _ in mine)
        blocked = [on for _, on in sorted(mine)]
        found += [(beam, on, at) for on, at in zip(blocked, times, strict=True)]
    return sorted(found, key=lambda edge: edge[2])


def followed(seen: list[tuple[str, bool, float]]) -> list[tuple[str, bool, float]]:
    """Return the edges in *seen*, of a cube that leaves, together with the edges of the cube that follows it.

    The next cube reaches the inner beam while the first still blocks the outer one. It rests there
    without covering the sensor's spot, and goes back.
    """
    (_, _, freed_a), (_, _, freed_b) = seen[-2:]
    return [*seen[:-1], ("A", True, (freed_a + freed_b) / 2), seen[-1], ("A", False, freed_b + WAITS_S)]


def blink(lots: Random) -> list[tuple[str, bool, float]]:
    """Return the edges of a random beam that blinks although nothing moves."""
    beam = lots.choice("AB")
    return [(beam, True, 0.0), (beam, False, GLITCH_LASTS_S * lots.uniform(0.2, 2))]
