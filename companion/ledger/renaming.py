"""Names changed and removed: everywhere in a file at once, and in what comes from other ledgers later.

What people are called lies outside the chain of rows, so that no checksum of a row changes. That a name was changed is
kept beside it (`meta`, `names`), since the ledgers of two houses are to hold the same once each has taken in the other:
of two names of one seat the one that was given last stays, and one that was removed is removed in both. What comes in
later under a name that was removed loses it if its game is older than that; whoever is called so may play again.
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
from companion.kernel.i18n import said
from companion.kernel.names import same_person, spellings
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger.digests import name_digest
from companion.ledger.names import OUTSIDE, text_of
from companion.ledger.storage import transaction

T = TypeVar("T")
KEPT_AS = "names"
Seat = tuple[str, int]
"""Where a name stands, in any ledger: the identity of its game, and its place among the names of it."""
_NAMES = "SELECT game, place, text, digest FROM name ORDER BY game, place"
_CHANGE = "UPDATE name SET text = ?, digest = ? WHERE game = ? AND place = ?"
_GAME = "SELECT iif(json_valid(body), json_extract(body, '$.id'), NULL), wall_ms FROM row WHERE id = ?"


@dataclass(frozen=True)
class StoredName:
    """A name as it lies in the file; *text* is None where it was removed."""

    game: int
    place: int
    text: str | None


@dataclass(frozen=True)
class Renamings:
    """What is kept of changes: when each mark's name was *removed*, when each seat was *given* the name it has.

    Of removals that were only *heard* of from other ledgers no game here is the poorer.
    """

    removed: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[Seat, int] = field(default_factory=dict)
    heard: frozenset[str] = frozenset()

    @property
    def own(self) -> Mapping[str, int]:
        """The removals that were made here."""
        return {mark: at for mark, at in self.removed.items() if mark not in self.heard}

    def line(self) -> dict[str, Any]:
        """Return what all ledgers that hear of each other agree on as JSON, always in the same order."""
        given = [[*seat, at] for seat, at in sorted(self.given.items())]
        return {"removed": dict(sorted(self.removed.items())), "given": given}

    def text(self) -> str:
        """Return all of it as the file keeps it."""
        return json.dumps({**self.line(), **({"heard": sorted(self.heard)} if self.heard else {})})


def mark(name: str) -> str:
    """Return by what a removed name is known again; who guesses the name can tell that it is the one."""
    return _digest(same_person(name))


def marks(name: str) -> frozenset[str]:
    """Return all marks that *name* may have: older programs told composed and decomposed letters apart."""
    return frozenset((mark(name), *(_digest(" ".join(each.split()).casefold()) for each in spellings(name))))


def _digest(folded: str) -> str:
    return blake2b(folded.encode(errors="surrogatepass"), digest_size=16, person=b"name").hexdigest()


def stored_names(connection: sqlite3.Connection) -> Iterator[StoredName]:
    """Yield the names of a file, those that are not as they were written left out."""
    for game, place, text, digest in connection.execute(_NAMES).fetchall():
        if text is None and digest is None:
            yield StoredName(game, place, None)
        elif digest is not None and name_digest(game, place, text) == digest:
            yield StoredName(game, place, text_of(text))


def renamings(connection: sqlite3.Connection) -> Renamings:
    """Return what a file knows of changes; nothing where that cannot be read."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (KEPT_AS,)).fetchone()
    return Renamings() if found is None else renamings_of(found[0])


def renamings_of(text: Any) -> Renamings:
    """Return what a *text* of the file says of changes; nothing where it is not as it was written."""
    try:
        kept = json.loads(text)
        given = {(_of(str, game), _of(int, place)): _of(int, at) for game, place, at in kept["given"]}
        removed = {_of(str, each): _of(int, at) for each, at in kept["removed"].items()}
        return Renamings(removed, given, frozenset(_of(str, each) for each in kept.get("heard", ())))
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return Renamings()


def _of(kind: type[T], value: object) -> T:
    if type(value) is not kind:
        raise TypeError(value)
    return value


def rename(connection: sqlite3.Connection, old: str, new: str | None, wall_ms: int) -> int:
    """Give whoever is called *old* the name *new*, or none, everywhere, and return at how many places.

    All of it or nothing. Raises `Refused` for a name that was removed: it would be removed again.
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
            changes.heard.discard(mark(old))
        return len(found)


def obey_removals(connection: sqlite3.Connection) -> None:
    """Remove the names that were removed here from games that came in since and are older."""
    with _changing(connection):
        pass


def adopt(connection: sqlite3.Connection, other: sqlite3.Connection, now_ms: int | None = None) -> None:
    """Change names of the games that both have as *other* has changed them; in whatever order ledgers do so they agree.

    A change that says it was made after *now_ms* is passed over; None: none is. That *other* has removed a name is
    remembered, and removes none from games that only this ledger has.
    """
    with _changing(connection) as changes:
        for each, name, at in wanted_by(connection, other, now_ms):
            changes.put(each, name, at)
        for removed, at in renamings(other).removed.items():
            if not _to_come(at, now_ms):
                changes.hear(removed, at)


def adopt_whole(connection: sqlite3.Connection, other: sqlite3.Connection) -> None:
    """Change names as *other* has, in all games: this is a copy of it, or comes in its place."""
    with _changing(connection) as changes:
        for each, name, at in wanted_by(connection, other, None):
            changes.put(each, name, at)
        theirs = renamings(other)
        for removed, at in theirs.removed.items():
            changes.hear(removed, at)
            if removed not in theirs.heard:
                changes.heard.discard(removed)


def wanted_by(
    connection: sqlite3.Connection, other: sqlite3.Connection, now_ms: int | None
) -> Iterator[tuple[StoredName, str | None, int]]:
    """Yield each name here that *other* has changed in a game of both: as it is, its new text or None, and when."""
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
        # Of two that were given in the same millisecond one stays, in whichever ledger.
        elif (at, name) > (ours.given.get(seat, 0), each.text) and not _to_come(at, now_ms):
            yield each, name, at


def _to_come(at: int, now_ms: int | None) -> bool:
    return now_ms is not None and at > now_ms


@shows("_known")
class _Games:
    """The identity of each game of a file, and when it began."""

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


@shows("removed", "given", "heard")
class _Changes:
    """What is changed in one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        kept = renamings(connection)
        self.games = _Games(connection)
        self.removed, self.given, self.heard = dict(kept.removed), dict(kept.given), set(kept.heard)

    @property
    def own(self) -> set[str]:
        """The marks of names that were removed here."""
        return set(self.removed) - self.heard

    def hear(self, mark: str, at: int) -> None:
        if mark not in self.removed:
            self.heard.add(mark)
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
        """Remove what was removed here, and keep what was changed."""
        own = self.own
        for each in stored_names(self._connection):
            if each.text is None or not own:
                continue
            at = max((self.removed[known] for known in marks(each.text) & own), default=-1)
            if at >= 0 and (each.game == OUTSIDE or self.games.began(each) <= at):
                self.put(each, None, 0)
        kept = Renamings(self.removed, self.given, frozenset(self.heard))
        if kept != renamings(self._connection):
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (KEPT_AS, kept.text()))


@contextmanager
def _changing(connection: sqlite3.Connection) -> Iterator[_Changes]:
    """Change names in one transaction, and leave nothing of those before in the file or in the log beside it."""
    connection.execute("PRAGMA secure_delete = ON")
    with transaction(connection):
        changes = _Changes(connection)
        yield changes
        changes.carry_out()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
