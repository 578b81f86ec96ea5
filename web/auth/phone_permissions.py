"""What a phone with a seat may do.

Each command names one of these permissions, which is checked before the command runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.values import dataclass
from companion.model.game import draw_wanted
from companion.model.snapshot import Snapshot, Status, TranscriptLine
from web.http.i18n import _
from web.http.request_parsing import lines_of

Fields = Mapping[str, Any]
Condition = Callable[[Snapshot, str, Fields], str]
"""Returns why a seat may not act now, in one sentence; it is empty if it may."""


@dataclass(frozen=True)
class PhonePermission:
    """A permission. *whom* says in words who has it; *why_not* returns why a seat may not use the permission now."""

    whom: str
    why_not: Condition


def why_not_by(snapshot: Snapshot, seat: str, permission: PhonePermission, fields: Fields) -> str:
    """Return why *seat* may not use *permission* with *fields*, or "" if it may.

    Raises `Malformed` for invalid fields.
    """
    if snapshot.game is None:
        return _("There's no game on the table.")
    return permission.why_not(snapshot, seat, fields)


def _anybodys(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    return ""


def _hosts_only(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    return _("Only the host can do that. Ask at the tablet.")


def _after_a_pause(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    """Any player may resume a paused game; only the host may resume an abandoned one."""
    return _hosts_only(snapshot, seat, fields) if snapshot.status is Status.ABANDONED else ""


def _own_seat(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    named = fields.get("seat")
    return "" if named == seat else _others(snapshot, named)


def _own_lines(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    first, *more = lines_of(fields)
    if any(line.get("player") != seat for line in more):
        # A line without a player belongs to the seat on the move. After the first line, another seat may be on the
        # move.
        return _hosts_only(snapshot, seat, fields)
    return next(filter(None, (_own_line(snapshot, seat, line) for line in (first, *more))), "")


def _own_line(snapshot: Snapshot, seat: str, line: Line) -> str:
    assert snapshot.game is not None, "asked after"
    if line.get("do") == "undo":
        return _own_undo(snapshot, seat, {})
    actor = snapshot.game.actor(snapshot.state, line)
    if actor == seat:
        return ""
    return _hosts_only(snapshot, seat, {}) if actor is None else _others(snapshot, actor)


def _own_undo(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    """A seat may undo its own line, unless another seat entered it. It may never undo a draw that the ring counted."""
    undoable = snapshot.undoable
    if undoable is None:
        return ""  # the table refuses the undo: there is nothing to undo
    line = next((one for one in snapshot.recent if one.id == undoable.id), None)
    if undoable.by_ring or line is None or not _own_act(snapshot, seat, line):
        return _("Only the host can undo that.")
    return ""


def _own_act(snapshot: Snapshot, seat: str, line: TranscriptLine) -> bool:
    assert snapshot.game is not None, "asked after"
    actor = snapshot.game.actor(snapshot.state, line.line)
    others = {each.colour for each in snapshot.game.seats(snapshot.state)} - {seat}
    # After the last draw of an attempt there is no actor any more; the draw belongs to the seat that typed it in.
    return line.who == seat if actor is None else actor == seat and line.who not in others


def _holds_the_ring(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    assert snapshot.game is not None, "asked after"
    wanted = draw_wanted(snapshot.game, snapshot.state)
    if wanted is None:
        return _hosts_only(snapshot, seat, fields)
    return "" if wanted.seat in (seat, "") else _others(snapshot, wanted.seat)


def _others(snapshot: Snapshot, other: object) -> str:
    assert snapshot.game is not None, "asked after"
    names = {each.colour: each.name for each in snapshot.game.seats(snapshot.state)}
    if not isinstance(other, str) or other not in names:
        return _("That's not yours to do.")
    return _("Only %(name)s can do that.", name=names[other])


HOSTS = PhonePermission("the host", _hosts_only)
ANYBODYS = PhonePermission("anybody who plays", _anybodys)
AFTER_A_PAUSE = PhonePermission("anybody who plays; only the host resumes an abandoned game", _after_a_pause)
OWN_SEAT = PhonePermission("the seat itself", _own_seat)
OWN_LINES = PhonePermission("whose act it is", _own_lines)
OWN_UNDO = PhonePermission("whose act it was", _own_undo)
RING_HOLDERS = PhonePermission("whoever holds the ring", _holds_the_ring)
