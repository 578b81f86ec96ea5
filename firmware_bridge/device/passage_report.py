"""Formats the report of a passage: references, frames, edges and the verdict, each as one or more lines.

It uses bytes and as few objects as possible, because this is the slowest part of reporting a passage on a board.
Strings would take twice as long, because MicroPython looks up each new string in its table of names.
"""

from .beam_recogniser import Passage
from .frame_filter import usable_frames
from .sensor_driver import Chip

SUM = 8  # frames in a reference
PACKED = 56  # characters of frames or edges that fit in a line next to the longest number and time
SEEN = ("out", "pair", "back")
IN_ONE_LINE = (("white", "dark"), ("black",))  # the references of one line each, because three do not fit


def passage_lines(
    passage: Passage,
    frames: list[tuple[int, tuple[int, int, int, int]]],
    references: dict[str, tuple[int, int, int, int]],
    token: int,
    chip: type[Chip],
) -> tuple[list[tuple[str, bytes]], str]:
    """Return the lines that report *passage* (the verdict is the last), and the sensor's fault or an empty string.

    *frames* are the frames that *chip* took during the passage. Their times are in microseconds, like those of the
    edges.
    """
    start = passage.edges[0][2]
    lines, fault = _seen(passage, frames, references, chip) if passage.kind in SEEN else ([], "")
    edges = [_edge(beam, on, at - start) for beam, on, at in passage.edges]
    lines.extend([("edge", b" e=" + text) for text in packed(edges)])
    length = b" len=%d" % passage.length if passage.length >= 0 else b""
    verdict = (passage.kind.encode(), token, len(lines), length, passage.edges[-1][2] - start)
    lines.append(("pass", b" k=%s tok=%d parts=%d%s us=%d" % verdict))
    return lines, fault


def reference_lines(references: dict[str, tuple[int, int, int, int]]) -> list[tuple[str, bytes]]:
    """Return the lines that report *references*, each a sum over `SUM` frames."""
    lines = []
    for names in IN_ONE_LINE:
        known = [(name.encode(),) + references[name] for name in names if name in references]
        fields = b"".join([b" %s=%d:%d:%d:%d" % each for each in known])
        if fields:
            lines.append(("ref", b"%s sum=%d" % (fields, SUM)))
    return lines


def packed(parts: list[bytes]) -> list[bytes]:
    """Join *parts* with commas into as few byte strings as possible, each short enough for a line."""
    texts: list[bytes] = []
    for part in parts:
        if texts and len(texts[-1]) + 1 + len(part) <= PACKED:
            texts[-1] += b"," + part
        else:
            texts.append(part)
    return texts


def counted(values: tuple[int, int, int, int]) -> str:
    """Return *values* formatted as counts.

    >>> counted((1080, 1200, 968, 3216))
    '1080:1200:968:3216'
    """
    return "%d:%d:%d:%d" % values


def _seen(
    passage: Passage,
    frames: list[tuple[int, tuple[int, int, int, int]]],
    references: dict[str, tuple[int, int, int, int]],
    chip: type[Chip],
) -> tuple[list[tuple[str, bytes]], str]:
    best, fault = usable_frames(passage.edges, frames, chip)
    start = passage.edges[0][2]
    texts = [b"%d:%d:%d:%d:%d" % ((at - start,) + counts) for at, counts in best]
    lines = reference_lines(references)
    lines.extend([("frame", b" f=" + text) for text in packed(texts)])
    return lines, fault


def _edge(beam: str, on: bool, at: int) -> bytes:
    return b"%s%s%d" % (beam.encode(), b"+" if on else b"-", at)
