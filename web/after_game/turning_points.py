"""The turning points of a game: moves after which somebody else led, and moves with the most luck."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.values import dataclass
from companion.luck import LuckReport
from companion.session.moves import RecordedMove
from web.after_game.luck_and_skill import in_signs
from web.after_game.over import Over
from web.components.players import Face
from web.http.i18n import _, translated

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
