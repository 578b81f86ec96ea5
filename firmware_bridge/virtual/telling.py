"""How a virtual ring tells a passage: references, frames, edges and the verdict, each as a line of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firmware_bridge.reflectance import BLACK_CARD, WHITE_SHUTTER
from firmware_bridge.virtual.cube import Edge
from firmware_bridge.wire.passage import Passage
from firmware_bridge.world import World

FRAME_US = 4_800
MOST_FRAMES = 6
PACKED = 56  # characters of frames or edges that fit in a line beside the longest number and stamp
SUMMED = 8  # frames in each reference
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
    begin, end = edges[1][2], edges[2][2]
    taken = max(min((end - begin) // FRAME_US, MOST_FRAMES), 1)
    frames = []
    for k in range(taken):
        at = begin + (2 * k + 1) * (end - begin) // (2 * taken)
        seen = world.reflectance[cubes[k * len(cubes) // taken]]
        frames.append(f"{at}:{counted(world.counts(seen))}")
    return reference_lines(references(world)) + [("frame", [("f", text)]) for text in packed(frames)]


def references(world: World) -> dict[str, Sequence[int]]:
    """Return what the references read, each summed over `SUMMED` frames."""
    black, white = ([SUMMED * n for n in world.counts(back)] for back in (BLACK_CARD, WHITE_SHUTTER))
    return {"black": black, "white": white, "dark": [0, 0, 0, 0]}


def reference_lines(sums: Mapping[str, Sequence[int]]) -> Lines:
    """Return the lines that tell references; all three have no room in one."""
    bright: Pairs = [("white", counted(sums["white"])), ("dark", counted(sums["dark"])), ("sum", SUMMED)]
    return [("ref", bright), ("ref", [("black", counted(sums["black"])), ("sum", SUMMED)])]


def packed(parts: Iterable[str]) -> list[str]:
    """Return *parts* joined by commas, as few texts as lines can carry."""
    texts: list[str] = []
    for part in parts:
        if texts and len(texts[-1]) + 1 + len(part) <= PACKED:
            texts[-1] += "," + part
        else:
            texts.append(part)
    return texts


def counted(values: Sequence[int]) -> str:
    """Return *values* as a line writes counts."""
    return ":".join(map(str, values))


def _edge(edge: Edge) -> str:
    beam, on, at = edge
    return f"{beam}{'+' if on else '-'}{at}"
