"""The charts of the statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.kernel.i18n import said
from companion.statistics import Meeting, Person, Rated, ShareInterval, SideResult, StageTime
from web.charts.axis import linear_axis, whole_axis
from web.charts.bars import Bar, BarChart, BarPart, bar_chart
from web.charts.lines import PHONE, WHOLE, LineChart, Series
from web.http.formatting import named, percent
from web.http.i18n import _, decimals, translated
from web.request.game_pages import GameWords

__all__ = ["PHONE", "WHOLE", "colours", "curve", "durations", "meetings", "stages", "turns", "wins"]
MOST_BARS = 12
LEAST_CURVE = 2
BINS = (5, 10, 15, 30, 60, 120, 240)
"""Possible widths of a bar in minutes."""
MINUTE_MS = 60_000
ORDER = (
    *(said("Began"), said("Second"), said("Third"), said("Fourth")),
    *(said("Fifth"), said("Sixth"), said("Seventh"), said("Eighth")),
)


def wins(people: Iterable[Person]) -> BarChart | None:
    """Return a chart of each player's share of wins with its uncertainty. It shows the players with the most games."""
    rows = [(each.name, each.wins, each.chance / each.wins.n, "") for each in people if each.wins.n][:MOST_BARS]
    return _won(_("Wins of each player"), rows)


def colours(sides: Iterable[SideResult]) -> BarChart | None:
    """Return a chart of the share of wins of each colour."""
    return _won(
        _("Wins of each colour"), [(str(named(each.name)), each.wins, each.chance, each.name) for each in sides]
    )


def turns(sides: Iterable[SideResult]) -> BarChart | None:
    """Return a chart of the share of wins by position in the order of turns."""
    known = [each for each in sides if int(each.name) <= len(ORDER)]
    rows = [(str(translated(ORDER[int(each.name) - 1])), each.wins, each.chance, "") for each in known]
    return _won(_("Wins by the order of turns"), rows)


def _won(words: str, rows: Sequence[tuple[str, ShareInterval, float, str]]) -> BarChart | None:
    """Return a chart of shares with their uncertainty. Its reference is the mean share if all had the same chance."""
    if not rows:
        return None
    chances = {round(chance, 3) for _name, _share, chance, _colour in rows}
    bars = [
        Bar(
            name,
            (BarPart(100 * share.rate, percent(share.rate)),),
            _("%(hits)s of %(num)s", hits=share.hits, num=share.n),
            colour,
            low=100 * share.low,
            high=100 * share.high,
        )
        for name, share, _chance, colour in rows
    ]
    return bar_chart(words, _("in 100 games"), bars, level=100 * chances.pop() if len(chances) == 1 else None)


def durations(ms: Sequence[int]) -> BarChart | None:
    """Return a histogram of the durations of games. The last bar includes all longer games."""
    if not ms:
        return None
    longest = ms[-1] / MINUTE_MS
    width = next((each for each in BINS if longest / each <= 10), BINS[-1])
    bins = [0] * (min(10, int(longest // width)) + 1)
    for each in ms:
        bins[min(int(each / MINUTE_MS // width), len(bins) - 1)] += 1
    first = next(n for n, count in enumerate(bins) if count)
    bars = [
        Bar(f"{n * width}\N{WORD JOINER}–\N{WORD JOINER}{(n + 1) * width}", (BarPart(count, str(count)),), str(count))
        for n, count in enumerate(bins)
        if n >= first
    ]
    return bar_chart(_("How long games took"), _("games"), bars)


def stages(
    found: Iterable[StageTime], titles: Mapping[str, str], words: Callable[[str], GameWords]
) -> list[tuple[str, BarChart]]:
    """Return for each kind of game a chart of the minutes that each step takes."""
    by_kind: dict[str, list[StageTime]] = {}
    for each in found:
        by_kind.setdefault(each.kind, []).append(each)
    charts = []
    for kind, steps in by_kind.items():
        games, names = max(step.games for step in steps), words(kind).steps
        bars = [_step(each, str(translated(names.get(each.step, each.step))), games) for each in steps[:MOST_BARS]]
        title = titles.get(kind, kind)
        charts.append((title, bar_chart(_("Where the time of %(game)s goes", game=title), _("min a game"), bars)))
    return charts


def _step(each: StageTime, name: str, games: int) -> Bar:
    minutes = each.ms / MINUTE_MS / games
    return Bar(name, (BarPart(minutes, decimals(minutes)),), decimals(minutes))


def meetings(met: Sequence[Meeting]) -> BarChart | None:
    """Return a chart of how often a player finished ahead of each opponent."""
    bars = [
        Bar(
            each.name,
            (
                BarPart(each.ahead, str(each.ahead), 0),
                BarPart(each.level, str(each.level), 1),
                BarPart(each.behind, str(each.behind), 2),
            ),
            str(each.games),
        )
        for each in met[:MOST_BARS]
    ]
    sorts = (_("ahead"), _("level"), _("behind"))
    return bar_chart(_("Games with each other player"), _("games"), bars, sorts) if bars else None


def curve(ratings: Sequence[Rated], name: str) -> LineChart | None:
    """Return a chart of a player's rating after each game, with its 95% interval."""
    if len(ratings) < LEAST_CURVE:
        return None
    points = [(float(each.nth), each.rating.mu) for each in ratings]
    low = [(float(each.nth), each.rating.mu - 2 * each.rating.sigma) for each in ratings]
    high = [(float(each.nth), each.rating.mu + 2 * each.rating.sigma) for each in ratings]
    ends = [value for _, value in (*low, *high)]
    series = Series(name, points, low=low, high=high)
    words = _("The rating of %(name)s after each game", name=name)
    return LineChart(
        words,
        whole_axis(_("games played"), [x for x, _ in points]),
        linear_axis(_("rating"), ends),
        (series,),
        level=25.0,
        wording=decimals,
    )
