"""Judges the frames of one device: which frame is the stage's first, and whether a frame showed the result before it.

The picture after everything is compared with the picture before it. A frame before the stage may not have pixels that
only the picture after has. The page's own notes are judged too, for the frames without a picture: the page may not
have the result without a stage that covers it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tests.browser.film.recorder import BLOCK, Frame, Pixels

DIFFERENT, ALIKE = 64, 28
"""Differences of brightness from which two blocks are different, and up to which they are alike (JPEG is inexact)."""
LEAST = 2
"""More blocks of the result than these are a leak; a few letters may agree by chance."""


Grey = Any  # an array of rows and columns of blocks, and of the pixels in each


@dataclass
class Verdict:
    """What was seen on one device: counts of frames, the first of the stage, and sentences about *leaks*."""

    frames: int = 0
    pictures: int = 0
    first: int = -1
    first_ms: float = 0.0
    words: int = -1
    gap: int = 0
    stages: list[str] = field(default_factory=list)
    longest_ms: float = 0.0
    leaks: list[str] = field(default_factory=list)


def kind_of(frame: Frame) -> str:
    """Return the kind of the stage over *frame*, or ""."""
    words = str(frame.note["stage"]).split()
    if words[:1] == ["stage"]:
        return words[1]
    if words:
        return "cover"
    return "swap" if frame.note["crossing"] else ""


def judge(frames: Sequence[Frame], began: int, acted_at: float, expected: Sequence[str]) -> Verdict:
    """Return the verdict on *frames*. The first *began* of them were noted before the result happened."""
    told = Verdict(frames=len(frames) - began, pictures=sum(one.picture is not None for one in frames[began:]))
    kinds = [kind_of(one) for one in frames]
    staged = [at for at, kind in enumerate(kinds) if kind and at >= began]
    told.stages = [kinds[at] for at in staged if at == 0 or kinds[at] != kinds[at - 1]]
    before = next(one.pixels for one in reversed(frames[:began]) if one.picture is not None)
    after = next(one.pixels for one in reversed(frames) if one.picture is not None)
    blocks = Blocks(before, after)
    end = staged[0] if staged else len(frames)
    if staged:
        told.first, told.first_ms = staged[0] - began, frames[staged[0]].note["at"] - acted_at
        told.longest_ms = _longest(frames, staged)
        told.words = next((at - began for at in staged if frames[at].note["words"]), -1)
        told.gap = sum(one.picture is None for one in frames[began : staged[0] + 1])
    known = frames[began - 1].note["facts"]
    for at in range(began, end if expected else began):
        told.leaks += _early(frames[at], at - began, blocks, known)
    told.leaks += _under(frames, staged, kinds, blocks)
    if told.stages != list(expected):
        told.leaks.append(f"the stages should be {', '.join(expected) or 'none'}")
    return told


def _longest(frames: Sequence[Frame], staged: Sequence[int]) -> float:
    """Return how many milliseconds the stages of one result lasted, the longest if there were several results."""
    times: dict[str, list[float]] = {}
    for at in staged:
        times.setdefault(frames[at].note["facts"], []).append(frames[at].note["at"])
    return max(each[-1] - each[0] for each in times.values())


class Blocks:
    """The blocks of pixels that show the result: they differ between the pictures, and have an edge in *after*."""

    def __init__(self, before: Pixels, after: Pixels) -> None:
        self._before, self._after = _grey(before), _grey(after)
        edged = np.ptp(self._after, axis=(2, 3)) > DIFFERENT
        self._told = edged & (_apart(self._before, self._after) > DIFFERENT)

    def shown(self, pixels: Pixels) -> int:
        """Return how many blocks of the result *pixels* show."""
        seen = _grey(pixels)
        return int((self._told & (_apart(seen, self._after) < ALIKE) & (_apart(seen, self._before) > ALIKE)).sum())


def _grey(pixels: Pixels) -> Grey:
    """Return the brightness of *pixels* in blocks."""
    grey = pixels.mean(axis=2).astype(np.int16)
    height, width = (length // BLOCK for length in grey.shape)
    return grey[: height * BLOCK, : width * BLOCK].reshape(height, BLOCK, width, BLOCK).swapaxes(1, 2)


def _apart(one: Grey, other: Grey) -> Grey:
    """Return the largest difference of brightness in each block."""
    return np.abs(one - other).max(axis=(2, 3))


def _early(frame: Frame, at: int, blocks: Blocks, known: str) -> list[str]:
    """Return what a frame before the stage reveals of the result. *known* are the page's facts before the result."""
    found = [f"frame {at}: a page with the result, by its own note"] if frame.note["facts"] != known else []
    shown = blocks.shown(frame.pixels) if frame.picture is not None else 0
    return found + ([f"frame {at}: {shown} blocks of the result"] if shown > LEAST else [])


def _under(frames: Sequence[Frame], staged: Sequence[int], kinds: Sequence[str], blocks: Blocks) -> list[str]:
    """Return faults of the stages themselves: gaps, words on a moving background, a result before its words."""
    found = []
    if staged and kinds[staged[0]] != "swap":
        silent = frames[staged[0] - 1].note
        for at in staged:
            note = frames[at].note
            if not note["covers"]:
                found.append(f"stage frame {at - staged[0]}: does not cover the page")
            if note["words"] and note["moving"]:
                found.append(f"stage frame {at - staged[0]}: words on a moving ground")
        worded = next((at for at in staged if frames[at].note["words"]), staged[-1] + 1)
        for at in range(staged[0], worded):
            shown = blocks.shown(frames[at].pixels) if frames[at].picture is not None else 0
            if shown > LEAST:
                found.append(f"stage frame {at - staged[0]}: {shown} blocks of the result before the words")
            for what in ("told", "title", "spoken"):
                if kinds[at] != "cover" and frames[at].note[what] != silent[what]:
                    found.append(
                        f"stage frame {at - staged[0]}: {what} before the words: {frames[at].note[what][-60:]}"
                    )
    facts = [one.note["facts"] for one in frames]
    pairs = [(one, other) for one, other in pairwise(staged) if facts[one] == facts[other]]
    holes = [at for one, other in pairs for at in range(one + 1, other)]
    return found + [f"frame {at - staged[0]}: the page between two stages" for at in holes]
