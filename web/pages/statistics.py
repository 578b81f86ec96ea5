"""Statistics over all finished games: players, colours, durations, records; and their charts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template, request

from companion.kernel.names import same_person
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.statistics import Filter, Meeting, Person, Questions, Rated, ShareInterval, SideResult, StageTime
from web.charts.axis import Axis, linear_axis, whole_axis
from web.charts.lines import PHONE, WHOLE, LineChart, Series
from web.http.formatting import initials, named, percent
from web.http.i18n import _, decimals, translated
from web.request.context import services
from web.request.game_pages import GameWords

statistics = Blueprint("statistics", __name__)
DAY_MS = 86_400_000
SINCE = {0: said("All times"), 365: said("12 months"), 90: said("90 days"), 30: said("30 days")}
"""Choices for the period: days (0 means no limit) and the text of the choice."""
LONGEST_NAME = 200
FIRST, RECORDS = 5, 5
"""Number of players and records shown at first: as many as a tablet shows without scrolling."""


@dataclass(frozen=True)
class RankedPlayer:
    """A player in the table; *letter* and *colour* are for their token."""

    who: Person
    letter: str
    colour: str


@dataclass(frozen=True)
class StatisticsChoice:
    """The chosen filter, and all possible values of each filter field with their words."""

    chosen: Filter
    days: int
    fields: tuple[tuple[str, str, tuple[tuple[str, str], ...], str], ...]

    @property
    def in_words(self) -> str:
        """The chosen filter, described in words."""
        chosen = ((name, dict(values).get(value)) for name, _words, values, value in self.fields if value)
        parts = (_("with %(name)s", name=words) if name == "player" else words for name, words in chosen if words)
        return ", ".join(parts) or _("All games")

    @property
    def narrowed(self) -> bool:
        """Whether a filter is set."""
        return any(value for _name, _words, _values, value in self.fields)

    def query(self, **more: object) -> str:
        """Return the URL query for the same filter, with *more* fields; empty fields are left out."""
        chosen = {name: value for name, _words, _values, value in self.fields if value}
        return urlencode({**chosen, **more})


@statistics.get("/statistics")
def page() -> str:
    """Show the statistics of all games that match the filter."""
    questions, choice = asked()
    chosen = choice.chosen
    shown: dict[str, Any]
    ranked = sorted(questions.people(chosen), key=lambda each: (-each.wins.hits, each.wins.n, -each.games))
    if "more" not in request.args:
        everybody = "all" in request.args
        people = ranked if everybody else ranked[:FIRST]
        shown = {
            "people": _ranked(questions, people, chosen),
            "left_out": len(ranked) - len(people),
            "records": questions.records(chosen)[: None if everybody else RECORDS],
        }
    else:
        shown = {
            "more": True,
            "wins": _wins_chart(ranked),
            "colours": _colours_chart(questions.colours(chosen)),
            "turns": _turns_chart(questions.turns(chosen)),
            "histogram": _durations_chart(questions.durations(chosen)),
            "lengths": questions.lengths(chosen),
            "stages": _stages_chart(questions.stages(chosen), titles(), words_of),
        }
    return render_template("statistics.html", choice=choice, tally=questions.tally(chosen), **_context(), **shown)


def _ranked(questions: Questions, people: Sequence[Person], chosen: Filter) -> tuple[RankedPlayer, ...]:
    """Return *people*, each with their most frequent colour."""
    sides = (questions.own_colours(each.person, chosen) for each in people)
    letters = initials([each.name for each in people])
    return tuple(
        RankedPlayer(each, letter, own[0].name if own else "grey")
        for each, letter, own in zip(people, letters, sides, strict=True)
    )


@statistics.get("/statistics/player")
def player() -> str:
    """Show one player: the rating over time, the opponents, and the wins by colour."""
    questions, choice = asked()
    chosen = choice.chosen
    who = next((each for each in questions.people(chosen) if each.person == chosen.person), None)
    if who is None:
        abort(404)
    met = questions.meetings(who.person, chosen)
    shown = {
        "who": who,
        "whole": WHOLE,
        "phone": PHONE,
        "curve": _curve_chart(questions.curve(who.person, chosen.kind), who.name),
        "meetings": _meetings_chart(met),
        "colours": _colours_chart(questions.own_colours(who.person, chosen)),
        "kinds": questions.own_kinds(who.person, chosen),
    }
    return render_template("statistics_player.html", choice=choice, **_context(), **shown)


def titles() -> Mapping[str, str]:
    """Return the title of each kind of game."""
    return {name: cover.title for name, cover in services().covers.items()}


def words_of(kind: str) -> GameWords:
    """Return the texts about a kind of game."""
    cover = services().covers.get(kind)
    return GameWords() if cover is None else cover.words


def _context() -> dict[str, Any]:
    summaries = services().table.archive.summaries
    emblems = {name: cover.emblem for name, cover in services().covers.items()}
    functions = {"percent": percent, "decimals": decimals}
    return {"titles": titles(), "emblems": emblems, "left": summaries.left, "fault": summaries.fault, **functions}


def asked() -> tuple[Questions, StatisticsChoice]:
    """Return the database queries, and the filter in this request."""
    questions = services().table.archive.summaries.questions
    args = request.args
    kinds, counts = questions.kinds(), questions.player_counts()
    kind = args.get("game", "") if args.get("game", "") in kinds else ""
    players = found if (found := args.get("players", 0, type=int)) in counts else 0
    days = found if (found := args.get("since", 0, type=int)) in SINCE else 0
    person = same_person(args.get("player", "")[:LONGEST_NAME])
    # The period begins at midnight UTC, so that the results stay the same for a day and can be cached.
    since = (int(time.time() * 1000) // DAY_MS - days) * DAY_MS if days else 0
    chosen = Filter(kind, person, players, since)
    return questions, StatisticsChoice(chosen, days, _fields(questions, chosen, days))


def _fields(
    questions: Questions, chosen: Filter, days: int
) -> tuple[tuple[str, str, tuple[tuple[str, str], ...], str], ...]:
    known = titles()
    games = (("", _("All games")), *((kind, known.get(kind, kind)) for kind in questions.kinds()))
    people = (("", _("Everybody")), *sorted(questions.names(), key=lambda each: each[0]))
    counts = (("", _("Any number")), *((str(n), str(n)) for n in questions.player_counts()))
    since = tuple((str(each or ""), str(translated(words))) for each, words in SINCE.items())
    return (
        ("game", _("Game"), games, chosen.kind),
        ("player", _("With"), people, chosen.person),
        ("players", _("Players"), counts, str(chosen.players or "")),
        ("since", _("Last"), since, str(days or "")),
    )


# The charts of these pages.

MOST_BARS = 12
LEAST_CURVE = 2
BINS = (5, 10, 15, 30, 60, 120, 240)
"""Possible widths of a bar in minutes."""
MINUTE_MS = 60_000
ORDER = (
    *(said("Began"), said("Second"), said("Third"), said("Fourth")),
    *(said("Fifth"), said("Sixth"), said("Seventh"), said("Eighth")),
)


def _wins_chart(people: Iterable[Person]) -> BarChart | None:
    """Return a chart of each player's share of wins with its uncertainty. It shows the players with the most games."""
    rows = [(each.name, each.wins, each.chance / each.wins.n, "") for each in people if each.wins.n][:MOST_BARS]
    return _won(_("Wins of each player"), rows)


def _colours_chart(sides: Iterable[SideResult]) -> BarChart | None:
    """Return a chart of the share of wins of each colour."""
    return _won(
        _("Wins of each colour"), [(str(named(each.name)), each.wins, each.chance, each.name) for each in sides]
    )


def _turns_chart(sides: Iterable[SideResult]) -> BarChart | None:
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


def _durations_chart(ms: Sequence[int]) -> BarChart | None:
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


def _stages_chart(
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


def _meetings_chart(met: Sequence[Meeting]) -> BarChart | None:
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


def _curve_chart(ratings: Sequence[Rated], name: str) -> LineChart | None:
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


@dataclass(frozen=True)
class BarPart:
    """A part of a bar: its length, its text, and its sort (the index in the legend, from 0)."""

    value: float
    words: str
    sort: int = 0


@dataclass(frozen=True)
class Bar:
    """One row: its name, the *colour* and *letter* of its player if it has one, its parts, and the text at its end.

    *low* and *high* are bounds of the total if it is uncertain.
    """

    name: str
    parts: tuple[BarPart, ...]
    words: str
    colour: str = ""
    letter: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def whole(self) -> float:
        """The length of the bar: the sum of its parts."""
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class BarChart:
    """Rows on one axis.

    *words* describe the chart, *sorts* are the names of the parts, *level* is a reference value.
    """

    words: str
    axis: Axis
    bars: tuple[Bar, ...]
    sorts: tuple[str, ...] = ()
    level: float | None = None

    def share(self, value: float) -> float:
        """Return the distance of *value* from the left end in percent."""
        return round(100 * self.axis.at(value), 2)


def bar_chart(
    words: str, unit: str, bars: Iterable[Bar], sorts: tuple[str, ...] = (), level: float | None = None
) -> BarChart:
    """Return a chart of *bars* on an axis from 0 to the length of the longest bar, in *unit*."""
    rows = tuple(bars)
    ends = [end for bar in rows for end in (bar.whole, bar.high or 0.0)]
    return BarChart(words, linear_axis(unit, [0.0, *ends, *([] if level is None else [level])]), rows, sorts, level)
