"""How a ring tells a passage: references, frames, edges and the verdict, each as a line of its own."""

from .detector import Passage
from .frame_filter import told

SUM = 8  # frames in a reference
PACKED = 56  # characters of frames or edges that fit in a line beside the longest number and stamp
SEEN = ("out", "pair", "back")
IN_ONE_LINE = (("white", "dark"), ("black",))  # all three have no room in one


def passage_lines(
    passage: Passage,
    frames: list[tuple[int, tuple[int, int, int, int]]],
    references: dict[str, tuple[int, int, int, int]],
    token: int,
) -> tuple[list[tuple[str, list[tuple[str, object]]]], str]:
    """Return the lines that tell *passage*, the verdict last, and the fault that the sensor showed (empty: none).

    *frames* are those of its time, in the microseconds of its edges.
    """
    start = passage.edges[0][2]
    lines, fault = _seen(passage, frames, references) if passage.kind in SEEN else ([], "")
    edges = [_edge(beam, on, at - start) for beam, on, at in passage.edges]
    lines.extend([("edge", [("e", text)]) for text in packed(edges)])
    verdict: list[tuple[str, object]] = [("k", passage.kind), ("tok", token), ("parts", len(lines))]
    if passage.length >= 0:
        verdict.append(("len", passage.length))
    verdict.append(("us", passage.edges[-1][2] - start))
    lines.append(("pass", verdict))
    return lines, fault


def reference_lines(
    references: dict[str, tuple[int, int, int, int]],
) -> list[tuple[str, list[tuple[str, object]]]]:
    """Return the lines that tell *references*, sums over `SUM` frames each."""
    lines = []
    for names in IN_ONE_LINE:
        pairs: list[tuple[str, object]] = [(name, counted(references[name])) for name in names if name in references]
        if pairs:
            pairs.append(("sum", SUM))
            lines.append(("ref", pairs))
    return lines


def packed(parts: list[str]) -> list[str]:
    """Return *parts* joined by commas, as few texts as lines can carry."""
    texts: list[str] = []
    for part in parts:
        if texts and len(texts[-1]) + 1 + len(part) <= PACKED:
            texts[-1] += "," + part
        else:
            texts.append(part)
    return texts


def counted(values: tuple[int, int, int, int]) -> str:
    """Return *values* as a line writes counts."""
    return ":".join([str(value) for value in values])


def _seen(
    passage: Passage,
    frames: list[tuple[int, tuple[int, int, int, int]]],
    references: dict[str, tuple[int, int, int, int]],
) -> tuple[list[tuple[str, list[tuple[str, object]]]], str]:
    best, fault = told(passage.edges, frames)
    texts = [f"{at - passage.edges[0][2]}:{counted(counts)}" for at, counts in best]
    lines = reference_lines(references)
    lines.extend([("frame", [("f", text)]) for text in packed(texts)])
    return lines, fault


def _edge(beam: str, on: bool, at: int) -> str:
    return f"{beam}{'+' if on else '-'}{at}"
