"""The chart of the last passage: the colour sensor's counts by frame as lines, and the light barriers as two tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.ports.calibration import LastPassage
from web.http.i18n import _

LETTERS = ("R", "G", "B", "C")
WIDTH, HEIGHT = 300.0, 120.0
LETTER = 19.0  # height of a letter, in the picture's units


@dataclass(frozen=True)
class Curve:
    """One channel over the frames: the points of a polyline, and the y coordinate of its letter."""

    letter: str
    points: tuple[tuple[float, float], ...]
    foot: float


@dataclass(frozen=True)
class BlockedStretch:
    """An interval in which a beam was blocked, in percent of the passage."""

    left: float
    width: float


@dataclass(frozen=True)
class BeamTrack:
    """One beam and the intervals in which it was blocked."""

    beam: str
    spans: tuple[BlockedStretch, ...]


@dataclass(frozen=True)
class PassageChart:
    """The chart of a passage. *ms* is the passage's duration in milliseconds."""

    rows: tuple[tuple[str, tuple[float, ...]], ...]
    curves: tuple[Curve, ...]
    tracks: tuple[BeamTrack, ...]
    ms: float | None
    most: float


def shown(passage: LastPassage) -> PassageChart:
    """Return the chart of *passage*."""
    frames = [tuple(float(count) for count in frame[-4:]) for frame in passage.frames]
    most = max((count for frame in frames for count in frame), default=1.0) or 1.0
    numbered = [(_("Frame %(at)s", at=at), frame) for at, frame in enumerate(frames, 1)]
    named = [(_("White shutter"), passage.white), (_("Black card"), passage.black), (_("Lamp off"), passage.dark)]
    rows = (*numbered, *((name, tuple(counts)) for name, counts in named if counts))
    times = [at for _, _, at in passage.edges]
    return PassageChart(
        tuple(rows),
        _curves(frames, most),
        tuple(_track(beam, passage.edges) for beam in _beams(passage)),
        (max(times) - min(times)) / 1000 if len(times) > 1 else None,
        most,
    )


def _beams(passage: LastPassage) -> tuple[str, ...]:
    return tuple(sorted({beam for beam, _, _ in passage.edges}))


def _curves(frames: Sequence[tuple[float, ...]], most: float) -> tuple[Curve, ...]:
    if not frames:
        return ()
    step = WIDTH / max(len(frames) - 1, 1)
    found = []
    for letter, counts in zip(LETTERS, zip(*frames, strict=True), strict=True):
        points = tuple((round(n * step, 1), round(HEIGHT * (1 - count / most), 1)) for n, count in enumerate(counts))
        # A single frame is drawn as a horizontal line, or it would be invisible.
        found.append((letter, points if len(points) > 1 else (*points, (WIDTH, points[0][1]))))
    return _apart(found)


def _apart(found: Sequence[tuple[str, tuple[tuple[float, float], ...]]]) -> tuple[Curve, ...]:
    """Return the curves. The letters at their ends are moved apart and kept inside the frame."""
    ends = sorted((points[-1][1] + LETTER / 3, letter) for letter, points in found)
    feet: dict[str, float] = {}
    above = 0.0
    for foot, letter in ends:
        above = feet[letter] = max(foot, above + LETTER if feet else foot)
    below = HEIGHT + LETTER + 2
    for at in reversed(range(len(ends))):
        letter = ends[at][1]
        below = feet[letter] = min(feet[letter], below - LETTER)
    return tuple(Curve(letter, points, round(feet[letter], 1)) for letter, points in found)


def _track(beam: str, edges: Sequence[tuple[str, bool, int]]) -> BeamTrack:
    times = [at for _, _, at in edges]
    start, whole = min(times), max(max(times) - min(times), 1)
    spans, since = [], None
    for name, blocked, at in edges:
        if name != beam:
            continue
        if blocked:
            since = at
        elif since is not None:
            spans.append(BlockedStretch(round(100 * (since - start) / whole, 1), round(100 * (at - since) / whole, 1)))
            since = None
    if since is not None:
        spans.append(
            BlockedStretch(round(100 * (since - start) / whole, 1), round(100 * (max(times) - since) / whole, 1))
        )
    return BeamTrack(beam.upper(), tuple(spans))
