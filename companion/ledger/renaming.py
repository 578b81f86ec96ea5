"""Change and remove names, everywhere in a file at once, and in games that are merged from other ledgers later.

Names are outside the chains of rows, so a changed name does not change the checksum of a row. The changes are recorded
in `meta` under `names`. After two ledgers have merged each other, they contain the same names:

- If a seat was renamed in both, the later name is used.
- A name that was removed in one ledger is removed in both.
- If a game with a removed name is merged later, the name is removed if the game is older than the removal. New games
  may use the name again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from hashlib import blake2b
from typing import Any, TypeVar

from companion.kernel.errors import Refused
from companion.kernel.names import same_person, spellings
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger.names import OUTSIDE, text_of
from companion.ledger.row import name_digest
from companion.ledger.storage import transaction

T = TypeVar("T")
META_NAME = "names"
Seat = tuple[str, int]
"""The position of a name in any ledger: the identity of its game, and its index among the names of the game."""
_NAMES = "SELECT game, place, text, digest FROM name ORDER BY game, place"
_CHANGE = "UPDATE name SET text = ?, digest = ? WHERE game = ? AND place = ?"
_GAME = "SELECT iif(json_valid(body), json_extract(body, '$.id'), NULL), wall_ms FROM row WHERE id = ?"


@dataclass(frozen=True)
class StoredName:
    """A name as the file stores it. *text* is None if the name was removed."""

    game: int
    place: int
    text: str | None


@dataclass(frozen=True)
class Renamings:
    """The recorded changes and removals of names.

    *removed* maps the mark (see `mark`) of each removed name to the time of its removal. *given* maps each renamed seat
    to the time when it got its present name. Times are in milliseconds of the wall clock. *received* are the marks of
    removals that were made in other ledgers; they do not affect games that only this ledger has.
    """

    removed: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[Seat, int] = field(default_factory=dict)
    received: frozenset[str] = frozenset()

    @property
    def own(self) -> Mapping[str, int]:
        """The removals that were made in this ledger."""
        return {mark: at for mark, at in self.removed.items() if mark not in self.received}

    def line(self) -> dict[str, Any]:
        """Return the changes that two ledgers share after merging each other, as a JSON object in a fixed order."""
        given = [[*seat, at] for seat, at in sorted(self.given.items())]
        return {"removed": dict(sorted(self.removed.items())), "given": given}

    def text(self) -> str:
        """Return all changes as the file stores them."""
        return json.dumps({**self.line(), **({"heard": sorted(self.received)} if self.received else {})})


def mark(name: str) -> str:
    """Return the digest that is stored in place of a removed name.

    It is not a secret: a guessed name can be compared with it.
    """
    return _digest(same_person(name))


def marks(name: str) -> frozenset[str]:
    """Return all marks that *name* may have.

    Older versions made different marks for composed and decomposed letters.
    """
    return frozenset((mark(name), *(_digest(" ".join(each.split()).casefold()) for each in spellings(name))))


def _digest(folded: str) -> str:
    return blake2b(folded.encode(errors="surrogatepass"), digest_size=16, person=b"name").hexdigest()


def stored_names(connection: sqlite3.Connection) -> Iterator[StoredName]:
    """Yield the names in a file, except those whose checksum does not match."""
    for game, place, text, digest in connection.execute(_NAMES).fetchall():
        if text is None and digest is None:
            yield StoredName(game, place, None)
        elif digest is not None and name_digest(game, place, text) == digest:
            yield StoredName(game, place, text_of(text))


def renamings(connection: sqlite3.Connection) -> Renamings:
    """Return the changes recorded in a file; the result is empty if they cannot be read."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (META_NAME,)).fetchone()
    return Renamings() if found is None else renamings_of(found[0])


def renamings_of(text: Any) -> Renamings:
    """Parse the changes from the *text* stored in a file; the result is empty if the text is invalid."""
    try:
        parsed = json.loads(text)
        given = {(_of(str, game), _of(int, place)): _of(int, at) for game, place, at in parsed["given"]}
        removed = {_of(str, each): _of(int, at) for each, at in parsed["removed"].items()}
        return Renamings(removed, given, frozenset(_of(str, each) for each in parsed.get("heard", ())))
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return Renamings()


def _of(kind: type[T], value: object) -> T:
    if type(value) is not kind:
        raise TypeError(value)
    return value


def rename(connection: sqlite3.Connection, old: str, new: str | None, wall_ms: int) -> int:
    """Change the name *old* to *new* everywhere, or remove it if *new* is None.

    Return the number of changed places. All changes are made in one transaction. Raises `Refused` if *new* was removed
    before, because it would be removed again.
    """
    with _changing(connection) as changes:
        if new is not None and not changes.own.isdisjoint(marks(new)):
            raise Refused(said("%(name)s was removed from this ledger and can't be given to older games.", name=new))
        person = same_person(old)
        found = [
            each for each in stored_names(connection) if each.text is not None and same_person(each.text) == person
        ]
        for each in found:
            changes.put(each, new, wall_ms)
        if new is None and found:
            changes.removed[mark(old)] = wall_ms
            changes.received.discard(mark(old))
        return len(found)


def obey_removals(connection: sqlite3.Connection) -> None:
    """Remove a name from imported games if this ledger removed the name after the games were played."""
    with _changing(connection):
        pass


def adopt(connection: sqlite3.Connection, other: sqlite3.Connection, now_ms: int | None = None) -> None:
    """Apply the name changes of *other* to the games that both ledgers have.

    The result does not depend on the order of merges. If *now_ms* is given, only changes with a time up to *now_ms* are
    applied. Removals in *other* are recorded, but they do not affect games that only this ledger has.
    """
    with _changing(connection) as changes:
        for each, name, at in wanted_by(connection, other, now_ms):
            changes.put(each, name, at)
        for removed, at in renamings(other).removed.items():
            if not _to_come(at, now_ms):
                changes.hear(removed, at)


def adopt_whole(connection: sqlite3.Connection, other: sqlite3.Connection) -> None:
    """Apply the name changes of *other* in all games. This is for a file that is a copy of *other* or replaces it."""
    with _changing(connection) as changes:
        for each, name, at in wanted_by(connection, other, None):
            changes.put(each, name, at)
        theirs = renamings(other)
        for removed, at in theirs.removed.items():
            changes.hear(removed, at)
            if removed not in theirs.received:
                changes.received.discard(removed)


def wanted_by(
    connection: sqlite3.Connection, other: sqlite3.Connection, now_ms: int | None
) -> Iterator[tuple[StoredName, str | None, int]]:
    """Yield the changes of *other* in games that both ledgers have: the name, its new text or None, and the time."""
    theirs, known, ours = renamings(other), _Games(other), renamings(connection)
    names = {known.seat(each): each.text for each in stored_names(other) if each.game != OUTSIDE}
    games = _Games(connection)
    for each in stored_names(connection):
        seat = games.seat(each)
        if each.game == OUTSIDE or each.text is None or seat not in names:
            continue
        name, at = names[seat], theirs.given.get(seat, 0)
        if name is None:
            gone = [theirs.removed[known_as] for known_as in marks(each.text) if known_as in theirs.removed]
            if not gone or not _to_come(min(gone), now_ms):
                yield each, None, 0
        # If both names were given in the same millisecond, they are compared as strings, so that both ledgers choose
        # the same name.
        elif (at, name) > (ours.given.get(seat, 0), each.text) and not _to_come(at, now_ms):
            yield each, name, at


def _to_come(at: int, now_ms: int | None) -> bool:
    return now_ms is not None and at > now_ms


@shows("_known")
class _Games:
    """The identity of each game of a file, and the time when it began."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[int, tuple[str, int]] = {}

    def seat(self, name: StoredName) -> Seat:
        return self._game(name.game)[0], name.place

    def began(self, name: StoredName) -> int:
        return self._game(name.game)[1]

    def _game(self, game: int) -> tuple[str, int]:
        if game not in self._known:
            found = self._connection.execute(_GAME, (game,)).fetchone() or (None, 0)
            self._known[game] = str(found[0] or f"game {game}"), int(found[1])
        return self._known[game]


@shows("removed", "given", "received")
class _Changes:
    """The changes of names within one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        stored = renamings(connection)
        self.games = _Games(connection)
        self.removed, self.given, self.received = dict(stored.removed), dict(stored.given), set(stored.received)

    @property
    def own(self) -> set[str]:
        """The marks of the names that were removed in this ledger."""
        return set(self.removed) - self.received

    def hear(self, mark: str, at: int) -> None:
        if mark not in self.removed:
            self.received.add(mark)
        self.removed[mark] = max(at, self.removed.get(mark, 0))

    def put(self, name: StoredName, text: str | None, wall_ms: int) -> None:
        written = None if text is None else json.dumps(text)
        digest = None if written is None else name_digest(name.game, name.place, written)
        self._connection.execute(_CHANGE, (written, digest, name.game, name.place))
        seat = self.games.seat(name)
        self.given.pop(seat, None)
        if text is not None and wall_ms:
            self.given[seat] = wall_ms

    def carry_out(self) -> None:
        """Remove the names that were removed in this ledger, and record all changes."""
        own = self.own
        for each in stored_names(self._connection):
            if each.text is None or not own:
                continue
            at = max((self.removed[known] for known in marks(each.text) & own), default=-1)
            if at >= 0 and (each.game == OUTSIDE or self.games.began(each) <= at):
                self.put(each, None, 0)
        changed = Renamings(self.removed, self.given, frozenset(self.received))
        if changed != renamings(self._connection):
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (META_NAME, changed.text()))


@contextmanager
def _changing(connection: sqlite3.Connection) -> Iterator[_Changes]:
    """Change names in one transaction, and erase the old names from the file and from its log."""
    connection.execute("PRAGMA secure_delete = ON")
    with transaction(connection):
        changes = _Changes(connection)
        yield changes
        changes.carry_out()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
