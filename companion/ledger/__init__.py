"""The ledger: an append-only SQLite file with a row for every event, its author and its time."""

from companion.ledger.copies import adopt_in_copy, holds_name, mend_copy, mentions, rename_in_copy
from companion.ledger.errors import LedgerDamaged, LedgerFault, LedgerInUse, LedgerTooNew, PagesDamaged, Unreadable
from companion.ledger.extent import Extent, extent, foreign_extent, newest_row
from companion.ledger.file import Ledger, damage_mark, wall_ms
from companion.ledger.findings import Finding, Harm, Verdict
from companion.ledger.lock import LedgerLock
from companion.ledger.merging import Merged, canonical, merge
from companion.ledger.opening import copy_as_it_is
from companion.ledger.queries import Volume
from companion.ledger.row import Row, RowKind, damaged
from companion.ledger.storage import PARTS, may_pass
from companion.ledger.verification import verify

__all__ = [
    "PARTS",
    "Extent",
    "Finding",
    "Harm",
    "Ledger",
    "LedgerDamaged",
    "LedgerFault",
    "LedgerInUse",
    "LedgerLock",
    "LedgerTooNew",
    "Merged",
    "PagesDamaged",
    "Row",
    "RowKind",
    "Unreadable",
    "Verdict",
    "Volume",
    "adopt_in_copy",
    "canonical",
    "copy_as_it_is",
    "damage_mark",
    "damaged",
    "extent",
    "foreign_extent",
    "holds_name",
    "may_pass",
    "mend_copy",
    "mentions",
    "merge",
    "newest_row",
    "rename_in_copy",
    "verify",
    "wall_ms",
]
