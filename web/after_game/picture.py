"""The picture of a result: layout and colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from companion.kernel.values import dataclass
from web.after_game.standings import GameStanding
from web.charts.lines import LineChart, Plot, Size

WIDE, HIGH, MARGIN = 1080.0, 1350.0, 60.0
TOP, FOOT = 200.0, 150.0
FIRST, ROW, GAP = 180.0, 96.0, 12.0
BAR_LEFT, BAR_RIGHT = 200.0, 860.0
LEGEND, LEGEND_LETTER = 48.0, 15.0
SCALE = 1.7
"""The factor by which the chart is larger than on a page, since the picture is usually viewed on a phone."""
LEAST_CHART = 220.0
TITLE, LETTERS = 68.0, 22
"""The font size of a headline, and the number of letters of that size that fit into the width."""
STATIC = Path(__file__).parents[1] / "static"
_ROOT = re.compile(r"^:root \{.*?^\}", re.DOTALL | re.MULTILINE)
_PLAYERS = re.compile(r"^/\* Player colours \*/.*?(?=^/\* The inside)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Stretch:
    """A part of a bar: the index of its source of points, the position of its left end, its width, and its points."""

    sort: int
    x: float
    wide: float
    points: int


@dataclass(frozen=True)
class PictureRow:
    """One player's row.

    The row's top is at *y* and its height is *high*. *large* marks a single winner. Text and bar begin at *left*.
    """

    standing: GameStanding
    y: float
    high: float
    large: bool
    left: float
    bar: tuple[Stretch, ...]


@dataclass(frozen=True)
class ResultPicture:
    """The layout of the picture: rows, and below them from *chart_y* on the chart, enlarged by *scale*."""

    title_size: float
    rows: tuple[PictureRow, ...]
    legend: tuple[tuple[float, str], ...]
    legend_y: float
    plot: Plot | None
    chart_y: float
    scale: float = SCALE


def picture_of(
    headline: str, standings: Sequence[GameStanding], chart: LineChart | None, sources: Sequence[str] = ()
) -> ResultPicture:
    """Return the layout of the picture."""
    size = min(TITLE, TITLE * LETTERS / max(len(headline), 1))
    rows, below = _rows(standings)
    chart_y = below + (LEGEND if sources else 0.0) + GAP
    room = HIGH - FOOT - chart_y
    plot = None
    if chart is not None and room >= LEAST_CHART:
        plot = chart.plot(Size((WIDE - 2 * MARGIN) / SCALE, room / SCALE))
    return ResultPicture(round(size, 1), rows, _legend(sources), below + GAP, plot, chart_y)


def _rows(standings: Sequence[GameStanding]) -> tuple[tuple[PictureRow, ...], float]:
    """Return the rows, and the y coordinate below the last row."""
    most = (HIGH - FOOT - TOP - FIRST - GAP) / max(len(standings) - 1, 1) - GAP
    alone = sum(one.won for one in standings) == 1
    rows, y = [], TOP
    for one in standings:
        large = alone and one.won
        high, left = (FIRST, BAR_LEFT) if large else (min(ROW, most), 150.0)
        rows.append(PictureRow(one, y, high, large, left, _bar(one, left)))
        y += high + GAP
    return tuple(rows), y


def _bar(one: GameStanding, left: float) -> tuple[Stretch, ...]:
    parts = one.parts or (one.total,)
    whole = sum(part for part in parts if part > 0) or 1
    wide = (BAR_RIGHT - BAR_LEFT) * one.share / 100
    found, x = [], left
    for sort, points in enumerate(parts):
        if points > 0:
            stretch = wide * points / whole
            found.append(Stretch(sort, round(x, 1), round(max(stretch - 3, 2), 1), points))
            x += stretch
    return tuple(found)


def _legend(sources: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Return the x coordinate and the text for each source of points."""
    found, x = [], MARGIN
    for words in sources:
        found.append((round(x, 1), words))
        x += 74 + LEGEND_LETTER * len(words)
    return tuple(found)


@cache
def colours_on_paper() -> str:
    """Return the style sheet of the picture, with the colours of the light theme and of the players."""
    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8")
    by_day = [found.group() for part in (_ROOT, _PLAYERS) if (found := part.search(tokens)) is not None]
    return "\n".join([*by_day, (STATIC / "after_picture.css").read_text(encoding="utf-8")])
