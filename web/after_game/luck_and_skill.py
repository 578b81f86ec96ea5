"""Luck and skill: each player's result, the part of it that is due to luck, and the result without that part."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.luck import Fortune, LuckReport
from web.after_game.over import Over
from web.components.players import Face, listed
from web.http.i18n import _, decimals

HALF = 50.0


@dataclass(frozen=True)
class LuckRow:
    """A player's result, in points relative to the mean of the other players.

    The positions are in percent of an axis: *at* is the result, *without* is the result without luck, *left* and
    *width* describe the bar between these two.
    """

    face: Face
    result: str
    luck: str
    rest: str
    adjusted: str
    at: float
    without: float
    left: float
    width: float


@dataclass(frozen=True)
class LuckTable:
    """The luck of all players, best result first.

    *verdict* says whether the winner would also have won without luck.
    """

    rows: tuple[LuckRow, ...]
    verdict: str


def luck_table(over: Over, report: LuckReport) -> LuckTable:
    """Return the rows and the verdict that a page shows for *report*."""
    span = max((abs(value) for each in report.seats.values() for value in (each.final, each.adjusted)), default=1.0)
    order = sorted(report.seats, key=lambda seat: -report.seats[seat].final)
    rows = tuple(_luck_row(over.faces[seat], report.seats[seat], span or 1.0) for seat in order)
    return LuckTable(rows, _verdict(over, report))


def in_signs(points: float) -> str:
    """Return *points* as text with a sign and one decimal."""
    words = decimals(abs(points))
    if words in ("0.0", "0,0"):
        return words
    return f"+{words}" if points > 0 else f"\N{MINUS SIGN}{words}"


def _luck_row(face: Face, fortune: Fortune, span: float) -> LuckRow:
    at, without = (_place(value, span) for value in (fortune.final, fortune.adjusted))
    return LuckRow(
        face,
        in_signs(fortune.final),
        in_signs(fortune.luck),
        in_signs(fortune.skill),
        in_signs(fortune.adjusted),
        at,
        without,
        min(at, without),
        round(abs(at - without), 1),
    )


def _place(value: float, span: float) -> float:
    return round(HALF + value / span * (HALF - 4), 1)


def _verdict(over: Over, report: LuckReport) -> str:
    won = () if over.result is None else over.result.winners
    ahead = max(report.seats, key=lambda seat: report.seats[seat].adjusted)
    name = over.faces[ahead].name
    if ahead in won:
        return _("Without luck, %(name)s is still ahead.", name=name)
    if won:
        winner = listed(over.faces[seat].name for seat in won)
        return _("Without luck, %(name)s would be ahead of %(winner)s.", name=name, winner=winner)
    return _("Without luck, %(name)s is ahead.", name=name)
