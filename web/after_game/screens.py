"""The two screens after a game: the result, and how it went, with luck, waiting times and turning points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.kernel.values import dataclass
from companion.luck import LuckReport, Reckoned
from companion.model.snapshot import Snapshot, Status
from companion.session.moves import RecordedMove
from companion.session.time_report import waits
from web.after_game.course import chart_of
from web.after_game.over import Over
from web.after_game.standings import headline, leaders, standings, tallied
from web.charts.lines import Size
from web.components.bar import Band
from web.components.players import Face, listed
from web.http.formatting import lasting
from web.http.i18n import _, decimals, ngettext, translated
from web.request.context import services
from web.request.game_pages import AfterGame, Decision, GameLuck, SeatLuck

PHONE, PHONE_WITHOUT_LUCK, WIDE, BELOW = Size(342, 190), Size(342, 380), Size(832, 520), Size(832, 256)
"""The sizes of the chart: without luck below it, it fills a phone; *BELOW* two single numbers, it is low."""


def luck_of(over: Over) -> Reckoned:
    """Return the luck of a finished game, and start to compute what is missing.

    It is empty for an abandoned game, and for a game without a luck model.
    """
    if over.game.luck is None or over.result is None:
        return Reckoned(True)  # the game may be resumed, and its luck may reveal hidden draws
    return services().luck.of(over.number, over.seen.version)


def both(over: Over) -> dict[str, Any]:
    """Return the template values of both screens: who won or was ahead, with how much, how long it took."""
    first = leaders(over)
    shared = over.result is not None and len(first) > 1
    lasted = over.after.lasted(over.seen.state) if over.result else ""
    return {
        "over": over,
        "headline": headline(over),
        "heading": _("Shared win") if shared else headline(over),
        "winners": tuple(over.faces[colour] for colour in first) if shared or len(first) == 1 else (),
        "in_short": (_in_short(over, first) or lasted) if over.result else _stopped(over, first),
        "title": _title(over),
        "again": rematch(over.seen, over.after),
        "lasted": lasted,
        "played_ms": over.seen.game_ms,
    }


def result(over: Over, report: LuckReport | None) -> dict[str, Any]:
    """Return the template values of the first screen: the points by source, why, and the moments."""
    decision = _no_winner() if over.result is None and over.totals else None
    if over.result is not None and over.result.winners:
        decision = over.after.decided(over.seen.state, over.result)
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
        "chart": chart_of(over) if len(over.faces) == 2 and not (slot or over.after.sources) else None,
        "sizes": (("wide", BELOW),),
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
        "sizes": (("phone", PHONE_WITHOUT_LUCK if over.game.luck is None else PHONE), ("wide", WIDE)),
    }


def rematch(seen: Snapshot, after: AfterGame) -> Mapping[str, str]:
    """Return the form fields of a new game with the same players, rules and copy."""
    assert seen.header is not None, "a game that is over has a header"
    again = after.again(seen.header)
    return {**again, "copy": seen.copy} if again and seen.copy else again


def _no_winner() -> Decision:
    return Decision(
        _("How it stood, without what counts only at the end. It isn't in the statistics. You can play on later."),
        _("No winner"),
    )


def _stopped(over: Over, first: tuple[str, ...]) -> str:
    """Return in which part of the game it was stopped."""
    pages = over.pages
    where = "" if pages is None or pages.timeline is None else pages.timeline.chapter(over.seen.state)
    return _("Stopped: %(where)s", where=where.replace(" ", "\N{NO-BREAK SPACE}")) if first and where else where


def _title(over: Over) -> str:
    return over.cover.title if over.cover else over.game.name


def final_band(over: Over, own: str) -> Band:
    """Return the band of the phone of *own* after the game: who won, and the player's own points and place."""
    first, title = leaders(over), headline(over)
    if over.result is not None and own in first:
        title = _("You share the win") if len(first) > 1 else _("You win")
    places = {one.face.colour: one.place for one in standings(over)}
    words = _("Place %(place)s of %(players)s", place=places[own], players=len(places)) if own in places else ""
    return Band(over.faces[own], title, _title(over), _in_short(over, (own,)), words)


def _in_short(over: Over, won: tuple[str, ...]) -> str:
    if not won or won[0] not in over.totals:
        return ""
    total, unit = over.totals[won[0]], str(translated(over.after.points))
    return f"{total} {unit}" if unit else ngettext("%(num)s point", "%(num)s points", total)


LEAST_MS = 1_000


@dataclass(frozen=True)
class WaitedFor:
    """How long the others waited for one player on average, in words and as a percentage of the longest such time."""

    face: Face
    words: str
    share: float


def waited_for(over: Over) -> tuple[WaitedFor, ...]:
    """Return all players in seat order. The result is empty if nobody waited."""
    found = waits(over.spells, over.colours)
    mean = {
        colour: sum(row.get(colour, 0.0) for row in found.values()) / max(len(found) - 1, 1) for colour in over.colours
    }
    most = max(mean.values(), default=0.0)
    if most < LEAST_MS:
        return ()
    return tuple(
        WaitedFor(over.faces[colour], lasting(round(ms)), round(100 * ms / most, 1)) for colour, ms in mean.items()
    )


MOST = 4
LEADS = 2
"""Number of changes of lead to show. The last ones are shown, since they decided the game."""


@dataclass(frozen=True)
class TurningPoint:
    """One move as a sentence. *why* says that somebody took the lead; *moved* is its luck in points."""

    sentence: str
    face: Face | None
    why: str
    moved: tuple[tuple[Face, str], ...] = ()


def turning_points(over: Over, report: LuckReport | None) -> tuple[TurningPoint, ...]:
    """Return the turning points of a game in order. Without *report*, they are only the changes of lead."""
    leads = _leads(over)
    strokes = {} if report is None else {stroke.row: stroke.luck for stroke in report.turning_points(MOST - LEADS)}
    rows = sorted({*leads, *strokes})
    by_row = {move.line.id: move for move in over.moves}
    found = []
    for row in (row for row in rows if row in by_row):
        move = by_row[row]
        leader = leads.get(row)
        moved = _moved(over, strokes.get(row, {}))
        face = _whose(over, move) or (over.faces[leader] if leader else moved[0][0] if moved else None)
        why = _("%(name)s takes the lead", name=over.faces[leader].name) if leader else ""
        found.append(TurningPoint(_sentence(over, move), face, why, moved))
    return tuple(found)


def _leads(over: Over) -> dict[int, str]:
    """Return the last rows after which a different seat led alone, each with that seat."""
    changes: list[tuple[int, str]] = []
    leader = ""
    for move in over.moves:
        points = over.points(move.after)
        first = [colour for colour, value in points.items() if value == max(points.values())]
        if len(first) == 1 and first[0] != leader:
            if leader:
                changes.append((move.line.id, first[0]))
            leader = first[0]
    return dict(changes[-LEADS:])


def _moved(over: Over, luck: Mapping[str, float]) -> tuple[tuple[Face, str], ...]:
    order = sorted(luck, key=lambda seat: -abs(luck[seat]))
    return tuple((over.faces[seat], in_signs(luck[seat])) for seat in order[:2])


def _whose(over: Over, move: RecordedMove) -> Face | None:
    """Return the player of a move, or None if the move has no player."""
    if over.pages is None or over.pages.timeline is None:
        return None
    return over.faces.get(over.pages.timeline.moment(move, over.seen.header or {}).seat)


def _sentence(over: Over, move: RecordedMove) -> str:
    pages, header = over.pages, over.seen.header or {}
    if pages is None:
        return str(move.line.line.get("do"))
    if pages.timeline is None:
        return str(translated(pages.tell(move.line.line, header)))
    return pages.timeline.moment(move, header).sentence


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
    """Return the luck in the game's own unit, otherwise in points from *report*; None if both are unknown."""
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
