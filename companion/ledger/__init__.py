"""The ledger: an append-only file of everything that happened, and who said so."""

from companion.ledger.faults import LedgerFault, LedgerInUse, LedgerTooNew
from companion.ledger.file import Ledger
from companion.ledger.row import Kind, Row

__all__ = ["Kind", "Ledger", "LedgerFault", "LedgerInUse", "LedgerTooNew", "Row"]
