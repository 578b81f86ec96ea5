"""What can be done to the table, whoever asks and however: forms and scripts share this list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from werkzeug.exceptions import Forbidden

from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import Who
from web.auth.seat_permissions import why_not_by
from web.commands.time_control import pace_from
from web.http.request_parsing import lines_of, strict, whole_number, words
from web.request.context import House, house, seat, snapshot, who

Fields = Mapping[str, Any]
Deed = Callable[[House, Fields, Who], int]


class NotYours(Forbidden):
    """A seat asked for what is somebody else's: says whose."""


def carry_out(name: str, fields: Fields, by: Who | None = None) -> int:
    """Do a deed for whoever sends this request and return the version after it; raise `NotYours` where a seat may not.

    *by* says more of whoever it is. What a seat may do is judged by what this request has seen: a table that
    moves on between that and the deed answers so.
    """
    own = seat()
    if own is not None:
        reason = why_not_by(snapshot(), own, name, fields)
        if reason:
            raise NotYours(reason)
        if fields.get("version") in (None, ""):
            fields = {**fields, "version": snapshot().version}
    return DEEDS[name](house(), fields, by or who())


def _version(fields: Fields) -> int | None:
    version = fields.get("version")
    return None if version in (None, "") else whole_number(version, "version")


def _do(house: House, fields: Fields, who: Who) -> int:
    """Give the table one line, or several for one tap: each a row of its own, up to the first that is refused."""
    version = _version(fields)
    for line in lines_of(fields):
        version = house.table.do(line, who, version)
    assert version is not None, "there is a line at least"
    return version


def _undo(house: House, fields: Fields, who: Who) -> int:
    reason = fields.get("reason") or None
    if reason is not None:
        reason = words(reason, "reason")
    return house.table.undo(who, reason, _version(fields))


def _answer(house: House, fields: Fields, who: Who) -> int:
    return house.table.answer(
        whole_number(fields.get("question"), "question"), words(fields.get("chosen"), "chosen"), who
    )


def _slide(house: House, fields: Fields, who: Who) -> int:
    if house.ring is None or not house.ring.view.simulated:
        raise Refused("Only a simulated ring can be asked to slide.")
    house.ring.slide()
    return house.table.snapshot.version


def _abandon(house: House, fields: Fields, who: Who) -> int:
    return house.table.abandon(words(fields.get("reason"), "reason"), who)


def _left(house: House, fields: Fields, who: Who) -> int:
    return house.table.left(words(fields.get("seat"), "seat"), who)


def _returned(house: House, fields: Fields, who: Who) -> int:
    return house.table.returned(words(fields.get("seat"), "seat"), who)


def _switch(house: House, fields: Fields, who: Who) -> int:
    return house.table.switch(whole_number(fields.get("game"), "game"), who)


def _agree(house: House, fields: Fields, who: Who) -> int:
    return house.table.agree(whole_number(fields.get("left"), "left"), who)


def _inventory(house: House, fields: Fields, who: Who) -> int:
    """Take what the table has counted: a JSON object, from a form as a text."""
    stations = fields.get("stations")
    counted = strict(stations) if isinstance(stations, str) else stations
    if not isinstance(counted, Mapping):
        raise Malformed("stations: a count for each colour is wanted")
    return house.table.inventory(whole_number(fields.get("left"), "left"), counted, who)


def _leave_open(house: House, fields: Fields, who: Who) -> int:
    return house.table.leave_open(whole_number(fields.get("left"), "left"), who)


def _mend(house: House, fields: Fields, who: Who) -> int:
    return house.table.mend(whole_number(fields.get("left"), "left"), words(fields.get("cause"), "cause"), who)


def _ready(house: House, fields: Fields, who: Who) -> int:
    return house.table.ready(words(fields.get("seat"), "seat"), who, _version(fields))


def _extend(house: House, fields: Fields, who: Who) -> int:
    return house.table.extend(whole_number(fields.get("ms"), "ms"), who)


def _pace(house: House, fields: Fields, who: Who) -> int:
    return house.table.set_pace(pace_from(fields, house.table.snapshot.pace), who)


DEEDS: Mapping[str, Deed] = {
    "abandon": _abandon,
    "agree": _agree,
    "all_ready": lambda house, fields, who: house.table.all_ready(who, _version(fields)),
    "answer": _answer,
    "do": _do,
    "extend": _extend,
    "go": lambda house, fields, who: house.table.go(who),
    "hold": lambda house, fields, who: house.table.hold(who),
    "inventory": _inventory,
    "leave_open": _leave_open,
    "left": _left,
    "mend": _mend,
    "pace": _pace,
    "pause": lambda house, fields, who: house.table.pause(who),
    "ready": _ready,
    "resume": lambda house, fields, who: house.table.resume(who),
    "returned": _returned,
    "slide": _slide,
    "switch": _switch,
    "undo": _undo,
}
"""Each deed by its name; it returns the version after it, or raises `Refused`, `Malformed` or `MovedOn`."""
