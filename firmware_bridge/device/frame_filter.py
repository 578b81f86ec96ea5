"""Which frames of the colour sensor tell a passage: those of a cube that covers the spot, and none that was dazzled."""

HALF_US = 1_200  # half of what a frame takes: one step of 2.4 ms
MOST = 8
FALLBACK = 3  # of a cube too fast for a whole frame
DAZZLED = 1_000  # counts in a step: beyond, a channel tells its own limit
MISSING_US = 10_000  # what takes so long has two frames at least


def blocked(edges: list[tuple[str, bool, int]]) -> list[tuple[int, int]]:
    """Return from when to when both beams were blocked, by *edges* in order (microseconds)."""
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
    """Return which frames, by their *middles* in order (microseconds, as in *edges*), tell the passage best.

    Those wholly inside while both beams were blocked, at most eight, spread
    evenly. If there is none: up to three between the first and the last edge,
    nearest the middle of the passage.
    """
    inside = [at for b, e in blocked(edges) for at in middles if b + HALF_US <= at <= e - HALF_US]
    if inside:
        return _spread(inside)
    first, last = edges[0][2], edges[-1][2]
    during = [at for at in middles if first <= at <= last]
    return sorted(sorted(during, key=lambda at: abs(2 * at - first - last))[:FALLBACK])


def _spread(middles: list[int]) -> list[int]:
    """Return at most eight of *middles*, each from the midst of its share."""
    count = len(middles)
    return middles if count <= MOST else [middles[(2 * k + 1) * count // (2 * MOST)] for k in range(MOST)]


def dazzled(counts: tuple[int, int, int, int], steps: int = 1) -> bool:
    """Tell whether a frame of so many steps is void: one of its channels may have counted no further."""
    return max(counts) >= DAZZLED * steps


def told(
    edges: list[tuple[str, bool, int]], frames: list[tuple[int, tuple[int, int, int, int]]]
) -> tuple[list[tuple[int, tuple[int, int, int, int]]], str]:
    """Return those of *frames* (middle, counts) that tell the passage, and the sensor's fault, empty for none.

    `saturated`: all that would have told it are void; `sensor-missing`: it
    took its time, and there is no frame of it.
    """
    best = chosen(edges, [at for at, _ in frames])
    usable = [(at, counts) for at, counts in frames if at in best and not dazzled(counts)]
    if best:
        return usable, "" if usable else "saturated"
    return usable, "sensor-missing" if edges[-1][2] - edges[0][2] >= MISSING_US else ""
