"""Luck: what each player got against what they could expect, and whether the winner would have won without it."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.luck import LuckReport
from web.after_game.over import Over
from web.components.players import Face, listed
from web.http.i18n import _, decimals
from web.request.game_pages import GameLuck, SeatLuck

HALF, WIDEST = 50.0, 46.0


@dataclass(frozen=True)
class LuckRow:
    """A player's luck in words, and its bar on an axis: left end and width in percent. No luck is in the middle."""

    face: Face
    got: str
    expected: str
    left: float
    width: float


@dataclass(frozen=True)
class LuckPanel:
    """The luck of all players in seat order, in the unit that the *heading* names."""

    heading: str
    rows: tuple[LuckRow, ...]
    note: str


def luck_panel(over: Over, report: LuckReport | None) -> LuckPanel | None:
    """Return the luck in the game's own unit, or in points from *report*, or None if both are unknown."""
    own = None if over.result is None else over.after.luck(over.seen.state, over.left)
    found = own or (None if report is None else _in_points(report))
    if found is None:
        return None
    span = max(found.span, *(abs(seat.ahead) for seat in found.seats)) or 1.0
    rows = tuple(_row(over.faces[seat.colour], seat, span) for seat in found.seats)
    return LuckPanel(found.heading, rows, found.note)


def in_signs(points: float) -> str:
    """Return *points* as text with a sign and one decimal."""
    words = decimals(abs(points))
    if words in ("0.0", "0,0"):
        return words
    return f"+{words}" if points > 0 else f"\N{MINUS SIGN}{words}"


def verdict(over: Over, report: LuckReport) -> str:
    """Return a sentence that says whether the winner would also have won without luck."""
    won = () if over.result is None else over.result.winners
    ahead = max(report.seats, key=lambda seat: report.seats[seat].adjusted)
    name = over.faces[ahead].name
    if ahead in won:
        return _("Without luck, %(name)s is still ahead.", name=name)
    if won:
        winner = listed(over.faces[seat].name for seat in won)
        return _("Without luck, %(name)s would be ahead of %(winner)s.", name=name, winner=winner)
    return _("Without luck, %(name)s is ahead.", name=name)


def _in_points(report: LuckReport) -> GameLuck:
    seats = tuple(SeatLuck(seat, in_signs(each.luck), "", each.luck) for seat, each in report.seats.items())
    return GameLuck(_("Luck in points"), seats)


def _row(face: Face, seat: SeatLuck, span: float) -> LuckRow:
    reach = seat.ahead / span * WIDEST
    return LuckRow(face, seat.got, seat.expected, round(min(HALF, HALF + reach), 1), round(abs(reach), 1))
