"""How a cube moves through the gate: the edges of the two beams, in microseconds after the first."""

from __future__ import annotations

from firmware_bridge.world import World

Edge = tuple[str, bool, int]

STUCK_FOR_US = 3_000_000
GLITCH_LASTS_US = 200


def beam_gap_mm(world: World) -> float:
    """Return the distance of the beams for the world's cubes: 4 mm for 8 mm, 5 mm for 10 mm."""
    return world.edge_mm / 2


def path(kind: str, world: World, speed_mm_s: float) -> list[Edge]:
    """Return the edges that a cube causes while it does *kind* at *speed_mm_s*."""
    gap = round(beam_gap_mm(world) / speed_mm_s * 1e6)
    edge = round(world.edge_mm / speed_mm_s * 1e6)
    match kind:
        case "out":
            return _through(gap, edge)
        case "pair":
            return _through(gap, 2 * edge)
        case "back":
            return [("A", True, 0), ("B", True, gap), ("B", False, 3 * gap), ("A", False, 4 * gap)]
        case "stuck":
            late = gap + STUCK_FOR_US
            return [("A", True, 0), ("B", True, gap), ("B", False, late), ("A", False, late + gap)]
        case "poke":
            return [("A", True, 0), ("A", False, gap)]
        case _:
            return [("B", True, 0), ("B", False, GLITCH_LASTS_US)]


def _through(gap: int, blocked: int) -> list[Edge]:
    return [("A", True, 0), ("B", True, gap), ("A", False, blocked), ("B", False, blocked + gap)]
