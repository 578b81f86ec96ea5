"""Selects the frames that show a passage: those where the cube covers the spot, without saturated ones."""

HALF_US = 1_200  # half the time of a frame, which is one step of 2.4 ms
MOST = 8
FALLBACK = 3  # for a cube too fast for a whole frame
DAZZLED = 1_000  # counts per step; above that a channel may be saturated
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


def chosen(edges: list[tuple[str, bool, int]], middles: list[int]) -> list[int]:
    """Return the *middles* of the frames that show the passage best. They are in order, in microseconds like *edges*.

    These are the frames that lie wholly within the time in which both beams were blocked: at most
    eight, evenly spread. If there is no such frame, return up to three between the first and the
    last edge, nearest to the passage's middle.
    """
    inside = [at for b, e in blocked(edges) for at in middles if b + HALF_US <= at <= e - HALF_US]
    if inside:
        return _spread(inside)
    first, last = edges[0][2], edges[-1][2]
    during = [at for at in middles if first <= at <= last]
    return sorted(sorted(during, key=lambda at: abs(2 * at - first - last))[:FALLBACK])


def _spread(middles: list[int]) -> list[int]:
    """Return at most eight of *middles*, each from the middle of an equal share of them."""
    count = len(middles)
    return middles if count <= MOST else [middles[(2 * k + 1) * count // (2 * MOST)] for k in range(MOST)]


def dazzled(counts: tuple[int, int, int, int], steps: int = 1) -> bool:
    """Return whether a frame of *steps* is invalid, because one of its channels may be saturated."""
    return max(counts) >= DAZZLED * steps


def told(
    edges: list[tuple[str, bool, int]], frames: list[tuple[int, tuple[int, int, int, int]]]
) -> tuple[list[tuple[int, tuple[int, int, int, int]]], str]:
    """Return the *frames* (middle, counts) that show the passage, and the sensor's fault or an empty string.

    `saturated` means that all frames that would have shown it are invalid. `sensor-missing` means
    that the passage was long enough for frames, but has none.
    """
    best = chosen(edges, [at for at, _ in frames])
    usable = [(at, counts) for at, counts in frames if at in best and not dazzled(counts)]
    if best:
        return usable, "" if usable else "saturated"
    return usable, "sensor-missing" if edges[-1][2] - edges[0][2] >= MISSING_US else ""
