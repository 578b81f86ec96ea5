"""Conversion of changes of the state (effects of cards, corrections) from and to JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.wreck.changes import (
    MOST,
    PLACE,
    SPECIES,
    SUPPLY,
    Change,
    DieChanged,
    PointsGiven,
    ResearchersMoved,
    RoomActionTurned,
    RoomOpened,
    TechnologyTurned,
    TeleporterMoved,
    VaccinesMoved,
)
from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.rooms import ROOMS, cell_from
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, Line
from companion.kernel.said import said
from companion.model.parser import NOTHING_KNOWN, OrNull

RESEARCHER_PLACES = (SUPPLY, SPECIES, PLACE, *ROOMS)
TELEPORTER_PLACES = (SUPPLY, *ROOMS)


def changes_from(fields: Fields, name: str) -> tuple[Change, ...]:
    """Parse the list of changes in field *name*. Raises `Malformed`, which names the wrong change."""
    return tuple(_change(value, f"{fields.where(name)}[{at}]") for at, value in enumerate(fields.list(name)))


def changes_json(changes: tuple[Change, ...]) -> list[Line]:
    """Return *changes* in the format of a record. This is the inverse of `changes_from`."""
    return [_WRITERS[type(change)](change) for change in changes]


def _change(value: object, where: str) -> Change:
    fields = Fields(value, where)
    change = _READERS[fields.word("what", _READERS)](fields)
    fields.nothing_else()
    return change


def _researchers(fields: Fields) -> Change:
    colour, source = fields.text("colour"), fields.word("from", RESEARCHER_PLACES)
    return ResearchersMoved(colour, source, fields.word("to", RESEARCHER_PLACES), fields.whole("count", 1))


def _teleporter(fields: Fields) -> Change:
    colour, source = fields.text("colour"), fields.word("from", TELEPORTER_PLACES)
    return TeleporterMoved(colour, source, fields.word("to", TELEPORTER_PLACES))


def _die(fields: Fields) -> Change:
    colour, symbols = fields.text("colour"), OrNull(*SYMBOLS)
    return DieChanged(colour, *(symbols.read(fields, each, NOTHING_KNOWN) for each in ("from", "to")))


def _signed(fields: Fields) -> int:
    count = fields.whole("count", -MOST, MOST)
    if not count:
        raise Malformed(said("%(where)s must be a number other than 0", where=fields.where("count")))
    return count


def _explore(fields: Fields) -> Change:
    cell = cell_from(fields.take("cell"), fields.where("cell"))
    return RoomOpened(cell, fields.word("room", ROOMS))


_READERS: dict[str, Callable[[Fields], Change]] = {
    "researchers": _researchers,
    "teleporter": _teleporter,
    "die": _die,
    "vaccines": lambda fields: VaccinesMoved(fields.text("colour"), _signed(fields)),
    "kp": lambda fields: PointsGiven(fields.text("colour"), _signed(fields)),
    "explore": _explore,
    "used": lambda fields: TechnologyTurned(fields.text("id"), fields.flag("used")),
    "room_action": lambda fields: RoomActionTurned(fields.text("colour"), fields.flag("used")),
}


def _between(what: str) -> Callable[[Any], dict[str, Any]]:
    return lambda change: {"what": what, "colour": change.colour, "from": change.source, "to": change.target}


_WRITERS: dict[type, Callable[[Any], Line]] = {
    ResearchersMoved: lambda change: {**_between("researchers")(change), "count": change.count},
    TeleporterMoved: _between("teleporter"),
    DieChanged: _between("die"),
    VaccinesMoved: lambda change: {"what": "vaccines", "colour": change.colour, "count": change.count},
    PointsGiven: lambda change: {"what": "kp", "colour": change.colour, "count": change.count},
    RoomOpened: lambda change: {"what": "explore", "cell": list(change.cell), "room": change.room},
    TechnologyTurned: lambda change: {"what": "used", "id": change.id, "used": change.used},
    RoomActionTurned: lambda change: {"what": "room_action", "colour": change.colour, "used": change.used},
}
