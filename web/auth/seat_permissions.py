"""What a phone that has joined a seat may do: the second table of rights, asked before every deed on every address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.kernel.validation import Line
from companion.model.game import draw_wanted
from companion.model.snapshot import Snapshot, Status, Told
from web.http.i18n import _
from web.http.request_parsing import lines_of

Fields = Mapping[str, Any]
Condition = Callable[[Snapshot, str, Fields], str]
"""Why a seat may not do that now, in one sentence; empty when it may."""


def why_not_by(snapshot: Snapshot, seat: str, deed: str, fields: Fields) -> str:
    """Return why *seat* may not do *deed* with *fields* at this table, empty when it may; `Malformed` for nonsense."""
    if snapshot.game is None:
        return _("There is no game on the table.")
    return SEAT_RIGHTS.get(deed, _hosts_only)(snapshot, seat, fields)


def _anybodys(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    return ""


def _hosts_only(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    return _("That is for the host. Please ask at the tablet.")


def _after_a_pause(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    """Whoever plays may go on after a pause; a game that was given up is taken up again by the host."""
    return _hosts_only(snapshot, seat, fields) if snapshot.status is Status.ABANDONED else ""


def _own_seat(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    named = fields.get("seat")
    return "" if named == seat else _others(snapshot, named)


def _own_lines(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    first, *more = lines_of(fields)
    if any(line.get("player") != seat for line in more):
        # Whose act it is without a name may be somebody else's by the time the first line is done.
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
    """A seat takes back its own act, unless another seat has entered it, and never what the ring has counted."""
    undoable = snapshot.undoable
    if undoable is None:
        return ""  # the table says itself that there is nothing
    told = next((one for one in snapshot.recent if one.id == undoable.id), None)
    if undoable.by_ring or told is None or not _own_act(snapshot, seat, told):
        return _("That was not yours to take back. The host can.")
    return ""


def _own_act(snapshot: Snapshot, seat: str, told: Told) -> bool:
    assert snapshot.game is not None, "asked after"
    actor = snapshot.game.actor(snapshot.state, told.line)
    others = {each.colour for each in snapshot.game.seats(snapshot.state)} - {seat}
    # A draw that ended its attempt has no actor any more: it is whose hand has typed it in.
    return told.who == seat if actor is None else actor == seat and told.who not in others


def _holds_the_ring(snapshot: Snapshot, seat: str, fields: Fields) -> str:
    assert snapshot.game is not None, "asked after"
    wanted = draw_wanted(snapshot.game, snapshot.state)
    if wanted is None:
        return _hosts_only(snapshot, seat, fields)
    return "" if wanted.seat == seat else _others(snapshot, wanted.seat)


def _others(snapshot: Snapshot, other: object) -> str:
    assert snapshot.game is not None, "asked after"
    names = {each.colour: each.name for each in snapshot.game.seats(snapshot.state)}
    if not isinstance(other, str) or other not in names:
        return _("That is not yours to do.")
    return _("That is for %(name)s to do.", name=names[other])


SEAT_RIGHTS: Mapping[str, Condition] = {
    "abandon": _hosts_only,
    "agree": _hosts_only,
    "all_ready": _hosts_only,
    "answer": _holds_the_ring,
    "do": _own_lines,
    "extend": _anybodys,
    "go": _anybodys,
    "hold": _anybodys,
    "inventory": _hosts_only,
    "leave_open": _hosts_only,
    "left": _hosts_only,
    "mend": _hosts_only,
    "pace": _hosts_only,
    "pause": _anybodys,
    "ready": _own_seat,
    "resume": _after_a_pause,
    "returned": _hosts_only,
    "slide": _hosts_only,
    "switch": _hosts_only,
    "undo": _own_undo,
}
"""Each deed of `web.commands.table` and on what condition a seat may do it; one without a row is the host's."""
