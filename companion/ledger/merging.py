"""Merge another ledger into this one. A row is never added twice, not even by repeated merges.

A game has an identity that all its copies share. If both ledgers have a game, one copy may be the beginning of the
other; then the longer one is used. If both copies were continued separately, both are saved as two games with the same
identity. The result does not depend on the order of the merges. `canonical` describes a ledger without row numbers, so
that two ledgers can be compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.said import said
from companion.kernel.values import replace
from companion.ledger.file import Ledger
from companion.ledger.names import NOT_PEOPLE
from companion.ledger.queries import Queries
from companion.ledger.row import Row, RowKind, damaged, with_seal_alone

_OUTSIDE = (RowKind.COPY, RowKind.CALIBRATION, RowKind.CLOCK, RowKind.RING, RowKind.JUDGEMENT)
_OPENS = ("finished", "abandoned")
"""The events that end a game. They reveal the seed of the companion's random draws (`Transcript`)."""
EVERY = 1_000_000_000
IMPORTED = "imported"
BRANCH = "~"
"""A suffix of a ring's boot identifier. It marks a ring event that another branch of the same game already contains."""
Chain = tuple[str, ...]
"""The rows of a game in order. Each is represented by a checksum that does not depend on row numbers."""


@dataclass(frozen=True)
class Merged:
    """The counts of a merge: new *games*, games that became *longer*, and *asides* (added rows outside games)."""

    games: int = 0
    longer: int = 0
    asides: int = 0

    def __add__(self, other: Merged) -> Merged:
        return Merged(self.games + other.games, self.longer + other.longer, self.asides + other.asides)


def merge(
    into: Ledger,
    other: Queries,
    last: int,
    games: Collection[int] | None = None,
    asides: bool = True,
    keep_sealed: bool = False,
    now_ms: int | None = None,
    watch: ProgressWatch = unwatched,
) -> Merged:
    """Merge *other*, up to its row *last*, into the ledger *into*, and return counts of the added games and rows.

    If *games* is given, only these games are added. If *asides* is False, rows that belong to no game are left out, and
    names are not changed. If *keep_sealed* is true, the seed of a game that has not ended is replaced by its seal (its
    hash). Each game is added in one transaction. Name changes in *other* with a time after *now_ms* are ignored.
    *watch* is called for each game.

    Raises `Malformed` at the first damaged row, so call `verify` first.
    """
    here: dict[str, list[int]] = {}
    for game in into.games():
        here.setdefault(into.game_identity(game), []).append(game)
    known: dict[str, list[tuple[int, Chain]]] = {}
    merged = Merged()
    theirs = other.games()
    for game in watch(reversed(theirs), len(theirs)):
        if games is not None and game not in games:
            continue
        rows, identity = rows_of(other, game, last + 1), other.game_identity(game)
        if keep_sealed and not any(row.kind == RowKind.MOMENT and row.word in _OPENS for row in rows):
            rows = [with_seal_alone(row) for row in rows]
        if identity not in known:
            known[identity] = [(each, chain_of(rows_of(into, each))) for each in here.get(identity, ())]
        merged += merge_game(into, rows, identity, known[identity])
    if asides:
        merged += merge_asides(into, other)
        into.adopt_names(other, now_ms)
    return merged


def canonical(ledger: Queries, before: int = EVERY) -> str:
    """Return the contents of a ledger as JSON without row numbers, in a fixed order.

    Two ledgers with the same contents give the same text.
    """
    games: dict[str, list[Chain]] = {}
    seen: dict[Chain, list[Any]] = {}
    for game in ledger.games():
        rows = rows_of(ledger, game, before)
        chain = chain_of(rows)
        games.setdefault(ledger.game_identity(game), []).append(chain)
        seen[chain] = list(_contents(rows))
    found = {identity: [seen[chain] for chain in sorted(_longest(chains))] for identity, chains in games.items()}
    asides = sorted(asides_after(ledger, 0))
    return json.dumps({"games": found, "asides": asides, "names": ledger.renamings.line()}, sort_keys=True)


def _longest(chains: Iterable[Chain]) -> set[Chain]:
    """Return the chains that are not the beginning of another chain."""
    distinct = set(chains)
    return {one for one in distinct if not any(one != other and begins(other, one) for other in distinct)}


def begins(chain: Chain, head: Chain) -> bool:
    """Return whether *chain* starts with *head*, or equals it."""
    return chain[: len(head)] == head


def merge_game(into: Ledger, rows: Sequence[Row], identity: str, known: list[tuple[int, Chain]]) -> Merged:
    """Add one game unless *into* already contains it.

    *known* lists the branches of this game in *into*, and is updated.
    """
    chain = chain_of(rows)
    if any(begins(here, chain) for _, here in known):
        return Merged()
    shorter = next((place for place, (_, here) in enumerate(known) if begins(chain, here)), None)
    if shorter is None and any(_came_as_record(rows, rows_of(into, game)) for game, _ in known):
        return Merged()
    if shorter is None:
        number = append_game(into, rows, (), identity)
        known.append((number, chain))
        return Merged(games=1)
    game, here = known[shorter]
    append_game(into, rows, rows_of(into, game)[: len(here)], identity)
    known[shorter] = game, chain
    return Merged(longer=1)


def _came_as_record(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """Return True if two games with the same identity have the same lines and one of them was imported as a record.

    The rows of the two differ: an imported record has fewer rows than the game that it was exported from.
    """
    return IMPORTED in (one[0].word, other[0].word) and _lines(one) == _lines(other)


def _lines(rows: Sequence[Row]) -> list[str]:
    return [json.dumps(row.body["line"], sort_keys=True) for row in rows if row.kind == RowKind.LINE]


def append_game(into: Ledger, rows: Sequence[Row], there: Sequence[Row], identity: str) -> int:
    """Append the rows of a game with new numbers, and return the number of the game.

    The rows in *there*, which are the first of *rows*, are already in the ledger and are left out.
    """
    first = into.last + 1
    fresh = rows[len(there) :]
    numbers = {row.id: own.id for row, own in zip(rows, there, strict=False)}
    numbers |= {row.id: first + at for at, row in enumerate(fresh)}
    if not there:
        fresh = [replace(fresh[0], body={"id": identity, **fresh[0].body}), *fresh[1:]]
    append_rows(into, fresh, numbers.get)
    return numbers[rows[0].id]


def append_rows(into: Ledger, rows: Sequence[Row], number: Callable[[int], int | None]) -> None:
    """Append *rows* of a game. *number* returns the new number of each row of the game, also of those in *rows*."""
    into.append_merged([_recorded_once(into, _renumbered(row, number)) for row in rows])


def _recorded_once(into: Ledger, row: Row) -> Row:
    """Return *row*. If another branch already contains its ring event, the boot identifier gets the suffix `BRANCH`."""
    while row.source is not None and into.has_recorded(row.source):
        device, boot, seq = row.source
        row = replace(row, source=(device, boot + BRANCH, seq))
    return row


def merge_asides(into: Ledger, other: Queries) -> Merged:
    """Add the copies, calibrations, clock settings and ring events outside games that *into* does not contain yet."""
    here = set(asides_after(into, 0))
    return append_asides(into, other, {key: row for key, row in asides_after(other, 0).items() if key not in here})


def append_asides(into: Ledger, other: Queries, found: Mapping[str, Row]) -> Merged:
    first = into.last + 1
    numbers = {row.id: first + at for at, row in enumerate(found.values())}

    def number(old: int) -> int | None:
        if old in numbers:
            return numbers[old]
        source = _source(other, old)
        return None if source is None else into.recorded_as(source)

    if found:
        into.append_merged([_renumbered(row, number) for row in found.values()])
    return Merged(asides=len(found))


def asides_after(ledger: Queries, after: int) -> dict[str, Row]:
    """Return the rows outside games with numbers above *after*, oldest first, with their contents as keys."""
    return {_aside(row, ledger): row for row in ledger.outside_after(after, _OUTSIDE)}


def _aside(row: Row, ledger: Queries) -> str:
    """Return the contents of a row outside games for comparison. A ring's event is identified without its row number.

    The person's name is not compared, because it may have been changed or removed in one of the ledgers.
    """
    bare = replace(row, who=row.who if row.who in NOT_PEOPLE else "", ring=None)
    source = None if row.ring is None else _source(ledger, row.ring)
    return json.dumps([_content(bare, lambda number: None), source], sort_keys=True)


def _source(ledger: Queries, ring: int) -> tuple[str, str, int] | None:
    """Return the permanent identification of the ring's event in row *ring*, or None for another row."""
    row = ledger.row(ring)
    return None if row is None or row.source is None else _plain(row.source)


def _plain(source: tuple[str, str, int]) -> tuple[str, str, int]:
    """Return *source* without the suffix of another branch."""
    device, boot, seq = source
    return device, boot.rstrip(BRANCH), seq


def rows_of(ledger: Queries, game: int, before: int = EVERY) -> list[Row]:
    """Return the rows of a game with numbers below *before*, oldest first."""
    return list(ledger.rows(game, before))


def _contents(rows: Sequence[Row]) -> Iterator[Any]:
    places = {row.id: place for place, row in enumerate(rows)}
    return (_content(row, places.get) for row in rows)


def chain_of(rows: Sequence[Row]) -> Chain:
    """Return *rows*, a whole game, as checksums."""
    return tuple(links(rows, {row.id: place for place, row in enumerate(rows)}, people_of(rows[0])))


def links(rows: Iterable[Row], places: Mapping[int, int], not_people: Collection[str]) -> Iterator[str]:
    """Yield the checksums of *rows* of a game. *places* has the position of each row of the game up to these, by
    number.

    Names of people are left out, because they may have been changed in one of the ledgers. A seed is replaced by its
    seal, because a copy made before the end of the game contains only the seal.
    """
    for row in rows:
        content = _content(with_seal_alone(_nameless(row, not_people)), places.get)
        yield blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def people_of(header: Row) -> frozenset[str]:
    """Return the values of `who` that are not names of people in the game with this *header* row.

    Raises `Malformed` if the row is not a header. A game of a foreign ledger may begin with such a row.
    """
    try:
        return NOT_PEOPLE | {str(seat["colour"]) for seat in header.body["header"]["players"]}
    except (KeyError, TypeError):
        raise damaged(header.id, said("it isn't the header of a game")) from None


def _content(row: Row, place: Callable[[int], int | None]) -> Any:
    """Return the contents of *row* for comparison.

    *place* converts each row number to a position in the rows of the game.
    """
    plain = _renumbered(row, place)
    source = None if row.source is None else list(_plain(row.source))
    stamps = (row.at_ms, row.step_ms, row.wall_ms)
    return [row.kind, row.word, row.who, row.via, *stamps, plain.body, plain.ring, plain.undoes, source]


def _nameless(row: Row, not_people: Collection[str]) -> Row:
    body = row.body
    if row.kind == RowKind.GAME:
        seats = [{**seat, "name": ""} for seat in body["header"]["players"]]
        body = {**body, "header": {**body["header"], "players": seats}}
    return replace(row, who=row.who if row.who in not_people else "", body=body)


NUMBERED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((RowKind.GAME, RowKind.LINE, RowKind.JUDGEMENT, RowKind.PASSAGE, RowKind.ANSWER), ()),
    **dict.fromkeys((RowKind.CALIBRATION, RowKind.COPY), ()),
    RowKind.CLOCK: ("version",),
    RowKind.MOMENT: ("left",),
    RowKind.RING: ("token",),
}
"""For each kind of row, the fields of its body that contain row numbers."""


def _renumbered(row: Row, number: Callable[[int], int | None]) -> Row:
    """Return *row* with *number* applied to each row number in it.

    If *number* returns None, that number is unchanged.
    """

    def renumbered(old: int | None) -> int | None:
        found = None if old is None else number(old)
        return old if found is None else found

    if row.kind not in NUMBERED:
        raise damaged(row.id, said("its kind is unknown"))
    body: Line = {
        field: renumbered(value) if field in NUMBERED[row.kind] and isinstance(value, int) else value
        for field, value in row.body.items()
    }
    if row.kind == RowKind.LINE and isinstance(body.get("asks"), dict):
        body = {**body, "asks": {**body["asks"], "id": renumbered(body["asks"].get("id"))}}
    fresh = renumbered(row.id)
    assert fresh is not None
    return replace(
        row, id=fresh, game=renumbered(row.game), ring=renumbered(row.ring), undoes=renumbered(row.undoes), body=body
    )
