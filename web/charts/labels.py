"""Puts names beside what they name, where they cover least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LETTER, LINE = 12.6, 25.0  # of the text on a phone, the largest it gets beside the picture


@dataclass(frozen=True)
class LabelBox:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        """Its width."""
        return self.right - self.left

    @property
    def high(self) -> float:
        """Its height."""
        return self.bottom - self.top

    def smaller(self, by: float) -> LabelBox:
        """Return it without a rim."""
        return LabelBox(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def shared(self, other: LabelBox) -> float:
        """Return the area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)


@dataclass(frozen=True)
class Label:
    """A name, the middle of its foot line."""

    words: str
    x: float
    y: float


Thing = tuple[str, float, float, float, float]
"""A name, and the middle and half sides of what it names."""


def placed(things: Sequence[Thing], frame: LabelBox, others: Sequence[LabelBox] = ()) -> tuple[Label, ...]:
    """Return a label for each of *things* inside *frame*, clear of all things and of each other where there is room."""
    taken = [*others, *(LabelBox(x - wide, y - high, x + wide, y + high) for _, x, y, wide, high in things)]
    found = []
    for words, x, y, wide, high in things:
        box = min(_spots(words, x, y, wide, high), key=lambda spot: _cost(spot, taken, frame))
        taken.append(box)
        found.append(Label(words, round((box.left + box.right) / 2, 1), round(box.bottom - 7, 1)))
    return tuple(found)


def _spots(words: str, x: float, y: float, wide: float, high: float) -> list[LabelBox]:
    half = len(words) * LETTER / 2
    rows = (y - high - LINE / 2 - 3, y + high + LINE / 2 + 3)
    columns = (x + wide + half + 5, x - wide - half - 5)
    beside = [(column, y) for column in columns]
    corners = [(column, row) for row in rows for column in (x + half * 0.7, x - half * 0.7)]
    middles = [*((x, row) for row in rows), *beside, *corners]
    return [LabelBox(cx - half, cy - LINE / 2, cx + half, cy + LINE / 2) for cx, cy in middles]


def _cost(spot: LabelBox, taken: Sequence[LabelBox], frame: LabelBox) -> float:
    inside = frame.shared(spot)
    outside = spot.wide * spot.high - inside
    return sum(spot.shared(each) for each in taken) + 4 * outside
