"""The story of a game: a line for each step, oldest first, which opens the board at that step."""

from __future__ import annotations

from dataclasses import dataclass

from companion.session.hidden import SeenTimeline
from companion.session.timeline import Route
from web.components.players import Face, listed
from web.components.replay_steps import part_of, seen_last
from web.http.i18n import _
from web.pages.history import rows
from web.pages.replay_stage import move_at
from web.pages.timeline_rows import TimelineRow, gathered


@dataclass(frozen=True)
class StoryLine:
    """One line: the step that it opens, whose move it was, and what happened.

    *head* is the heading above it, if a new part of the game begins; *gains* are the points that it brought.
    """

    step: int
    row: TimelineRow
    sentence: str
    small: str
    gains: tuple[tuple[Face, str], ...]
    head: str = ""


def story(timeline: SeenTimeline, route: Route) -> tuple[StoryLine, ...]:
    """Return the lines of *route*. Moves that belong together share one line, which opens the last of them."""
    moves = {step: move for step in route.steps if (move := move_at(timeline.at(step))) is not None}
    steps = {id(move): step for step, move in moves.items()}
    found, head = [], ""
    for row in reversed(gathered(_without_openings(rows(tuple(moves.values())[::-1], seen_last(timeline))))):
        above = _head(timeline, row)
        found.append(_line(steps[id(_last(row).move)], row, above if above != head else ""))
        head = above
    return tuple(found)


def _without_openings(found: tuple[TimelineRow, ...]) -> tuple[TimelineRow, ...]:
    """Return the rows, newest first, without the openings that are followed by a move of the same seat."""
    later = (None, *found)
    return tuple(row for row, after in zip(found, later, strict=False) if not (after and _opens(row, after)))


def _opens(row: TimelineRow, after: TimelineRow) -> bool:
    undone = row.move.line.undone or after.move.line.undone
    return row.moment.opening and row.moment.seat == after.moment.seat and not undone


def _last(row: TimelineRow) -> TimelineRow:
    return row.within[-1] if row.within else row.answer or row


def _head(timeline: SeenTimeline, row: TimelineRow) -> str:
    """Return the part of the game and the section that *row* belongs to, in words. A numbered section needs no part."""
    if any(map(str.isdigit, row.moment.section)):
        return row.moment.section
    part = part_of(timeline, (row.within[0] if row.within else row).move.before)
    return ", ".join(filter(None, (part, row.moment.section)))


def _line(step: int, row: TimelineRow, head: str) -> StoryLine:
    if not row.within:
        small = row.answer.moment.sentence if row.answer else row.moment.aside
        return StoryLine(step, row, row.moment.sentence, small, row.gains, head)
    if row.moment.card:
        assert row.face is not None, "cards are played by somebody"
        who = _("%(name)s plays", name=row.face.name)
        return StoryLine(step, row, f"{who} {', '.join(each.moment.card for each in row.within)}", "", (), head)
    names = listed(each.face.name for each in row.within if each.face)
    return StoryLine(step, row, f"{names} {row.moment.alike}", "", (), head)
