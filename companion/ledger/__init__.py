"""The ledger: an append-only file of everything that happened, and who said so."""

from companion.ledger.errors import LedgerFault, LedgerInUse, LedgerTooNew, Unreadable
from companion.ledger.extent import Extent, extent
from companion.ledger.file import Ledger, wall_ms
from companion.ledger.findings import Finding, Harm, Verdict
from companion.ledger.lock import Ownership
from companion.ledger.queries import Volume
from companion.ledger.row import Kind, Row, damaged
from companion.ledger.storage import PARTS, may_pass
from companion.ledger.verification import verify

__all__ = [
    "PARTS",
    "Extent",
    "Finding",
    "Harm",
    "Kind",
    "Ledger",
    "LedgerFault",
    "LedgerInUse",
    "LedgerTooNew",
    "Ownership",
    "Row",
    "Unreadable",
    "Verdict",
    "Volume",
    "damaged",
    "extent",
    "may_pass",
    "verify",
    "wall_ms",
]
