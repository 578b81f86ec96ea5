"""How many of a table's rows have arrived, in a file next to its ledger, and the epoch of that ledger.

A new epoch is chosen if the ledger is not the one that this file describes: a different or older ledger, or one that
has a different row at the position up to which rows have arrived. `companion restore` removes the file, so that a
restored copy has a new epoch even if it has these rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

from companion.club.due_rows import Cursor
from companion.kernel.private_file import write_private
from companion.ledger.stored import StoredRows

SENT = "club-sent.json"
EPOCH_BYTES = 4


@dataclass(frozen=True)
class Position:
    """The epoch of the ledger with the identity *ledger*, and the cursor of each receiver by its name."""

    ledger: str
    epoch: str
    cursors: Mapping[str, Cursor] = field(default_factory=dict)

    def cursor(self, receiver: str) -> Cursor:
        """Return the cursor of *receiver*; for a new receiver, it is at the beginning."""
        return self.cursors.get(receiver, Cursor())

    def at(self, receiver: str, cursor: Cursor) -> Position:
        """Return the position with a new cursor of *receiver*."""
        return Position(self.ledger, self.epoch, {**self.cursors, receiver: cursor})


def new_position(ledger: str) -> Position:
    """Return a position at the beginning, in a new epoch."""
    return Position(ledger, token_hex(EPOCH_BYTES))


def position_of(rows: StoredRows, stored: Position | None) -> Position:
    """Return the *stored* position if it fits the ledger, or a new one."""
    if stored is None or stored.ledger != rows.identity:
        return new_position(rows.identity)
    fits = all(not each.upto or rows.digest(each.upto) == each.digest for each in stored.cursors.values())
    return stored if fits else new_position(rows.identity)


def read_position(data: Path) -> Position | None:
    """Return the position stored in the folder *data*, or None if there is none or it can't be read."""
    try:
        found = json.loads((data / SENT).read_text(encoding="utf-8"))
        cursors = {
            str(name): Cursor(int(each["upto"]), bytes.fromhex(each["digest"]), str(each["names"]))
            for name, each in found["cursors"].items()
        }
        return Position(str(found["ledger"]), str(found["epoch"]), cursors)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_position(data: Path, position: Position) -> None:
    """Store *position* in the folder *data*. Raises OSError."""
    cursors = {
        name: {"upto": each.upto, "digest": each.digest.hex(), "names": each.names}
        for name, each in position.cursors.items()
        if isinstance(each.digest, bytes)
    }
    content = {"ledger": position.ledger, "epoch": position.epoch, "cursors": cursors}
    write_private(data / SENT, json.dumps(content))
