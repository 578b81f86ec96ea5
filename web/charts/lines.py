"""Line charts of scores, probabilities and bounds. The server renders a chart separately for each screen size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from web.charts.axis import Axis, Wording, number

T = TypeVar("T")
Point = tuple[float, float]

WIDE = 9.5  # width of a letter in the picture
WIDE_LAST = 12.0  # width of a letter of the number after a token
REACH = 16.0  # distance from the end of a line to a token that was moved up or down
TOKEN = 22.0
MOST_POINTS = 160  # points of one line; more would not be visible
MOST_READINGS = 60  # rows of the table below the picture


@dataclass(frozen=True)
class Size:
    """The size of a picture, in pixels at full size."""

    width: float
    height: float


PHONE, HALF, WHOLE = Size(358, 300), Size(580, 360), Size(1180, 420)


@dataclass(frozen=True)
class Series:
    """One line of a chart: its name, its points from left to right, and the *colour* of a player if it belongs to one.

    *stepped* says that each value is valid until the next point. *low* and *high* are bounds at each point. *quiet*
    says that the line is only a reference. *letter* is shown in the token at the end of the line, and *last* after it.
    """

    name: str
    points: Sequence[Point]
    colour: str = ""
    letter: str = ""
    stepped: bool = False
    low: Sequence[Point] = ()
    high: Sequence[Point] = ()
    quiet: bool = False
    last: str = ""


@dataclass(frozen=True)
class DrawnSeries:
    """A series with its SVG paths, and the position of its token."""

    series: Series
    line: str
    band: str
    end: Point
    foot: float

    @property
    def reaches(self) -> bool:
        """Whether the token was moved up or down from the end of the line."""
        return abs(self.foot - self.end[1]) > TOKEN / 4


@dataclass(frozen=True)
class LineReading:
    """The values of all lines at one x value: its position from 0 to 1, its text, and the text of each line's value."""

    at: float
    words: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Plot:
    """The chart rendered in one size: the frame of the plot, and everything in it."""

    size: Size
    left: float
    top: float
    right: float
    bottom: float
    ticks_x: tuple[tuple[float, str], ...]
    ticks_y: tuple[tuple[float, str], ...]
    drawn: tuple[DrawnSeries, ...]
    level: float | None


@dataclass(frozen=True)
class LineChart:
    """Lines over two axes.

    *words* describe the chart, *level* is a reference value.

    *wording* formats values of the y axis, *wording_x* values of the x axis.
    """

    words: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    level: float | None = None
    wording: Wording = number
    wording_x: Wording = number

    def plot(self, size: Size) -> Plot:
        """Render the chart in *size*."""
        left = 14 + WIDE * max((len(tick.words) for tick in self.y.ticks), default=1)
        ends = any(series.colour or series.letter for series in self.series)
        right = (
            size.width
            - (TOKEN + REACH if ends else 12)
            - WIDE_LAST * max((len(each.last) for each in self.series), default=0)
        )
        frame = _Frame(left, 12.0, right, size.height - 52, self.x, self.y)
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
            None if self.level is None else round(frame.y(self.level), 1),
        )

    @property
    def readings(self) -> tuple[LineReading, ...]:
        """The values of all lines at each x value where a line has a point, at most `MOST_READINGS` of them."""
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
    """Return the lines with their tokens moved apart where the tokens would overlap."""
    named = sorted((each.end[1], n) for n, each in enumerate(drawn) if each.series.colour or each.series.letter)
    heaps: list[tuple[float, list[float]]] = []  # (position of the first token, ideal positions of all)
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
    """Return where to put the first token of a stack, so that all its tokens are as near to their lines as possible."""
    middle = sum(wished) / len(wished) - TOKEN * (len(wished) - 1) / 2
    return max(frame.top, min(middle, frame.bottom - TOKEN * (len(wished) - 1)))


def _ticks_x(frame: _Frame, axis: Axis) -> tuple[tuple[float, str], ...]:
    """Return the texts below the plot for which there is room, each with the x coordinate of its middle."""
    ticks: list[tuple[float, str]] = []
    free = 0.0
    for tick in axis.ticks:
        at, wide = frame.x(tick.value), WIDE * len(tick.words)
        left = min(at - wide / 2, frame.right - wide)
        if left >= free:
            ticks.append((round(left + wide / 2, 1), tick.words))
            free = left + wide + 12
    return tuple(ticks)


def _some(values: Sequence[T], most: int) -> list[T]:
    """Return at most *most* of *values*, evenly spaced, including the first and the last."""
    if len(values) <= most:
        return list(values)
    return [values[round(n * (len(values) - 1) / (most - 1))] for n in range(most)]
