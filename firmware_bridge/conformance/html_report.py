"""Formats the report of a check as a self-contained HTML page without scripts or external resources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Channels
from firmware_bridge.conformance.result import ConformanceResult, Figures, Report
from firmware_bridge.conformance.text_report import about, bound, measured, outcome

# Small plots as SVG text. Their colours come from the page's style sheet, so the plots work in light and dark mode.

WIDTH, HEIGHT = 420, 200
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 26, 34
Point = tuple[float, float]


@shows("_drawn")
class PlotAxes:
    """The axes of a plot, with round numbers. *x* and *y* are the ranges of the axes."""

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
    """Return a histogram of *values* as SVG."""
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
    """Widen the range *span* if it is almost empty."""
    low, high = span
    room = max(abs(low) * 0.02, 1e-6)
    return (low, high) if high - low > room else (low - room, high + room)


CHANNELS = "rgbc"
STYLE = """
:root { color-scheme: light dark; --bg: #f0ece2; --surface: #fbf9f3; --ink: #1a1d29; --soft: #53576a; --line: #cfc8b8;
  --fine: #0a6b50; --fail: #a3106b; --a: #1b55be; --r: #c62f22; --g: #0a8260; --b: #1b55be; --c: #757888; }
@media (prefers-color-scheme: dark) { :root { --bg: #12141d; --surface: #1c1f2b; --ink: #f5f0e4; --soft: #b8bccc;
  --line: #3a4054; --fine: #48d6a6; --fail: #ff8fd0; --a: #4f94fa; --r: #f2604f; --g: #48d6a6; --b: #4f94fa;
  --c: #7f87a0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1000px; padding: 24px 20px 60px; background: var(--bg); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 10px; }
p { margin: 4px 0; } .soft { color: var(--soft); } .fine { color: var(--fine); } .fail { color: var(--fail); }
.sum { font-size: 20px; font-weight: 700; margin: 14px 0; }
table { width: 100%; border-collapse: collapse; background: var(--surface); border-radius: 12px; overflow: hidden; }
td, th { padding: 7px 14px; text-align: left; border-top: 1px solid var(--line); vertical-align: top; }
tr:first-child > * { border-top: 0; } th { font-weight: 400; } td.n { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; } td.v { font-weight: 700; width: 4em; }
@media (max-width: 40em) {
  .kept tr { display: grid; grid-template-columns: 4em 1fr auto; border-top: 1px solid var(--line); padding: 6px 0; }
  .kept td, .kept th { border: 0; padding: 1px 14px; } .kept th { grid-column: 2 / -1; padding-left: 0; }
  .kept td.n { grid-column: 2; text-align: left; padding-left: 0; } .kept td.n + td.n { grid-column: 3; } }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 14px; }
figure { margin: 0; padding: 12px 14px; background: var(--surface); border-radius: 12px; }
figcaption { font-weight: 700; margin-bottom: 6px; } figure p { font-size: 14px; color: var(--soft); }
svg { display: block; width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
text.mid { text-anchor: middle; } text.end { text-anchor: end; } .axis { stroke: var(--soft); }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2; } polyline.edge { stroke: var(--soft); }
.a { fill: var(--a); stroke: none; } .r { fill: var(--r); } .g { fill: var(--g); } .b { fill: var(--b); }
.c { fill: var(--c); } polyline.r { fill: none; stroke: var(--r); } polyline.g { fill: none; stroke: var(--g); }
polyline.b { fill: none; stroke: var(--b); } polyline.c { fill: none; stroke: var(--c); }
polyline.a { fill: none; stroke: var(--a); }
"""


def page(report: Report, made: str) -> str:
    """Return the whole page. *made* is the time of the check as text."""
    kind = "fine" if report.passed else "fail"
    simulated = report.hello is not None and report.hello.simulated
    said = (
        "<p><strong>This ring is simulated: its figures say nothing about a real one.</strong></p>" if simulated else ""
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Check of a ring</title><style>{STYLE}</style></head><body>
<h1>Check of a ring</h1>
<p class="soft">{escape(about(report))}. {escape(made)}</p>{said}
<p class="sum {kind}">{escape(outcome(report).capitalize())}.</p>
<h2>What was promised, and measured</h2>
<table class="kept">{"".join(map(_row, sorted(report.results, key=lambda result: result.passed)))}</table>
{_skipped(report)}{_drawn(report.figures)}
</body></html>
"""


def _row(result: ConformanceResult) -> str:
    word, kind = ("fine", "fine") if result.passed else ("FAIL", "fail")
    return (
        f'<tr><td class="v {kind}">{word}</td><th>{escape(result.name)}</th>'
        f'<td class="n">{escape(measured(result))}</td><td class="n soft">{escape(bound(result))}</td></tr>'
    )


def _skipped(report: Report) -> str:
    rows = [f'<tr><th>{escape(each.name)}</th><td class="soft">{escape(each.why)}</td></tr>' for each in report.skipped]
    return f"<h2>Not applicable</h2><table>{''.join(rows)}</table>" if rows else ""


def _drawn(figures: Figures) -> str:
    plots = list(_plots(figures))
    filters = "".join(
        f'<tr><th>{escape(name)}</th><td class="n">{value}</td></tr>' for name, value in figures.filters.items()
    )
    drawn = f'<h2>Figures</h2><div class="plots">{"".join(plots)}</div>' if plots else ""
    return drawn + (
        f"<h2>Filters of the beams, and what they swallowed</h2><table>{filters}</table>" if filters else ""
    )


def _plots(figures: Figures) -> Iterator[str]:
    if figures.trips_ms:
        yield _figure("Round trips", "How long a ping takes.", histogram(figures.trips_ms, "Round trips", "ms"))
    if figures.beats_ms:
        yield _figure("Heartbeat", "Time from one to the next.", _beats(figures.beats_ms))
    if figures.white:
        yield _figure("References", "Counts of one frame: red, green, blue, clear.", _references(figures))
        yield _figure(
            "White, look by look", "How steadily the sensor sees its white shutter.", _steadiness(figures.white)
        )
    seen = [each for each in figures.passages if each.frames and each.edges]
    if seen:
        text = "Counts of each frame, and (grey) when the beams were blocked."
        last = seen[-1]
        yield _figure(f"Last passage: {last.kind}", text, _frames(last.frames, last.edges))


def _figure(title: str, text: str, svg: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{svg}<p>{escape(text)}</p></figure>"


def _beats(beats_ms: list[float]) -> str:
    axes = PlotAxes((0.5, len(beats_ms) + 0.5), (0, max(*beats_ms, 1250.0)), "", "ms")
    for n, beat in enumerate(beats_ms, 1):
        axes.bar(n - 0.3, n + 0.3, beat)
    return axes.svg("Heartbeats")


def _references(figures: Figures) -> str:
    groups = [
        (name, rows) for name, rows in (("white", figures.white), ("black", figures.black), ("dark", figures.dark))
    ]
    known = [(name, rows[-1]) for name, rows in groups if rows]
    axes = PlotAxes((0, len(known)), (0, max(max(row) for _, row in known)), "", "counts")
    for n, (name, row) in enumerate(known):
        for k, (channel, count) in enumerate(zip(CHANNELS, row, strict=True)):
            axes.bar(n + 0.1 + 0.2 * k, n + 0.28 + 0.2 * k, count, channel)
        axes.name(n + 0.5, name)
    return axes.svg("References")


def _steadiness(white: list[Channels]) -> str:
    shares = [[100 * row[k] / (sum(each[k] for each in white) / len(white)) for row in white] for k in range(4)]
    low, high = min(map(min, shares)), max(map(max, shares))
    axes = PlotAxes((1, max(len(white), 2)), (min(low, 98), max(high, 102)), "look", "% of mean")
    for channel, row in zip(CHANNELS, shares, strict=True):
        axes.line(list(enumerate(row, 1)), channel)
    return axes.svg("White, look by look")


def _frames(frames: tuple[tuple[int, Channels], ...], edges: tuple[tuple[str, bool, int], ...]) -> str:
    highest = max(max(counts) for _, counts in frames)
    axes = PlotAxes((0, max(edges[-1][2] / 1000, frames[-1][0] / 1000)), (0, highest * 1.15), "ms", "counts")
    for beam, height in (("A", 1.06), ("B", 1.12)):
        times = [at / 1000 for name, _, at in edges if name == beam]
        for begin, end in zip(times[::2], times[1::2], strict=False):
            axes.line([(begin, highest * height), (end, highest * height)], "edge")
    for k, channel in enumerate(CHANNELS):
        points = [(at / 1000, counts[k]) for at, counts in frames]
        axes.line(points, channel)
        for point in points:
            axes.dot(*point, channel)
    return axes.svg("Frames of the last passage")
