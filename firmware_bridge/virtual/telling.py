"""How a virtual ring tells a passage: references, frames, edges and the verdict, each as a line of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firmware_bridge.physics import Edge
from firmware_bridge.physics.bench import REFERENCE_FRAMES
from firmware_bridge.physics.light import Counts
from firmware_bridge.wire.frames import told
from firmware_bridge.wire.passage import Passage

PACKED = 56  # characters of frames or edges that fit in a line beside the longest number and stamp
SEEN = ("out", "pair", "back")

Pairs = list[tuple[str, object]]
Lines = list[tuple[str, Pairs]]
Taken = tuple[int, Counts]


def passage_lines(
    passage: Passage, frames: Sequence[Taken], references: Mapping[str, Counts], token: int
) -> tuple[Lines, str]:
    """Return the lines that tell *passage*, the verdict last, and the fault that the sensor showed (empty: none).

    *frames* are those of its time, in the microseconds of its edges.
    """
    start = passage.edges[0][2]
    edges = [(beam, on, at - start) for beam, on, at in passage.edges]
    lines, fault = _seen(passage, frames, references) if passage.kind in SEEN else ([], "")
    lines += [("edge", [("e", text)]) for text in packed(map(_edge, edges))]
    verdict: Pairs = [("k", passage.kind), ("tok", token), ("parts", len(lines))]
    if passage.length >= 0:
        verdict.append(("len", passage.length))
    return [*lines, ("pass", [*verdict, ("us", edges[-1][2])])], fault


def _seen(passage: Passage, frames: Sequence[Taken], references: Mapping[str, Counts]) -> tuple[Lines, str]:
    best, fault = told(passage.edges, list(frames))
    texts = [f"{at - passage.edges[0][2]}:{counted(counts)}" for at, counts in best]
    return reference_lines(references) + [("frame", [("f", text)]) for text in packed(texts)], fault


def reference_lines(references: Mapping[str, Counts]) -> Lines:
    """Return the lines that tell *references*; all three have no room in one."""
    lines = []
    for names in (("white", "dark"), ("black",)):
        pairs: Pairs = [(name, counted(references[name])) for name in names if name in references]
        if pairs:
            lines.append(("ref", [*pairs, ("sum", REFERENCE_FRAMES)]))
    return lines


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
