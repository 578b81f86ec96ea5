"""Names of people, stored outside the chain of rows so that they can be changed or removed later.

Two fields may contain names: the seats in a game's header, and `who`, unless it is one of `NOT_PEOPLE` or a colour of
the game. In the file they contain a reference to the name: its index among the names of the game, in `who` after a `#`.
A removed name is read as the colour of its seat, or as `NOBODY`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.shown import shows
from companion.ledger.row import Row, name_digest

NOT_PEOPLE = frozenset({"host", "companion", "ring", "script"})
"""Values of `who` that are not people."""
MARK, NOBODY, OUTSIDE = "#", "somebody", 0
LONGEST_PLACE = 18
"""The maximum number of digits of an index. SQLite's largest integer has one more digit."""
Name = tuple[int, int, str, bytes]
"""Four values: game (`OUTSIDE` for none), index, text, checksum.

The text is JSON, because a database cannot store lone surrogates.
"""
Lookup = Callable[[int, int], str | None]


@shows("_colours", "_places")
class Names:
    """The names of a ledger that is open for writing, cached once they have been read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._colours: dict[int, frozenset[str]] = {}
        self._places: dict[int, dict[str | int, int]] = {}

    def referring(self, row: Row) -> tuple[Row, list[Name]]:
        """Return *row* as the file stores it, and its names that are not in the file yet."""
        if row.who in NOT_PEOPLE and row.kind != "game":
            return row, []
        game, new = row.game or OUTSIDE, list[Name]()
        if row.kind == "game":
            row, new = _header_referring(row, game)
            self._colours[game] = _colours(row.body)
            self._places[game] = {json.loads(text): place for _, place, text, _ in new}
        if row.who in NOT_PEOPLE or (row.who in self._colours_of(game) and not row.who.startswith(MARK)):
            return row, new
        return replace(row, who=f"{MARK}{self._place(game, row.who, new)}"), new

    def _place(self, game: int, name: str, new: list[Name]) -> int:
        places = self._places_of(game)
        if name not in places:
            places[name] = max(places.values(), default=-1) + 1
            new.append(_named(game, places[name], name))
        return places[name]

    def _places_of(self, game: int) -> dict[str | int, int]:
        if game not in self._places:
            found = self._connection.execute("SELECT place, text FROM name WHERE game = ?", (game,))
            names = ((place, text_of(text)) for place, text in found)
            # A removed name still occupies its index. Its key here is that number, which no name can equal.
            self._places[game] = {place if name is None else name: place for place, name in names}
        return self._places[game]

    def _colours_of(self, game: int) -> frozenset[str]:
        if game not in self._colours:
            found = self._connection.execute("SELECT body FROM row WHERE id = ? AND kind = 'game'", (game,)).fetchone()
            self._colours[game] = _colours({} if found is None else _body(found[0]))
        return self._colours[game]


def named(row: Row, lookup: Lookup) -> Row:
    """Return *row* with its references replaced by the names from *lookup*."""
    if row.kind != "game" and not row.who.startswith(MARK):
        return row
    game = row.game or OUTSIDE
    if row.kind == "game":
        body = {field: value for field, value in row.body.items() if field != "id"}
        row = replace(row, body=_seated(body, lambda place, seat: _name_at(game, seat, lookup)))
    place = _place_in(row.who)
    if place is None:
        return row
    name = lookup(game, place)
    return replace(row, who=NOBODY if name is None else name)


def _place_in(who: str) -> int | None:
    """Return the index that *who* refers to, or None if it is not a valid reference."""
    digits = who.removeprefix(MARK)
    return int(digits) if digits != who and digits.isdecimal() and len(digits) < LONGEST_PLACE else None


def name_in(connection: sqlite3.Connection, game: int, place: int) -> tuple[str | None, bool]:
    """Return the name with index *place* (None if removed or lost), and whether it is intact."""
    found = connection.execute("SELECT text, digest FROM name WHERE game = ? AND place = ?", (game, place)).fetchone()
    if found is None or not is_whole((game, place, *found)):
        return None, False
    return text_of(found[0]), True


def is_whole(name: tuple[int, int, object, object]) -> bool:
    """Return whether a name matches its checksum.

    A removed name has neither text nor checksum, and counts as a match.
    """
    game, place, text, digest = name
    return (text is None and digest is None) or name_digest(game, place, text) == digest


def places_in(row: Row) -> Iterator[int]:
    """Yield the indexes of the names that *row*, as the file stores it, refers to."""
    if (place := _place_in(row.who)) is not None:
        yield place
    if row.kind == "game":
        found: list[int] = []
        _seated(row.body, lambda place, seat: found.append(seat["name"]) if isinstance(seat["name"], int) else None)
        yield from found


def _named(game: int, place: int, name: str) -> Name:
    text = json.dumps(name)
    return game, place, text, name_digest(game, place, text)


def _header_referring(row: Row, game: int) -> tuple[Row, list[Name]]:
    names: list[Name] = []

    def extract(place: int, seat: Line) -> object:
        if isinstance(seat.get("name"), str):
            names.append(_named(game, place, seat["name"]))
            return place
        return seat.get("name")

    return replace(row, body=_seated(row.body, extract)), names


def _seated(body: Line, name: Callable[[int, Line], object]) -> dict[str, Any]:
    """Return the body of a header with *name* applied to the name of each seat.

    Any other body is returned unchanged.
    """
    header = body.get("header")
    players = header.get("players") if isinstance(header, dict) else None
    if not isinstance(header, dict) or not isinstance(players, list | tuple):
        return dict(body)
    seats = [
        {**seat, "name": name(place, seat)} if isinstance(seat, dict) and "name" in seat else seat
        for place, seat in enumerate(players)
    ]
    return {**body, "header": {**header, "players": seats}}


def _name_at(game: int, seat: Line, lookup: Lookup) -> object:
    place = seat["name"]
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < 10**LONGEST_PLACE:
        return place
    name = lookup(game, place)
    return seat.get("colour", NOBODY) if name is None else name


def _colours(body: Line) -> frozenset[str]:
    header = body.get("header")
    players = header.get("players") if isinstance(header, dict) else None
    if not isinstance(players, list | tuple):
        return frozenset()
    colours = (seat.get("colour") for seat in players if isinstance(seat, dict))
    return frozenset(colour for colour in colours if isinstance(colour, str))


def _body(text: object) -> Line:
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}


def text_of(text: object) -> str | None:
    """Return the name in *text*, which is JSON, or None if it was removed or cannot be parsed."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, str) else None
