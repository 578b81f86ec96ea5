"""Small plots as SVG text. Colours come from the page's style sheet, so they work in light and dark mode."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from companion.kernel.shown import shows

WIDTH, HEIGHT = 420, 200
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 26, 34
Point = tuple[float, float]


@shows("_drawn")
class PlotAxes:
    """The axes of a plot, with round numbers. *x* and *y* are their ranges."""

    def __init__(self, x: Point, y: Point, unit_x: str = "", unit_y: str = "") -> None:
        self.x, self.y = _wide(x), _wide(y)
        self._drawn = [*self._along(unit_x), *self._up(unit_y)]

    def at(self, x: float, y: float) -> Point:
        """Return the SVG coordinates of the point *x*, *y*."""
        (left, right), (low, high) = self.x, self.y
        across = LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT)
        return across, HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def bar(self, begin: float, end: float, height: float, kind: str = "a") -> None:
        """Draw a bar from *begin* to *end*."""
        (left, top), (right, foot) = self.at(begin, height), self.at(end, self.y[0])
        width, tall = max(right - left - 1, 1), max(foot - top, 0)
        self._drawn.append(
            f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{tall:.1f}"/>'
        )

    def dot(self, x: float, y: float, kind: str = "a") -> None:
        """Draw a dot."""
        across, up = self.at(x, y)
        self._drawn.append(f'<circle class="{kind}" cx="{across:.1f}" cy="{up:.1f}" r="3.5"/>')

    def line(self, points: Sequence[Point], kind: str = "a") -> None:
        """Draw a line through *points*."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points))
        self._drawn.append(f'<polyline class="{kind}" points="{path}"/>')

    def name(self, x: float, text: str) -> None:
        """Write *text* below *x*."""
        across, _ = self.at(x, self.y[0])
        self._drawn.append(f'<text class="mid" x="{across:.1f}" y="{HEIGHT - 18}">{escape(text)}</text>')

    def svg(self, title: str) -> str:
        """Return the plot as SVG, with *title* for screen readers."""
        head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        return head + "".join(self._drawn) + "</svg>"

    def _along(self, unit: str) -> list[str]:
        y = HEIGHT - BOTTOM
        drawn = [f'<line class="axis" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>']
        if unit:
            for value in round_numbers(*self.x):
                across, _ = self.at(value, self.y[0])
                drawn.append(f'<text class="mid" x="{across:.1f}" y="{y + 14}">{value:g}</text>')
            drawn.append(f'<text class="end" x="{WIDTH - RIGHT}" y="{HEIGHT - 4}">{escape(unit)}</text>')
        return drawn

    def _up(self, unit: str) -> list[str]:
        drawn = [f'<text x="2" y="{TOP - 14}">{escape(unit)}</text>']
        for value in round_numbers(*self.y):
            _, y = self.at(self.x[0], value)
            drawn.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
            drawn.append(f'<text class="end" x="{LEFT - 5}" y="{y + 4:.1f}">{value:g}</text>')
        return drawn


def histogram(values: Sequence[float], title: str, unit: str, bins: int = 24) -> str:
    """Return a histogram of *values*."""
    low, high = _wide((min(values), max(values)))
    step = (high - low) / bins
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / step), bins - 1)] += 1
    axes = PlotAxes((low, high), (0, max(counts)), unit, "times")
    for n, count in enumerate(counts):
        if count:
            axes.bar(low + n * step, low + (n + 1) * step, count)
    return axes.svg(title)


def round_numbers(low: float, high: float) -> list[float]:
    """Return three to six round numbers from *low* to *high*.

    >>> round_numbers(0, 100)
    [0.0, 50.0, 100.0]
    """
    rough = (high - low) / 4
    unit = 10.0 ** floor(log10(rough))
    step = unit * next(factor for factor in (1, 2, 5, 10) if factor * unit >= rough * 0.99)
    first = ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, floor(high / step + 1e-9) + 1)]


def _wide(span: Point) -> Point:
    """Widen a range that is almost empty."""
    low, high = span
    room = max(abs(low) * 0.02, 1e-6)
    return (low, high) if high - low > room else (low - room, high + room)
