"""Selects the frames that show a passage: the cube must cover the sensor's spot, and no channel may be saturated."""

from .sensor_chips import USUAL
from .sensor_driver import Chip, half_us

MOST = 8
FALLBACK = 3  # frames, for a cube that is too fast for a whole frame
DAZZLED, PARTS = 1_000, 1_024  # fraction of a chip's full scale above which a channel may be saturated
MISSING_US = 10_000  # a passage that takes this long has at least two frames


def blocked(edges: list[tuple[str, bool, int]]) -> list[tuple[int, int]]:
    """Return the spans (start, end) in which both beams were blocked. *edges* are in order, in microseconds.

    >>> blocked([("A", True, 0), ("B", True, 50), ("A", False, 100), ("B", False, 150)])
    [(50, 100)]
    """
    on = {"A": False, "B": False}
    spans = []
    begin = -1
    for beam, is_on, at in edges:
        if begin >= 0 and not is_on:
            spans.append((begin, at))
        on[beam] = is_on
        begin = at if on["A"] and on["B"] else -1
    return spans


def chosen(edges: list[tuple[str, bool, int]], middles: list[int], chip: type[Chip] = USUAL) -> list[int]:
    """Choose the frames of *chip* that show the passage best. Return at most eight of *middles*, in order.

    *middles* are the middles of the frames, in microseconds like *edges*. The chosen frames lie wholly within the time
    in which both beams were blocked, evenly spread. If there is no such frame, return up to three between the first and
    the last edge, nearest to the passage's middle.
    """
    half = half_us(chip)
    inside = [at for b, e in blocked(edges) for at in middles if b + half <= at <= e - half]
    if inside:
        return _spread(inside)
    first, last = edges[0][2], edges[-1][2]
    during = [at for at in middles if first <= at <= last]
    return sorted(sorted(during, key=lambda at: abs(2 * at - first - last))[:FALLBACK])


def _spread(middles: list[int]) -> list[int]:
    """Return at most eight of *middles*, evenly spread: split them into equal parts, and take the middle of each."""
    count = len(middles)
    return middles if count <= MOST else [middles[(2 * k + 1) * count // (2 * MOST)] for k in range(MOST)]


def dazzling(chip: type[Chip]) -> int:
    """Return the number of counts above which a channel of *chip* may be saturated."""
    return chip.FULL * DAZZLED // PARTS


def dazzled(counts: tuple[int, int, int, int], chip: type[Chip] = USUAL) -> bool:
    """Return whether a frame with these *counts* is invalid because one of its channels may be saturated."""
    return max(counts) >= dazzling(chip)


def usable_frames(
    edges: list[tuple[str, bool, int]],
    frames: list[tuple[int, tuple[int, int, int, int]]],
    chip: type[Chip] = USUAL,
) -> tuple[list[tuple[int, tuple[int, int, int, int]]], str]:
    """Return those of *frames* (middle, counts) that show the passage, and the name of a sensor fault or an empty
    string.

    `saturated` means that all frames that would have shown it are invalid. `sensor-missing` means
    that the passage was long enough for frames, but has none.
    """
    best = chosen(edges, [at for at, _ in frames], chip)
    usable = [(at, counts) for at, counts in frames if at in best and not dazzled(counts, chip)]
    if best:
        return usable, "" if usable else "saturated"
    return usable, "sensor-missing" if edges[-1][2] - edges[0][2] >= MISSING_US else ""
