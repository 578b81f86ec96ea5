"""The ways in which a ledger cannot be used: each a clear sentence for whoever starts the program."""

from __future__ import annotations

from companion.kernel.i18n import Said, joined, said


class LedgerFault(Exception):
    """This file cannot be used as a ledger."""


class LedgerInUse(LedgerFault):
    """Another process owns the ledger: two writers would tell two stories."""


class LedgerTooNew(LedgerFault):
    """A newer program wrote this ledger: this one would not understand it."""


class Unreadable(LedgerFault):
    """What was written cannot be read now, though the ledger is open."""

    @property
    def refusal(self) -> Said:
        """Why what needs it cannot be done, in two sentences."""
        return joined(self.args[0], said("This needs what was written earlier."))
