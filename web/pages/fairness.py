"""The fairness of the rings, from the draws of all games: odds with bounds, and the draws that weren't counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, log2
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template, request

from companion.fairness import NOTICEABLE, Bounds, CubeSource, FairnessFinding, RingReport, SequenceMoment, course
from companion.kernel.said import said
from companion.kernel.values import dataclass
from web.charts.axis import Axis, log_axis, number, whole_axis
from web.charts.lines import LineChart, Series, Size
from web.http.formatting import initials, named
from web.http.i18n import _, decimals, grouped, ngettext
from web.request.apart import every_game, made_apart
from web.request.context import services

# A chart of values with their confidence intervals, one per row, on one scale with a reference value.


@dataclass(frozen=True)
class Interval:
    """One row: its name, the *colour* and *letter* of a player if it belongs to one, and the text at its end.

    *value* is between *low* and *high*; it is None if nothing is known. *marked* rows are highlighted. *at* is the URL
    of a page with details. *chosen* says that the page already shows these details.
    """

    name: str
    value: float | None
    low: float
    high: float
    words: str
    colour: str = ""
    letter: str = ""
    marked: bool = False
    at: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class IntervalChart:
    """Rows on one logarithmic axis. *words* describe the chart; *level* is the reference value."""

    words: str
    axis: Axis
    rows: tuple[Interval, ...]
    level: float

    def share(self, value: float) -> float:
        """Return the distance of *value* from the left end in percent, limited to the axis."""
        return round(100 * self.axis.at(value), 2)


def interval_chart(
    words: str, unit: str, rows: Iterable[Interval], level: float, widest: tuple[float, float]
) -> IntervalChart:
    """Return a chart of *rows*.

    Its axis, in *unit*, contains *level* and all bounds, but nothing outside of *widest*.
    """
    shown = tuple(rows)
    known = [end for row in shown if row.value is not None for end in (row.low, row.high)]
    ends = [min(max(end, widest[0]), widest[1]) for end in known]
    return IntervalChart(words, log_axis(unit, [level / 2, level * 2, *ends], most=5), shown, level)


fairness = Blueprint("fairness", __name__)
OWN = ("own", "")
WIDEST = (0.1, 10.0)
"""The range of odds in charts. Odds outside of it are cut off, since they are too uncertain."""
ENOUGH = 20.0
"""The e-value above which even odds are hard to believe: only one in twenty fair rings ever reaches it."""
HIGHEST = 1e6
EARLY = 30
"""With fewer draws than this there is no verdict in words, unless the ring is clearly uneven."""
VIRTUAL = "virtual"
"""The default name of a simulated ring."""
SIZES = (("wide", Size(384, 300)), ("phone", Size(342, 290)))
ROWS = 12
"""Largest number of players or colours in a chart. Those with the most draws are shown."""


@dataclass(frozen=True)
class RingChoice:
    """One of the rings to choose from."""

    words: str
    draws: int
    at: str
    chosen: bool


@dataclass(frozen=True)
class FairnessVerdict:
    """An answer in words: question, odds with bounds, conclusion, and the further draws that would make it clearer."""

    asked: str
    odds: str
    between: str
    words: str
    onward: str
    open: bool


@dataclass(frozen=True)
class Plain:
    """The answer without statistical terms: whether anything is *wrong*, and the odds on a simple scale.

    *low*, *high* and *at* are positions in percent on that scale, which goes from half as often to twice as often. *at*
    is None if there are no odds or too few draws (*early*). About *more* further draws would be enough to show odds of
    `NOTICEABLE`.
    """

    wrong: bool
    early: bool
    words: str
    low: float
    high: float
    at: float | None
    more: int


@dataclass(frozen=True)
class Count:
    """How often cubes of one *colour* came out, and how often they would come out of a fair ring.

    *lengths* are the bars in percent.
    """

    colour: str
    hits: int
    expected: str
    lengths: tuple[float, float]


@fairness.get("/fairness")
@made_apart("ring", "of", words=said("Adding the draws up"), games=every_game)
def page() -> str:
    """Show one ring and one question in full. The default question compares a player's own cubes with other cubes."""
    outlook = services().fairness.look()
    report, any_games = _chosen(outlook.reports), bool(services().table.archive.game_count)
    if report is None:
        return render_template("fairness.html", outlook=outlook, report=None, rings=(), any_games=any_games)
    question = _question(report)
    found = report.asked(question)
    assert found is not None, "only what was asked of a ring can be chosen"
    return render_template(
        "fairness.html",
        outlook=outlook,
        any_games=any_games,
        report=report,
        rings=_rings(outlook.reports, report),
        name_of_ring=_named(report),
        plain=_plain(report, found),
        early=EARLY,
        colour_counts=_colour_counts(report),
        verdict=_verdict(found, _asked(question)),
        in_full="of" in request.args,
        charts=_charts(course(found.pieces)),
        sizes=SIZES,
        colours=_intervals(report, question, "colour"),
        players=_intervals(report, question, "player"),
        believed=any(each.believed for each in (*report.by_colour.values(), *report.by_player.values())),
        counts=_counts(report),
        evidence=found.e_value,
    )


def _chosen(reports: Sequence[RingReport]) -> RingReport | None:
    """Return the report of the ring in the query, or without a query the first report."""
    wish = request.args.get("ring")
    if wish is None:
        return reports[0] if reports else None
    return next((each for each in reports if _key(each) == wish), None) or (abort(404) if reports else None)


def _question(report: RingReport) -> tuple[str, str]:
    kind, __, name = request.args.get("of", "").partition(":")
    if kind in ("player", "colour") and report.asked((kind, name)) is not None:
        return kind, name
    if report.own.draws or not report.by_colour:
        return OWN
    # If there are no own cubes, choose the colour that stands out most.
    return "colour", max(report.by_colour, key=lambda colour: report.by_colour[colour].e_value)


def _key(report: RingReport) -> str:
    return f"{report.source}:{report.ring}"


def _address(report: RingReport, question: tuple[str, str] = OWN) -> str:
    of = {} if question == OWN else {"of": ":".join(question)}
    return f"/fairness?{urlencode({'ring': _key(report), **of})}"


def _rings(reports: Sequence[RingReport], chosen: RingReport) -> tuple[RingChoice, ...]:
    return tuple(RingChoice(_named(each), each.draws, _address(each), each is chosen) for each in reports)


def _named(report: RingReport) -> str:
    match report.source:
        case CubeSource.RING:
            return _("Ring %(name)s", name=report.ring) if report.ring else _("A ring")
        case CubeSource.SIMULATED:
            return _simulated(report.ring)
        case CubeSource.HAND:
            return _("Typed in")
        case CubeSource.BAG:
            return _("From a bag")
        case CubeSource.TOWER:
            return _("Through a tower")


def _simulated(ring: str) -> str:
    if ring == VIRTUAL:
        return _("Simulated ring")
    return _("Simulated ring %(name)s", name=ring) if ring else _("Simulated draws")


def _asked(question: tuple[str, str]) -> str:
    kind, name = question
    if kind == "player":
        return _("Cubes that %(name)s owns", name=name)
    return _("Own cubes") if kind == "own" else _("Cubes in %(colour)s", colour=named(name))


def _verdict(found: FairnessFinding, asked: str) -> FairnessVerdict:
    if found.odds is None:
        waiting = _("No draw yet that could have gone either way.")
        return FairnessVerdict(asked, _("unknown"), "", waiting, _onward(found), open=True)
    between = _("between %(least)s and %(most)s", least=_limit(found.within.least), most=_limit(found.within.most))
    return FairnessVerdict(
        asked, _limit(found.odds), between, _follows(found.within), _onward(found), 1.0 in found.within
    )


def _plain(report: RingReport, found: FairnessFinding) -> Plain:
    """Return the answer in words. A result counts as wrong only if it is significant after correction for all tests."""
    out = [named(name).capitalize() for name, each in report.by_colour.items() if each.believed]
    out += [name for name, each in report.by_player.items() if each.believed]
    even = 1.0 in report.own.within
    low, high = _on_plain_scale(found.within.least), _on_plain_scale(found.within.most)
    at = None if found.odds is None else _on_plain_scale(found.odds)
    if even and not out and report.counted < EARLY:
        return Plain(False, True, _("Too early to say"), low, high, None, found.needed)
    if even and not out:
        return Plain(False, False, _("Nothing wrong so far"), low, high, at, found.needed)
    words = _("%(what)s stands out", what=", ".join(out)) if out else _("Something is uneven")
    return Plain(True, False, words, low, high, at, found.needed)


def _on_plain_scale(odds: float) -> float:
    """Return the position of *odds* in percent of a logarithmic scale from a half to two."""
    return round(100 * (log2(min(max(odds, 0.5), 2.0)) + 1) / 2, 1)


def _colour_counts(report: RingReport) -> tuple[Count, ...]:
    telling = {name: each for name, each in report.by_colour.items() if each.draws}
    most = max((max(each.hits, each.expected) for each in telling.values()), default=0) or 1
    shown = sorted(telling, key=lambda name: -telling[name].draws)[:ROWS]
    return tuple(
        Count(
            name,
            telling[name].hits,
            grouped(round(telling[name].expected)),
            (round(100 * telling[name].hits / most, 1), round(100 * telling[name].expected / most, 1)),
        )
        for name in shown
    )


def _follows(within: Bounds) -> str:
    if within.least > 1:
        return _("They come out too often for even odds.")
    if within.most < 1:
        return _("They come out too seldom for even odds.")
    return _("Even odds are still possible. So is all else in these bounds.")


def _onward(found: FairnessFinding) -> str:
    if not found.needed:
        return _("Odds of %(odds)s would most likely have shown by now.", odds=decimals(NOTICEABLE, 2))
    return ngettext(
        "About %(more)s more draw would show odds of %(odds)s.",
        "About %(more)s more draws would show odds of %(odds)s.",
        found.needed,
        more=grouped(found.needed),
        odds=decimals(NOTICEABLE, 2),
    )


def _limit(odds: float) -> str:
    """Return *odds* as text. Very high odds are given without a number."""
    if odds == inf or odds > 100:
        return _("any height") if odds == inf else ">\N{NO-BREAK SPACE}100"
    return decimals(odds, 2)


def _charts(moments: Sequence[SequenceMoment]) -> tuple[LineChart, LineChart] | None:
    """Return two charts over the number of draws: the odds with their bounds, and the e-value.

    Return None if there are fewer than two draws.
    """
    if len(moments) < 2:
        return None
    draws = whole_axis(_("draws"), [1, moments[-1].draws])
    lows = [(each.draws, _within(each.within.least)) for each in moments]
    highs = [(each.draws, _within(each.within.most)) for each in moments]
    odds = LineChart(
        _("How the odds went, draw by draw, with the bounds that hold at every draw"),
        draws,
        log_axis(_("odds"), [0.5, 2, *(value for _at, value in (*lows, *highs)[len(lows) // 3 :])]),
        (
            Series(_("Odds"), [(each.draws, _within(each.odds)) for each in moments], low=lows, high=highs),
            Series(_("at most"), highs, quiet=True),
            Series(_("at least"), lows, quiet=True),
        ),
        level=1.0,
        wording=_drawn,
    )
    heights = [(each.draws, min(max(exp(min(each.log_e, 20.0)), 0.05), HIGHEST)) for each in moments]
    evidence = LineChart(
        _("How much the draws spoke against even odds, draw by draw"),
        draws,
        log_axis(_("e-value"), [0.5, ENOUGH * 2, *(value for _at, value in heights)]),
        (Series(_("Evidence"), heights),),
        level=ENOUGH,
        wording=_height,
    )
    return odds, evidence


def _within(odds: float) -> float:
    return min(max(odds, WIDEST[0]), WIDEST[1])


def _drawn(odds: float) -> str:
    """Return *odds* as text for a chart, limited to `WIDEST`."""
    if odds <= WIDEST[0]:
        return f"≤\N{NO-BREAK SPACE}{number(WIDEST[0])}"
    return f"≥\N{NO-BREAK SPACE}{number(WIDEST[1])}" if odds >= WIDEST[1] else number(odds)


def _height(value: float) -> str:
    return decimals(value, 1) if value < 10 and value != round(value) else grouped(round(value))


def _intervals(report: RingReport, question: tuple[str, str], kind: str) -> IntervalChart | None:
    """Return a chart of the odds for the colours or players with the most draws."""
    found: Mapping[str, FairnessFinding] = {"colour": report.by_colour, "player": report.by_player}[kind]
    telling = sorted((name for name in found if found[name].draws), key=lambda name: -found[name].draws)[:ROWS]
    if not telling:
        return None
    letters = dict(zip(telling, initials(telling), strict=True)) if kind == "player" else {}
    rows = (_interval(report, (kind, name), found[name], letters.get(name, ""), question) for name in telling)
    words = _("Odds by colour") if kind == "colour" else _("Odds by player")
    return interval_chart(words, _("odds"), rows, 1.0, WIDEST)


def _interval(
    report: RingReport, asked: tuple[str, str], found: FairnessFinding, letter: str, chosen: tuple[str, str]
) -> Interval:
    kind, name = asked
    colour = name if kind == "colour" else ""
    odds = found.odds if found.odds is not None else 1.0
    words = decimals(_within(odds), 2)
    at = _address(report, asked)
    shown = named(name).capitalize() if kind == "colour" else name
    bounds = (found.within.least, found.within.most)
    return Interval(shown, odds, *bounds, words, colour, letter, found.believed, at, asked == chosen)


def _counts(report: RingReport) -> tuple[tuple[str, str, str], ...]:
    """Return rows of (name, number, remark) that say which draws were counted and which weren't.

    Rows with 0 are left out.
    """
    skipped, passed = report.skipped, report.passed
    rows: Iterable[tuple[str, int, str]] = (
        (_("Draws that count"), report.counted, ""),
        (_("Answered by hand"), report.by_hand, _("The ring wasn't sure. They count.")),
        (_("Only one way"), skipped.get("one way only", 0), _("All cubes were alike.")),
        (_("Undone"), skipped.get("taken back", 0), ""),
        (_("Two at once"), skipped.get("several at once", 0), ""),
        (_("Unknown contents"), skipped.get("unknown contents", 0), ""),
        (_("After the last draw"), passed.get("surplus", 0), ""),
        (_("Not a draw"), passed.get("not a draw", 0), ""),
        (_("Already typed in"), passed.get("same", 0), ""),
        (_("Never answered"), passed.get("open", 0), ""),
        (_("Practice"), passed.get("practice", 0), ""),
    )
    return tuple((name, grouped(count), note) for at, (name, count, note) in enumerate(rows) if count or not at)
