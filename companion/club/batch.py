"""Batches of rows, and the club's acknowledgements, as bytes on the wire: JSON in ASCII.

A row is a list of its columns and its checksum as the ledger stores them. Bytes are objects with hexadecimal digits,
so that every value, even one in a damaged file, arrives unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from itertools import pairwise
from typing import Any, TypeGuard

from companion.kernel.errors import Malformed
from companion.kernel.fields import DEEPEST, check_depth, finite, no_number
from companion.kernel.said import said
from companion.ledger.stored import Fields, StoredName

VERSION = 1
MOST_ROWS, MOST_BYTES = 200, 128 * 1024
COLUMNS = 16
ANY = "0"
"""The ledger and the epoch in an acknowledgement of a batch that could not be read."""
_NEVER_NONE = slice(2, 10)
_END = 2**63
_HEX = 32
_encode = json.JSONEncoder(separators=(",", ":"), default=lambda value: {"b": bytes(value).hex()}).encode


class AckState(StrEnum):
    """What happened to a batch.

    - `OK`: the rows are on the club's disk.
    - `GAP`: rows before the batch are missing; send from the acknowledged row.
    - `FORK`: the club has different rows under these numbers: the ledger is a restored copy in which play continued.
    - `FULL`: the club's disk is full.
    - `UNKNOWN`: the club does not know this table, or the ledger is another table's.
    - `NEWER`: a newer program wrote the batch.
    """

    OK = "ok"
    GAP = "gap"
    FORK = "fork"
    FULL = "full"
    UNKNOWN = "unknown"
    NEWER = "newer"


class NewerBatch(Malformed):
    """A newer program wrote this batch."""


@dataclass(frozen=True)
class Batch:
    """Rows that follow row *after*, whose checksum is *before*. Their numbers increase, with gaps if rows were damaged.

    *names* are names that the rows refer to, or that have changed. *renamings* are the recorded changes of names; None
    means that this batch does not complete a change of names. *newest* is the newest row of the ledger, sent or not.
    """

    ledger: str
    epoch: str
    after: int
    before: object
    rows: tuple[Fields, ...] = ()
    names: tuple[StoredName, ...] = ()
    renamings: str | None = None
    newest: int = 0

    @property
    def last(self) -> int:
        """The number of the newest row."""
        return int(self.rows[-1][0]) if self.rows else self.after


@dataclass(frozen=True)
class Ack:
    """The rows of a ledger that the club has stored: all rows up to *upto*, whose checksum is *digest*.

    *names* is the `names_mark` of the stored changes of names.
    """

    ledger: str
    epoch: str
    state: AckState
    upto: int = 0
    digest: object = None
    names: str = ""


def names_mark(renamings: str) -> str:
    """Return a short checksum of the recorded changes of names, or "" if there are none."""
    return blake2b(renamings.encode(errors="surrogatepass"), digest_size=8).hexdigest() if renamings else ""


def row_text(fields: Fields) -> str:
    """Return a row as it is sent."""
    return _encode(fields)


def batch_bytes(batch: Batch, rows: Iterable[str] | None = None) -> bytes:
    """Return *batch* as it is sent. *rows* are its rows as strings, if the caller has made them already."""
    texts = map(row_text, batch.rows) if rows is None else rows
    head = {"v": VERSION, "ledger": batch.ledger, "epoch": batch.epoch, "newest": batch.newest}
    head |= {"after": batch.after, "before": batch.before}
    more = {"names": batch.names} | ({} if batch.renamings is None else {"renamings": batch.renamings})
    return f'{_encode(head)[:-1]},"rows":[{",".join(texts)}],{_encode(more)[1:]}'.encode()


def batch_of(payload: bytes) -> Batch:
    """Return the batch in *payload*, or raise `Malformed`."""
    found = _object(payload)
    if found.get("v") != VERSION:
        newer = isinstance(found.get("v"), int) and found["v"] > VERSION
        raise (NewerBatch if newer else Malformed)(said("this batch has another version"))
    rows = tuple(tuple(map(_value, row)) for row in _list(found, "rows"))
    names = tuple(tuple(map(_value, name)) for name in _list(found, "names"))
    after, renamings, newest = found.get("after"), found.get("renamings"), found.get("newest")
    if not _is_number(after) or not _is_number(newest):
        raise Malformed(said("the number of a row isn't one"))
    numbers = [after, *(row[0] if row and _is_number(row[0]) else -1 for row in rows)]
    if any(one >= other for one, other in pairwise(numbers)):
        raise Malformed(said("the numbers of the rows don't grow"))
    if any(len(row) != COLUMNS or None in row[_NEVER_NONE] for row in rows) or not all(map(_is_name, names)):
        raise Malformed(said("a row or a name has another number of columns"))
    if not isinstance(renamings, str | None):
        raise Malformed(said("a field has another type"))
    identity, epoch = _word(found, "ledger"), _word(found, "epoch")
    return Batch(identity, epoch, after, _value(found.get("before")), rows, names, renamings, newest)


def ack_bytes(ack: Ack) -> bytes:
    """Return *ack* as it is sent."""
    return _encode({"v": VERSION, **ack.__dict__}).encode()


def ack_of(payload: bytes) -> Ack:
    """Return the acknowledgement in *payload*, or raise `Malformed`."""
    found = _object(payload)
    state, upto, names = found.get("state"), found.get("upto"), found.get("names")
    if state not in set(AckState) or not _is_number(upto) or not isinstance(names, str):
        raise Malformed(said("this isn't an acknowledgement"))
    identity, epoch = _word(found, "ledger"), _word(found, "epoch")
    return Ack(identity, epoch, AckState(state), upto, _value(found.get("digest")), names)


def _object(payload: bytes) -> dict[str, Any]:
    try:
        found = json.loads(payload, parse_constant=no_number, parse_float=finite)
        if payload.count(b"{") + payload.count(b"[") > DEEPEST:
            check_depth(found)
    except (ValueError, RecursionError) as fault:
        raise Malformed(said("this isn't JSON")) from fault
    if not isinstance(found, dict):
        raise Malformed(said("this isn't a JSON object"))
    return found


def _list(found: dict[str, Any], name: str) -> list[list[Any]]:
    value = found.get(name)
    if not isinstance(value, list) or not all(isinstance(each, list) for each in value):
        raise Malformed(said("%(name)s isn't a list of lists", name=name))
    return value


def _word(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or len(value) > _HEX or not value.isalnum():
        raise Malformed(said("%(name)s isn't a word of digits", name=name))
    return value


def _is_number(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _END


def _is_name(name: tuple[Any, ...]) -> bool:
    if len(name) != 4 or not _is_number(name[0]) or not _is_number(name[1]):
        return False
    return isinstance(name[2], str | None) and isinstance(name[3], bytes | None)


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        try:
            return bytes.fromhex(value["b"])
        except (KeyError, TypeError, ValueError):
            raise Malformed(said("a value isn't one of the ledger")) from None
    if isinstance(value, list | bool) or (isinstance(value, int) and not -_END <= value < _END):
        raise Malformed(said("a value isn't one of the ledger"))
    return value
