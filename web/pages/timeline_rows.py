"""Rows of a timeline.

Some moves share a row: a player's cards, the same move of several players, a move and its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from companion.session.moves import RecordedMove
from web.components.players import Face
from web.request.game_pages import TimelineMoment


@dataclass(frozen=True)
class TimelineRow:
    """One move as the timeline shows it.

    *gains* are the points that the move brought, with their sign. *minute* is the minute of the game in which its
    section began. *within* lists the rows that were merged into this row, including itself, oldest first. *answer* is
    the reply to this move.
    """

    move: RecordedMove
    moment: TimelineMoment
    face: Face | None
    tokens: tuple[Face, ...]
    gains: tuple[tuple[Face, str], ...]
    minute: int = 0
    within: tuple[TimelineRow, ...] = ()
    answer: TimelineRow | None = None


def gathered(rows: Sequence[TimelineRow]) -> tuple[TimelineRow, ...]:
    """Return *rows*, newest first, and merge rows that belong together."""
    found: list[TimelineRow] = []
    for kind, run in groupby(_answered(rows), _kind):
        match kind[0]:
            case "card":
                found += _together(tuple(run), lambda row: row.moment.seat)
            case "alike":
                found += _together(tuple(run), _kind)
            case "":
                found += run
            case _:
                raise AssertionError(f"no rows are of the kind {kind[0]}")
    return tuple(found)


def _answered(rows: Sequence[TimelineRow]) -> Iterable[TimelineRow]:
    """Yield *rows* with each answer inside the row of the move before it."""
    answer: TimelineRow | None = None
    for row in rows:
        if answer is not None and _plain(row) and row.moment.section and not (row.moment.card or row.moment.answers):
            yield replace(row, answer=answer)
            answer = None
            continue
        if answer is not None:
            yield answer
        answer = row if row.moment.answers and _plain(row) else None
        if answer is None:
            yield row
    if answer is not None:
        yield answer


def _together(run: Sequence[TimelineRow], key: Callable[[TimelineRow], object]) -> Iterable[TimelineRow]:
    """Yield one row for each *key* in *run*, at the position of its newest row."""
    found: dict[object, list[TimelineRow]] = {}
    for row in run:
        found.setdefault(key(row), []).insert(0, row)
    return (replace(each[-1], within=tuple(each)) if _shared(each) else each[0] for each in found.values())


def _shared(rows: Sequence[TimelineRow]) -> bool:
    """Tell whether *rows* are merged: several of one kind, or a card."""
    return len(rows) > 1 or bool(rows[0].moment.card)


def _kind(row: TimelineRow) -> tuple[str, str, str]:
    """Return the key of a row; adjacent rows with the same key are merged.

    ("", "", "") means that a row is never merged.
    """
    moment = row.moment
    if not _plain(row) or row.answer is not None:
        return "", "", ""
    if moment.card:
        return "card", "", moment.section
    return ("alike", moment.alike, moment.section) if moment.alike else ("", "", "")


def _plain(row: TimelineRow) -> bool:
    line = row.move.line
    return not (line.undone or line.note or row.gains or row.moment.aside or row.moment.correction)
