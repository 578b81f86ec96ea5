"""Charts of points and other counts during a game, over the game's clock or over the number of moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.session.moves import RecordedMove
from web.after_game.over import Over
from web.charts.axis import Axis, whole_axis
from web.charts.lines import LineChart, Point, Series
from web.http.i18n import _, translated

MINUTE_MS = 60_000
LEAST_MS = 2 * MINUTE_MS
"""A shorter game wasn't played by people at a table, so charts use the number of the move instead of minutes."""
Values = Mapping[str, int]
MOST_MARKS = 12


def timed(over: Over) -> bool:
    """Tell whether the times of the game are useful, so that charts use minutes instead of moves."""
    return bool(over.moves) and over.moves[-1].line.at_ms >= LEAST_MS


def places(over: Over) -> tuple[float, ...]:
    """Return the position of each move on the axis: minutes since the start of the game, or the move's number."""
    if timed(over):
        return tuple(move.line.at_ms / MINUTE_MS for move in over.moves)
    return tuple(float(number) for number in range(1, len(over.moves) + 1))


def score_chart(over: Over, marks: Sequence[tuple[float, str]] = ()) -> LineChart | None:
    """Return the chart of all players' points, with *marks* on the axis. None if the game shows no points."""
    words = str(translated(over.after.points)) or _("Points")
    return _chart(over, _("%(what)s over time", what=words), words, over.points, marks)


def count_charts(over: Over) -> tuple[tuple[str, LineChart], ...]:
    """Return a chart for each thing that the game counts, with its heading."""
    found = []
    for at, words in enumerate(over.after.counted):
        heading = str(translated(words))
        chart = _chart(over, _("%(what)s over time", what=heading), heading, _count(over, at))
        if chart is not None:
            found.append((chart.words, chart))
    return tuple(found)


def rounds(over: Over) -> tuple[tuple[float, str], ...]:
    """Return the position and heading of each chapter except the first, at most `MOST_MARKS` of them."""
    timeline = None if over.pages is None else over.pages.timeline
    if timeline is None:
        return ()
    found: dict[str, float] = {}
    for at, move in zip(places(over), over.moves, strict=True):
        found.setdefault(timeline.chapter(move.before), at)
    return tuple((at, chapter) for chapter, at in found.items())[1 : MOST_MARKS + 1]


def _count(over: Over, at: int) -> Callable[[Any], Values]:
    return lambda state: {colour: each[at] for colour, each in over.after.counts(state).items()}


def _chart(
    over: Over, words: str, unit: str, values: Callable[[Any], Values], marks: Iterable[tuple[float, str]] = ()
) -> LineChart | None:
    if not over.moves or not values(over.seen.state):
        return None
    x = whole_axis(_("minutes") if timed(over) else _("moves"), [0.0, *places(over)])
    lines = _lines(over, values)
    every = [value for line in lines.values() for _x, value in line]
    series = tuple(
        Series(over.faces[colour].name, line, colour, over.faces[colour].letter, stepped=True)
        for colour, line in lines.items()
        if colour in over.faces
    )
    return LineChart(words, x, _upright(unit, every), series, marks=tuple(marks))


def _upright(unit: str, values: Sequence[float]) -> Axis:
    return whole_axis(unit, [0.0, *values])


def _lines(over: Over, values: Callable[[Any], Values]) -> dict[str, list[Point]]:
    """Return the line of each player, with a point at each change and at the end."""
    first: RecordedMove = over.moves[0]
    lines: dict[str, list[Point]] = {colour: [(0.0, value)] for colour, value in values(first.before).items()}
    at = 0.0
    for at, move in zip(places(over), over.moves, strict=True):
        for colour, value in values(move.after).items():
            line = lines.setdefault(colour, [(0.0, 0.0)])
            if line[-1][1] != value:
                line.append((at, value))
    for line in lines.values():
        line.append((at, line[-1][1]))
    return lines
