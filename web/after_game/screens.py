"""The two screens after a game: the result, and how it went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.luck import LuckReport, Reckoned
from companion.model.snapshot import Status
from web.after_game.course import chart_of
from web.after_game.luck_and_skill import luck_panel, verdict
from web.after_game.over import Over
from web.after_game.standings import headline, standings, tallied
from web.after_game.time_taken import waited_for
from web.after_game.turning_points import turning_points
from web.charts.lines import Size
from web.http.i18n import ngettext, translated
from web.request.context import services

SIZES = (("phone", Size(342, 190)), ("wide", Size(832, 520)))


def luck_of(over: Over) -> Reckoned:
    """Return the luck of a finished game, and start to compute what is missing.

    It is empty for an abandoned game, and for a game without a luck model.
    """
    if over.game.luck is None or over.result is None:
        return Reckoned(True)  # the game may be resumed, and its luck may reveal hidden draws
    return services().luck.of(over.number, over.seen.version)


def both(over: Over) -> dict[str, Any]:
    """Return the template values of both screens: who won, with how much, how long it took."""
    won = () if over.result is None else over.result.winners
    lasted = over.after.lasted(over.seen.state) if over.result else ""
    return {
        "over": over,
        "headline": headline(over),
        "winner": over.faces[won[0]] if len(won) == 1 else None,
        "in_short": _in_short(over, won) or lasted,
        "title": over.cover.title if over.cover else over.game.name,
        "again": _again(over),
        "lasted": lasted,
        "played_ms": over.seen.game_ms,
    }


def result(over: Over, report: LuckReport | None) -> dict[str, Any]:
    """Return the template values of the first screen: the points by source, why, and the moments."""
    won = over.result if over.result is not None and over.result.winners else None
    decision = None if won is None else over.after.decided(over.seen.state, won)
    slot = over.after.slot(over.seen.state)
    return {
        **both(over),
        "standings": standings(over),
        "tally": tallied(over),
        "sources": over.after.sources,
        "decision": decision,
        "compared": tuple(over.faces[colour] for colour in decision.colours) if decision else (),
        "turns": turning_points(over, report),
        "slot": slot,
    }


def course(over: Over, luck: Reckoned) -> dict[str, Any]:
    """Return the template values of the second screen: the points over time, luck, waiting."""
    return {
        **both(over),
        "chart": chart_of(over),
        "luck": luck_panel(over, luck.report),
        "verdict": "" if luck.report is None else verdict(over, luck.report),
        "reckoning": not luck.done,
        "untold": over.game.luck is not None and over.seen.status is Status.ABANDONED,
        "waits": waited_for(over),
        "sizes": SIZES,
    }


def _again(over: Over) -> Mapping[str, str]:
    """Return the form fields of a new game with the same players, rules and copy."""
    assert over.seen.header is not None, "a game that is over has a header"
    again = over.after.again(over.seen.header)
    return {**again, "copy": over.seen.copy} if again and over.seen.copy else again


def _in_short(over: Over, won: tuple[str, ...]) -> str:
    if not won or won[0] not in over.totals:
        return ""
    total, unit = over.totals[won[0]], str(translated(over.after.points))
    return f"{total} {unit}" if unit else ngettext("%(num)s point", "%(num)s points", total)
