"""The ledger: an append-only file of everything that happened, and who said so."""

from companion.ledger.errors import LedgerFault, LedgerInUse, LedgerTooNew, Unreadable
from companion.ledger.file import Ledger, wall_ms
from companion.ledger.lock import Ownership
from companion.ledger.queries import Volume
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
