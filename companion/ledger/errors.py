"""The ways in which a ledger cannot be used: each a clear sentence for whoever starts the program."""

from __future__ import annotations

from companion.kernel.i18n import Said, joined, said
from companion.kernel.names import one_line

LONGEST_REASON = 200


def reason(error: Exception) -> str:
    """Return what *error* says, on one line: SQLite repeats what a file of somebody else says."""
    text = one_line(str(error))
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"


class LedgerFault(Exception):
    """This file cannot be used as a ledger."""


class LedgerInUse(LedgerFault):
    """Another process owns the ledger: two writers would tell two stories."""


class LedgerTooNew(LedgerFault):
    """A newer program wrote this ledger: this one would not understand it."""


class LedgerDamaged(LedgerFault):
    """The file itself is damaged, and not only a row in it: it will not get better by waiting."""


class Unreadable(LedgerFault):
    """What was written cannot be read now, though the ledger is open."""

    @property
    def refusal(self) -> Said:
        """Why what needs it cannot be done, in two sentences."""
        return joined(self.args[0], said("It needs earlier rows."))


class PagesDamaged(Unreadable, LedgerDamaged):
    """What was written cannot be read, for the pages that held it are damaged."""

    @property
    def refusal(self) -> Said:
        """Why what needs it cannot be done, and what can be done about it."""
        advice = said("Restart the companion. It saves what's readable to a new ledger.")
        return joined(self.args[0], advice)
