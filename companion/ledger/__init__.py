"""The ledger: an append-only file of everything that happened, and who said so."""

from companion.ledger.faults import LedgerFault, LedgerInUse, LedgerTooNew, Unreadable
from companion.ledger.file import Ledger, wall_ms
from companion.ledger.lock import Ownership
from companion.ledger.reading import Volume
from companion.ledger.row import Kind, Row, damaged

__all__ = [
    "Kind",
    "Ledger",
    "LedgerFault",
    "LedgerInUse",
    "LedgerTooNew",
    "Ownership",
    "Row",
    "Unreadable",
    "Volume",
    "damaged",
    "wall_ms",
]
