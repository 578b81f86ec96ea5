"""The errors that say why a ledger cannot be used. Each message is a sentence for the person who starts the program."""

from __future__ import annotations

from companion.kernel.names import one_line
from companion.kernel.said import Said, joined, said

LONGEST_REASON = 200


def reason(error: Exception) -> str:
    """Return the message of *error* on one line, shortened: SQLite may quote text from an untrusted file."""
    text = one_line(str(error))
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…"


class LedgerFault(Exception):
    """This file cannot be used as a ledger."""


class LedgerInUse(LedgerFault):
    """Another process owns the ledger. Two writers would corrupt the order of the rows."""


class LedgerTooNew(LedgerFault):
    """A newer version of the program wrote this ledger, in a format that this version does not know."""


class LedgerDamaged(LedgerFault):
    """The structure of the file is damaged, not only one row in it. Retrying does not help."""


class Unreadable(LedgerFault):
    """Rows cannot be read at the moment, although the ledger is open."""

    @property
    def refusal(self) -> Said:
        """Return two sentences that say why a request that needs these rows is refused."""
        return joined(self.args[0], said("It needs earlier rows."))


class PagesDamaged(Unreadable, LedgerDamaged):
    """Rows cannot be read because pages of the file are damaged."""

    @property
    def refusal(self) -> Said:
        """Return sentences that say why a request that needs these rows is refused, and what to do about it."""
        advice = said("Restart the companion. It saves what's readable to a new ledger.")
        return joined(self.args[0], advice)
