"""Lines over an axis: how scores, chances and bounds went, drawn on the server for one size of glass at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from web.charts.axis import Axis, Wording, number

T = TypeVar("T")
Point = tuple[float, float]

LINE, WIDE = 22.0, 9.5  # of a word in the picture: lines' distance, a letter's width
WIDE_MARK, ROWS = 8.2, 3  # of the words above the plot: a letter's width, and as many rows of them at most
REACH = 16.0  # from the end of a line to a token that stands higher or lower
TOKEN = 22.0
MOST_POINTS = 160  # of one line: more could not be told apart
MOST_READINGS = 60  # of the table below the picture


@dataclass(frozen=True)
class Size:
    """How large a picture is, in units that are pixels where it is shown in full."""

    width: float
    height: float


PHONE, HALF, WHOLE = Size(358, 300), Size(580, 360), Size(1180, 420)


@dataclass(frozen=True)
class Series:
    """One line: its name, its points from left to right, and a player's *colour* if it is one's.

    *stepped*: each value holds until the next. *low* and *high* are bounds around it, point by point. *quiet*: it is
    there to be compared with. *letter* stands in the token at its end.
    """

    name: str
    points: Sequence[Point]
    colour: str = ""
    letter: str = ""
    stepped: bool = False
    low: Sequence[Point] = ()
    high: Sequence[Point] = ()
    quiet: bool = False


@dataclass(frozen=True)
class DrawnSeries:
    """A series as it is drawn: paths, and where its name stands at the end of it."""

    series: Series
    line: str
    band: str
    end: Point
    foot: float

    @property
    def reaches(self) -> bool:
        """Tell whether its token stands higher or lower than it ends."""
        return abs(self.foot - self.end[1]) > TOKEN / 4


@dataclass(frozen=True)
class LineReading:
    """What every line says at one place: the place from 0 to 1, its words, and each value's."""

    at: float
    words: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Mark:
    """An upright line with a word above it, *rise* above the plot; *ends*: the word ends there. No words: no room."""

    x: float
    words: str
    rise: float
    ends: bool


@dataclass(frozen=True)
class Plot:
    """The picture in one size: the plot's frame within it, and all that is drawn."""

    size: Size
    left: float
    top: float
    right: float
    bottom: float
    ticks_x: tuple[tuple[float, str], ...]
    ticks_y: tuple[tuple[float, str], ...]
    drawn: tuple[DrawnSeries, ...]
    marks: tuple[Mark, ...]
    level: float | None


@dataclass(frozen=True)
class LineChart:
    """Lines over two axes: *words* say what is seen, *level* is compared with, *marks* are places with a word.

    *wording* says a value of the y axis.
    """

    words: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    level: float | None = None
    marks: tuple[tuple[float, str], ...] = ()
    wording: Wording = number
    wording_x: Wording = number

    def plot(self, size: Size) -> Plot:
        """Return the picture of it in *size*."""
        left = 14 + WIDE * max((len(tick.words) for tick in self.y.ticks), default=1)
        ends = any(series.colour or series.letter for series in self.series)
        right = size.width - (TOKEN + REACH if ends else 12)
        marks = _marks(_Frame(left, 0.0, right, 0.0, self.x, self.y), self.marks)
        top = 12.0 + max((mark.rise for mark in marks), default=0.0)
        frame = _Frame(left, top, right, size.height - 52, self.x, self.y)
        drawn = [_drawn(series, frame) for series in self.series]
        return Plot(
            size,
            frame.left,
            frame.top,
            frame.right,
            frame.bottom,
            _ticks_x(frame, self.x),
            tuple((round(frame.y(tick.value), 1), tick.words) for tick in self.y.ticks),
            _apart(drawn, frame),
            marks,
            None if self.level is None else round(frame.y(self.level), 1),
        )

    @property
    def readings(self) -> tuple[LineReading, ...]:
        """Return what the lines say at every place where one of them has a point, at most sixty places."""
        places = sorted({x for series in self.series for x, _ in series.points})
        return tuple(
            LineReading(
                round(self.x.at(place), 4),
                self.wording_x(place),
                tuple(self._value(each, place) for each in self.series),
            )
            for place in _some(places, MOST_READINGS)
        )

    def _value(self, series: Series, place: float) -> str:
        before = [value for x, value in series.points if x <= place]
        within = before and place <= series.points[-1][0]
        return self.wording(before[-1]) if within or (before and series.stepped) else ""


@dataclass(frozen=True)
class _Frame:
    left: float
    top: float
    right: float
    bottom: float
    axis_x: Axis
    axis_y: Axis

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * self.axis_x.at(value)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.axis_y.at(value)

    def place(self, point: Point) -> Point:
        return round(self.x(point[0]), 1), round(self.y(point[1]), 1)


def _drawn(series: Series, frame: _Frame) -> DrawnSeries:
    points = [frame.place(point) for point in _some(series.points, MOST_POINTS)]
    low = [frame.place(point) for point in _some(series.low, MOST_POINTS)]
    high = [frame.place(point) for point in _some(series.high, MOST_POINTS)]
    band = _path([*low, *reversed(high)]) + "Z" if low and high else ""
    end = points[-1] if points else (frame.left, frame.bottom)
    return DrawnSeries(series, _path(points, series.stepped), band, end, end[1])


def _path(points: Sequence[Point], stepped: bool = False) -> str:
    if not points:
        return ""
    (x, y), *rest = points
    there = f"M{x:g} {y:g}"
    for x, y in rest:
        there += f"H{x:g}V{y:g}" if stepped else f"L{x:g} {y:g}"
    return there


def _apart(drawn: Sequence[DrawnSeries], frame: _Frame) -> tuple[DrawnSeries, ...]:
    """Return the lines with the tokens at their ends one below the other where they would cover each other."""
    named = sorted((each.end[1], n) for n, each in enumerate(drawn) if each.series.colour or each.series.letter)
    heaps: list[tuple[float, list[float]]] = []  # where the first of them stands, and where all of them would
    for foot, _n in named:
        wished = [foot]
        top = _topmost(wished, frame)
        while heaps and heaps[-1][0] + TOKEN * len(heaps[-1][1]) > top:
            wished = heaps.pop()[1] + wished
            top = _topmost(wished, frame)
        heaps.append((top, wished))
    feet = [top + TOKEN * at for top, wished in heaps for at in range(len(wished))]
    by = {n: foot for (_end, n), foot in zip(named, feet, strict=True)}
    return tuple(replace(each, foot=round(by.get(n, each.foot), 1)) for n, each in enumerate(drawn))


def _topmost(wished: Sequence[float], frame: _Frame) -> float:
    """Return where the first of a heap of tokens stands, so that each is as near to its line as the heap lets it."""
    middle = sum(wished) / len(wished) - TOKEN * (len(wished) - 1) / 2
    return max(frame.top, min(middle, frame.bottom - TOKEN * (len(wished) - 1)))


def _ticks_x(frame: _Frame, axis: Axis) -> tuple[tuple[float, str], ...]:
    """Return the words below the plot that have room, each with its middle."""
    ticks: list[tuple[float, str]] = []
    free = 0.0
    for tick in axis.ticks:
        at, wide = frame.x(tick.value), WIDE * len(tick.words)
        left = min(at - wide / 2, frame.right - wide)
        if left >= free:
            ticks.append((round(left + wide / 2, 1), tick.words))
            free = left + wide + 12
    return tuple(ticks)


def _marks(frame: _Frame, marks: Sequence[tuple[float, str]]) -> tuple[Mark, ...]:
    """Return the marks with their words in rows above the plot, left out where all of them are taken."""
    places = [(frame.x(at), words) for at, words in sorted(marks)]
    numbers = [number_in[0] if (number_in := re.search(r"\d+", words)) else "" for _x, words in places]
    if places and all(numbers) and not _one_row(places, frame.right):
        return _numbered(places, numbers)
    free = [frame.left] * ROWS
    found = []
    for x, words in places:
        wide = WIDE_MARK * len(words)
        ends = x + wide > frame.right
        left, right = (x - wide, x) if ends else (x, x + wide)
        row = next((n for n, taken in enumerate(free) if left >= taken), None)
        if row is not None:
            free[row] = right + 8
        found.append(Mark(round(x, 1), "" if row is None else words, 0.0 if row is None else LINE * (row + 1), ends))
    return tuple(found)


def _one_row(places: Sequence[tuple[float, str]], right: float) -> bool:
    """Tell whether every word begins at its place and ends before the next one's."""
    following = [x - 8 for x, _words in places[1:]] + [right]
    return all(x + WIDE_MARK * len(words) <= end for (x, words), end in zip(places, following, strict=True))


def _numbered(places: Sequence[tuple[float, str]], numbers: Sequence[str]) -> tuple[Mark, ...]:
    """Return marks with their numbers alone in a row; the first in words, above the others where it runs into them."""
    (first, words), *others = places
    above = bool(others) and first + WIDE_MARK * len(words) + 8 > others[0][0]
    found, free = [Mark(round(first, 1), words, LINE * (1 + above), False)], first
    for (x, _words), number_alone in zip(others, numbers[1:], strict=True):
        room = x >= free
        found.append(Mark(round(x, 1), number_alone if room else "", LINE if room else 0.0, False))
        free = x + WIDE_MARK * len(number_alone) + 8 if room else free
    return tuple(found)


def _some(values: Sequence[T], most: int) -> list[T]:
    """Return at most *most* of *values*, evenly spaced, the first and the last among them."""
    if len(values) <= most:
        return list(values)
    return [values[round(n * (len(values) - 1) / (most - 1))] for n in range(most)]
