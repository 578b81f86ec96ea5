"""Draws the pictures of docs/fairness.md from simulated rings, with the charts that pages use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import exp
from pathlib import Path

import numpy as np

from companion.fairness import Bounds, Pull, Tally, course
from tests.fairness.many import SETTLED, Fates
from web.charts.axis import Axis, Tick, linear_axis, log_axis, whole_axis
from web.charts.lines import LineChart, Plot, Series, Size

INK, SOFT, LINE, PAPER = "#1c1f2b", "#565b6e", "#d8d3c6", "#fbfaf5"
OURS, USUAL, THIRD = "#0b7a5c", "#b3541e", "#2456b8"
"""Colours that also differ in lightness; their strokes differ too."""
WIDE, HEAD, ROW = 760, 52, 24
HIGH = 330
FEW = 150


@dataclass(frozen=True)
class Stroke:
    """How a line is drawn: its ink, its dashes, and whether it has dots instead of a line."""

    ink: str
    dashes: str = ""
    dots: bool = False


@dataclass(frozen=True)
class Panel:
    """A chart with its title and the stroke of each of its lines; *level* is the label of the level."""

    title: str
    chart: LineChart
    strokes: tuple[Stroke, ...]
    level: str = ""


def draw(
    folder: Path,
    whole: Sequence[Fates],
    between: Sequence[Fates],
    fixed: Mapping[float, int],
    example: Mapping[float, list[Pull]],
) -> None:
    """Write the three pictures into *folder*.

    *whole* are the fates of many rings by their odds, *between* those of fewer rings with other odds; *fixed* is how
    many draws one test needs, by odds; *example* has the draws of one ring for each of the odds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {
        "coverage": [coverage(whole)],
        "stopping": [stopping([*whole, *between], fixed)],
        "course": courses(example),
    }
    for name, panels in pictures.items():
        (folder / f"{name}.svg").write_text(picture(panels), encoding="utf-8")


def coverage(whole: Sequence[Fates]) -> Panel:
    """Return a chart: the share of rings that have never been judged wrongly, by the number of draws so far."""
    at = np.unique(np.linspace(1, whole[0].draws, FEW).round().astype(int))
    ours = np.array([each.held(each.left_out) for each in whole])[:, at - 1] * 100
    usual = np.array([each.held(each.usually_left_out) for each in whole])[:, at - 1] * 100
    lowest, worst = (list(zip(at.tolist(), edge.min(axis=0).tolist(), strict=True)) for edge in (ours, usual))
    odds = ", ".join(f"{each.odds:g}" for each in whole)
    chart = LineChart(
        "Share of rings whose bounds have held so far",
        whole_axis("draws, looked at after each", [0, whole[0].draws]),
        linear_axis("per cent", [40, 100], most=7),
        (
            Series(f"confidence sequence (worst of w = {odds})", lowest),
            Series(f"usual interval of 95 %, looked at from draw {SETTLED} on", worst),
        ),
        level=95,
    )
    rings = f"{len(whole[0].left_out):,}"
    title = f"Rings whose bounds were never wrong so far, per cent of {rings}"
    return Panel(title, chart, (Stroke(OURS), Stroke(USUAL, "9 5")), "95 %")


def stopping(fates: Sequence[Fates], fixed: Mapping[float, int]) -> Panel:
    """Return a chart: the number of draws until rings are detected, by their odds, and what one test needs."""
    biased = sorted((each for each in fates if each.odds > 1), key=lambda each: each.odds)
    shares = {share: [(each.odds, each.stopped_by(share)) for each in biased] for share in (0.2, 0.5, 0.8)}
    odds = _odds_axis(biased)
    table = sorted(fixed.items())
    chart = LineChart(
        "Draws until a ring is found out",
        odds,
        log_axis("draws", [20, 10_000]),
        (
            Series("e-value over 20: half of all rings", shares[0.5], low=shares[0.2], high=shares[0.8]),
            Series("80 % of all rings (band: from 20 % on)", shares[0.8]),
            Series("one look agreed on beforehand, 80 % power", table),
        ),
    )
    strokes = (Stroke(OURS), Stroke(THIRD, "9 5"), Stroke(USUAL, dots=True))
    return Panel("Draws until a ring that favours some cubes is found out", chart, strokes)


def courses(example: Mapping[float, list[Pull]]) -> list[Panel]:
    """Return charts: the odds of the first ring and the e-values of all rings, draw by draw."""
    went = {odds: course(Tally(pulls, most=FEW).pieces) for odds, pulls in example.items()}
    odds, first = next(iter(went.items()))
    draws = whole_axis("draws", [0, first[-1].draws])
    low, high = ([(each.draws, edge(each.within)) for each in first] for edge in (_least, _most))
    likeliest = [(each.draws, each.odds) for each in first]
    bounds = LineChart(
        "The odds of one ring with their bounds",
        draws,
        log_axis("odds", [0.5, 5], most=5),
        (Series("likeliest odds, and all that are still possible", likeliest, low=low, high=high),),
        level=1,
    )
    heights = LineChart(
        "The e-values of rings",
        draws,
        log_axis("e-value", [0.05, 1000], most=6),
        tuple(
            Series(f"w = {odds:g}", [(m.draws, min(max(exp(m.log_e), 0.051), 990.0)) for m in moments])
            for odds, moments in went.items()
        ),
        level=20,
    )
    strokes = (Stroke(OURS), Stroke(USUAL, "9 5"))
    return [
        Panel(f"One simulated ring of w = {odds:g}: its odds", bounds, strokes[:1], "even odds"),
        Panel("The e-value of that ring, and of one of even odds", heights, strokes[: len(went)], "20: found out"),
    ]


def picture(panels: Sequence[Panel]) -> str:
    """Return *panels* below each other as one SVG."""
    parts, top = [], 0.0
    for panel in panels:
        plot = panel.chart.plot(Size(WIDE - 40, HIGH))
        head = HEAD + ROW * len(panel.strokes)
        parts.append(f'<g transform="translate(20 {top + head:g})">{_drawn(panel, plot)}</g>')
        parts.append(_text(20, top + 34, panel.title, "700 17px"))
        for row, (series, stroke) in enumerate(zip(panel.chart.series, panel.strokes, strict=True)):
            parts.append(_legend(24, top + HEAD + 6 + ROW * row, series.name, stroke))
        top += head + HIGH + 8
    box = f'viewBox="0 0 {WIDE} {top:g}" width="{WIDE}" height="{top:g}"'
    words = escape("; ".join(panel.title for panel in panels))
    paper = f'<title>{words}</title><rect width="100%" height="100%" rx="14" fill="{PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>\n' + "\n".join([paper, *parts]) + "\n</svg>\n"


def _drawn(panel: Panel, plot: Plot) -> str:
    parts = [f'<path d="M{plot.left:g} {y:g}H{plot.right:g}" stroke="{LINE}"/>' for y, _ in plot.ticks_y]
    parts += [_text(plot.left - 8, y + 5, words, "14px", SOFT, "end") for y, words in plot.ticks_y]
    parts += [_text(x, plot.bottom + 20, words, "14px", SOFT, "middle") for x, words in plot.ticks_x]
    parts.append(_text((plot.left + plot.right) / 2, plot.bottom + 40, panel.chart.x.words, "14px", SOFT, "middle"))
    if plot.level is not None:
        parts.append(f'<path d="M{plot.left:g} {plot.level:g}H{plot.right:g}" stroke="{INK}" stroke-dasharray="3 4"/>')
        parts.append(_text(plot.right - 4, plot.level + 16, panel.level, "14px", INK, "end"))
    for drawn, stroke in zip(plot.drawn, panel.strokes, strict=True):
        if drawn.band:
            parts.append(f'<path d="{drawn.band}" fill="{stroke.ink}" opacity=".18"/>')
        parts.append(_dots(drawn.line, stroke) if stroke.dots else _line(drawn.line, stroke))
    return "".join(parts)


def _line(path: str, stroke: Stroke) -> str:
    dashes = f' stroke-dasharray="{stroke.dashes}"' if stroke.dashes else ""
    return f'<path d="{path}" fill="none" stroke="{stroke.ink}" stroke-width="2.5" stroke-linejoin="round"{dashes}/>'


def _dots(path: str, stroke: Stroke) -> str:
    places = (place.split() for place in path.lstrip("M").split("L"))
    look = f'r="5.5" fill="{PAPER}" stroke="{stroke.ink}" stroke-width="2.5"'
    return "".join(f'<circle cx="{x}" cy="{y}" {look}/>' for x, y in places)


def _legend(x: float, y: float, words: str, stroke: Stroke) -> str:
    sign = _dots(f"M{x + 16:g} {y:g}", stroke) if stroke.dots else _line(f"M{x:g} {y:g}h32", stroke)
    return sign + _text(x + 42, y + 5, words, "15px")


def _odds_axis(biased: Sequence[Fates]) -> Axis:
    """Return an axis with ticks at these odds, since round numbers of a logarithm would be outside of it."""
    at = [each.odds for each in biased]
    bare = Axis("true odds w", at[0], at[-1], (), logarithmic=True)
    return replace(bare, ticks=tuple(Tick(odds, bare.at(odds), f"{odds:g}") for odds in at))


def _least(within: Bounds) -> float:
    return max(within.least, 0.5)


def _most(within: Bounds) -> float:
    return min(within.most, 5.0)


def _text(x: float, y: float, words: str, font: str, ink: str = INK, anchor: str = "start") -> str:
    halo = f"paint-order:stroke;stroke:{PAPER};stroke-width:3px"
    style = f'style="font:{font} system-ui,sans-serif;{halo}" fill="{ink}" text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'
