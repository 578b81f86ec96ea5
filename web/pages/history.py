"""Moves of a game as rows of a timeline, and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.model.game import AnyGame
from companion.model.snapshot import Snapshot, TranscriptLine
from companion.session.moves import RecordedMove
from web.components.players import Face, faces, piece
from web.http.i18n import translated
from web.pages.timeline_rows import TimelineRow
from web.request.context import pages_of
from web.request.game_pages import Pages, TimelineMoment

MINUTE_MS = 60_000


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
    """Return *change* with its sign, or an empty string for 0."""
    return f"+{change}" if change > 0 else f"\N{MINUS SIGN}{-change}" if change else ""


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
