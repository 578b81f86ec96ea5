"""The chart of points during a game: after each round, or over the game's clock, or over the number of moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.session.moves import RecordedMove
from web.after_game.over import Over
from web.charts.axis import number, whole_axis
from web.charts.lines import LineChart, Point, Series
from web.components.players import Face
from web.http.i18n import _, translated

MINUTE_MS = 60_000
LEAST_MS = 2 * MINUTE_MS
"""A shorter game wasn't played by people at a table, so charts use the number of the move instead of minutes."""
Values = Mapping[str, int]
MOST_ROUNDS = 12


def timed(over: Over) -> bool:
    """Tell whether the times of the game are useful, so that charts use minutes instead of moves."""
    return bool(over.moves) and over.moves[-1].line.at_ms >= LEAST_MS


def places(over: Over) -> tuple[float, ...]:
    """Return the position of each move on the axis: minutes since the start of the game, or the move's number."""
    if timed(over):
        return tuple(move.line.at_ms / MINUTE_MS for move in over.moves)
    return tuple(float(number) for number in range(1, len(over.moves) + 1))


def chart_of(over: Over) -> LineChart | None:
    """Return the chart of all players' points, or of what the game counts instead. Return None if it shows neither."""
    words = str(translated(over.after.points)) or _("Points")
    found = _by_round(over, words) or _chart(over, words, over.points)
    if found is None and over.after.counted:
        found = _chart(over, str(translated(over.after.counted[0])), _count(over, 0))
    return found


def _by_round(over: Over, unit: str) -> LineChart | None:
    """Return the chart of the points after each round. Return None in the first round or without rounds."""
    timeline = None if over.pages is None else over.pages.timeline
    if timeline is None or not over.after.by_round:
        return None
    ends = {timeline.chapter(move.before): over.points(move.after) for move in over.moves}
    rounds = [points for chapter, points in ends.items() if any(map(str.isdigit, chapter))]
    if len(rounds) < 2:
        return None
    series = tuple(
        _series(face, [(float(at), float(points[colour])) for at, points in enumerate(rounds, 1)])
        for colour, face in over.faces.items()
    )
    every = [value for points in rounds for value in points.values()]
    x = whole_axis(_("Round"), [1.0, len(rounds)], most=MOST_ROUNDS)
    return LineChart(str(translated(over.after.by_round)), x, whole_axis(unit, [0.0, *every], most=7), series)


def _count(over: Over, at: int) -> Callable[[Any], Values]:
    return lambda state: {colour: each[at] for colour, each in over.after.counts(state).items()}


def _chart(over: Over, unit: str, values: Callable[[Any], Values]) -> LineChart | None:
    if not over.moves or not values(over.seen.state):
        return None
    x = whole_axis(_("minutes") if timed(over) else _("moves"), [0.0, *places(over)])
    lines = _lines(over, values)
    every = [value for line in lines.values() for _x, value in line]
    series = tuple(
        _series(over.faces[colour], line, stepped=True) for colour, line in lines.items() if colour in over.faces
    )
    return LineChart(_("%(what)s over time", what=unit), x, whole_axis(unit, [0.0, *every], most=7), series)


def _series(face: Face, line: Sequence[Point], stepped: bool = False) -> Series:
    return Series(face.name, line, face.colour, face.letter, stepped, last=number(line[-1][1]))


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
