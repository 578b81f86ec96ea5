"""The history of a game as a timeline: its chapters, and the moves of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, render_template, request

from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, TranscriptLine
from companion.session.moves import RecordedMove
from web.components.players import Face, faces, piece
from web.http.i18n import _, translated
from web.pages.timeline_rows import TimelineRow, gathered
from web.request.context import moves_here, pages_of, snapshot
from web.request.game_pages import Pages, TimelineMoment

history = Blueprint("history", __name__)
PAGE = 50
"""Number of moves in a chapter if the game doesn't define chapters."""
MINUTE_MS = 60_000


@dataclass(frozen=True)
class Chapter:
    """Moves that belong together, oldest first."""

    title: str
    moves: tuple[RecordedMove, ...]


@dataclass(frozen=True)
class ChapterStanding:
    """A player's points at the end of a chapter, and their change during it."""

    face: Face
    points: int
    gained: str


@history.get("/history")
def page() -> str:
    """Show a chapter, by default the newest, with its newest move at the top."""
    seen = snapshot()
    found = chapters(moves_here(), _pages(seen))
    number = request.args.get("part", len(found) - 1, type=int)
    if found and not 0 <= number < len(found):
        abort(404)
    shown = chapter_context(found[number], seen) if found else {}
    return render_template("history.html", chapters=found, number=number, **shown)


def chapter_context(chapter: Chapter, seen: Snapshot) -> dict[str, Any]:
    """Return the template values for *chapter* of the game in *seen*."""
    found = _without_openings(rows(chapter.moves[::-1], seen))
    return {"chapter": chapter, "rows": gathered(found), "standings": standings(chapter, seen)}


def _without_openings(found: tuple[TimelineRow, ...]) -> tuple[TimelineRow, ...]:
    """Return the rows, newest first, without the openings that are followed by a move of the same seat."""
    later = (None, *found)
    return tuple(row for row, after in zip(found, later, strict=False) if not (after and _opens(row, after)))


def _opens(row: TimelineRow, after: TimelineRow) -> bool:
    undone = row.move.line.undone or after.move.line.undone
    return row.moment.opening and row.moment.seat == after.moment.seat and not undone


def chapters(moves: Sequence[RecordedMove], pages: Pages | None) -> tuple[Chapter, ...]:
    """Return *moves* in chapters. If the game doesn't define chapters, each has `PAGE` moves."""
    if pages is None or pages.timeline is None:
        return tuple(_counted(moves, first) for first in range(0, len(moves), PAGE))
    found: dict[str, list[RecordedMove]] = {}
    for move in moves:
        found.setdefault(pages.timeline.chapter(move.before), []).append(move)
    return tuple(Chapter(title, tuple(within)) for title, within in found.items())


def rows(moves: Sequence[RecordedMove], seen: Snapshot) -> tuple[TimelineRow, ...]:
    """Return *moves*, newest first, as timeline rows of the game in *seen*."""
    game, pages = seen.game, _pages(seen)
    assert game is not None, "moves belong to a game"
    found: list[TimelineRow] = []
    for move in reversed(moves):
        row = _row(move, game, pages, seen)
        follows = found and found[-1].moment.section == row.moment.section
        found.append(replace(row, minute=found[-1].minute if follows else move.line.at_ms // MINUTE_MS))
    return tuple(reversed(found))


def standings(chapter: Chapter, seen: Snapshot) -> tuple[ChapterStanding, ...]:
    """Return everybody's points after *chapter*, in seat order; empty if the game shows no points."""
    pages = _pages(seen)
    moves = [move for move in chapter.moves if not move.line.undone]
    if pages is None or pages.timeline is None or not moves or seen.game is None:
        return ()
    before, after = pages.timeline.points(moves[0].before), pages.timeline.points(moves[-1].after)
    known = faces(seen.game.seats(seen.state))
    return tuple(
        ChapterStanding(known[seat], total, signed(total - before.get(seat, 0))) for seat, total in after.items()
    )


def changes(moves: Sequence[RecordedMove], seen: Snapshot) -> tuple[tuple[Face, int, int], ...]:
    """Return (player, points now, points then) for each player whose points change if *moves* are undone.

    *moves* are newest first.
    """
    pages = _pages(seen)
    if pages is None or pages.timeline is None or seen.game is None or not moves:
        return ()
    known = faces(seen.game.seats(seen.state))
    now, then = pages.timeline.points(moves[0].after), pages.timeline.points(moves[-1].before)
    return tuple((known[seat], now[seat], then[seat]) for seat in now if now[seat] != then[seat])


def sentence(line: TranscriptLine, seen: Snapshot) -> str:
    """Return *line* of the game in *seen* as a sentence. The line must not contain hidden information any more."""
    pages = _pages(seen)
    if pages is None or seen.header is None:
        return str(line.line.get("do"))
    return str(translated(pages.tell(line.line, seen.header)))


def signed(change: int) -> str:
    """Return *change* with its sign, empty for 0."""
    return f"+{change}" if change > 0 else f"\N{MINUS SIGN}{-change}" if change else ""


def _counted(moves: Sequence[RecordedMove], first: int) -> Chapter:
    some = tuple(moves[first : first + PAGE])
    return Chapter(_("Moves %(first)s to %(last)s", first=first + 1, last=first + len(some)), some)


def _pages(seen: Snapshot) -> Pages | None:
    return None if seen.game is None else pages_of(seen.game.name)


def _row(move: RecordedMove, game: AnyGame, pages: Pages | None, seen: Snapshot) -> TimelineRow:
    known = faces(game.seats(seen.state))
    moment = _moment(move, pages, seen)
    tokens = (*(known[colour] for colour in moment.tokens), *map(piece, moment.pieces))
    return TimelineRow(move, moment, known.get(moment.seat), tokens, _gains(move, pages, known))


def _moment(move: RecordedMove, pages: Pages | None, seen: Snapshot) -> TimelineMoment:
    line, header = move.line.line, seen.header or {}
    if pages is None:
        return TimelineMoment(str(line.get("do")))
    if pages.timeline is None:
        return TimelineMoment(translated(pages.tell(line, header)), str(line.get("player", "")))
    return pages.timeline.moment(move, header)


def _gains(move: RecordedMove, pages: Pages | None, known: Any) -> tuple[tuple[Face, str], ...]:
    if pages is None or pages.timeline is None or move.line.undone:
        return ()
    before, after = pages.timeline.points(move.before), pages.timeline.points(move.after)
    return tuple((known[seat], signed(after[seat] - before[seat])) for seat in after if after[seat] != before[seat])
