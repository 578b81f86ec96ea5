"""Statistics over all finished games: players, colours, durations, records."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template, request

from companion.kernel.i18n import said
from companion.kernel.names import same_person
from companion.kernel.values import dataclass
from companion.statistics import Filter, Person, Questions
from web.http.formatting import initials, percent
from web.http.i18n import _, decimals, translated
from web.request.context import services
from web.request.game_pages import GameWords

statistics = Blueprint("statistics", __name__)
DAY_MS = 86_400_000
SINCE = {0: said("All times"), 365: said("12 months"), 90: said("90 days"), 30: said("30 days")}
"""Choices for the period: days (0 is no limit) and the text of the choice."""
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
    from web.pages import statistics_charts as charts  # imported late: rarely needed

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
            "wins": charts.wins(ranked),
            "colours": charts.colours(questions.colours(chosen)),
            "turns": charts.turns(questions.turns(chosen)),
            "histogram": charts.durations(questions.durations(chosen)),
            "lengths": questions.lengths(chosen),
            "stages": charts.stages(questions.stages(chosen), titles(), words_of),
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
    from web.pages import statistics_charts as charts

    questions, choice = asked()
    chosen = choice.chosen
    who = next((each for each in questions.people(chosen) if each.person == chosen.person), None)
    if who is None:
        abort(404)
    met = questions.meetings(who.person, chosen)
    shown = {
        "who": who,
        "whole": charts.WHOLE,
        "phone": charts.PHONE,
        "curve": charts.curve(questions.curve(who.person, chosen.kind), who.name),
        "meetings": charts.meetings(met),
        "colours": charts.colours(questions.own_colours(who.person, chosen)),
        "kinds": questions.own_kinds(who.person, chosen),
    }
    return render_template("statistics_player.html", choice=choice, **_context(), **shown)


def titles() -> Mapping[str, str]:
    """Return the title of each kind of game."""
    return {name: cover.title for name, cover in services().covers.items()}


def words_of(kind: str) -> GameWords:
    """Return the texts of a kind of game."""
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
