"""How a virtual ring tells a passage: references, frames, edges and the verdict, each as a line of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_bridge.reflectance import BLACK_CARD, WHITE_SHUTTER
from firmware_bridge.virtual.cube import Edge
from firmware_bridge.wire.passage import Passage
from firmware_bridge.world import World

FRAME_US = 4_800
MOST_FRAMES = 6
PACKED = 56  # characters of frames or edges that fit in a line beside the longest number and stamp
SEEN = ("out", "pair", "back")

Pairs = list[tuple[str, object]]
Lines = list[tuple[str, Pairs]]


def passage_lines(passage: Passage, cubes: Sequence[str], start: int, token: int, world: World) -> Lines:
    """Return the lines that tell *passage*, which began at *start*; the verdict comes last and counts the others."""
    edges = [(beam, on, at - start) for beam, on, at in passage.edges]
    lines = _readings(edges, cubes, world) if passage.kind in SEEN else []
    lines += [("edge", [("e", text)]) for text in packed(map(_edge, edges))]
    verdict: Pairs = [("k", passage.kind), ("tok", token), ("parts", len(lines))]
    if passage.length >= 0:
        verdict.append(("len", passage.length))
    return [*lines, ("pass", [*verdict, ("us", edges[-1][2])])]


def _readings(edges: Sequence[Edge], cubes: Sequence[str], world: World) -> Lines:
    """The references, and the frames taken while both beams were blocked, spread over the passage."""
    black, white = world.counts(BLACK_CARD), world.counts(WHITE_SHUTTER)
    begin, end = edges[1][2], edges[2][2]
    taken = max(min((end - begin) // FRAME_US, MOST_FRAMES), 1)
    frames = []
    for k in range(taken):
        at = begin + (2 * k + 1) * (end - begin) // (2 * taken)
        seen = world.reflectance[cubes[k * len(cubes) // taken]]
        frames.append(f"{at}:{_counts(world.counts(seen))}")
    references: Pairs = [("black", _counts(black)), ("white", _counts(white))]
    lines: Lines = [("ref", references)]
    return lines + [("frame", [("f", text)]) for text in packed(frames)]


def packed(parts: Iterable[str]) -> list[str]:
    """Return *parts* joined by commas, as few texts as lines can carry."""
    texts: list[str] = []
    for part in parts:
        if texts and len(texts[-1]) + 1 + len(part) <= PACKED:
            texts[-1] += "," + part
        else:
            texts.append(part)
    return texts


def _counts(values: Sequence[int]) -> str:
    return ":".join(map(str, values))


def _edge(edge: Edge) -> str:
    beam, on, at = edge
    return f"{beam}{'+' if on else '-'}{at}"
