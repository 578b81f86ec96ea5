"""Takes a whole record into the ledger, line by line through the same engine as a live table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.snapshot import ImportFault, Who
from companion.records import opened, reason_of
from companion.session.transaction import Transaction


def taken_in(lines: Iterable[Line], who: Who, begin: Callable[[Line], Transaction]) -> Transaction:
    """Return the transaction that holds the whole record, or raise `ImportFault` at the first line that is wrong.

    The companion plays nothing by itself: what it did at the table stands in
    the record already. Where the record tells times, steps begin as they did.
    """
    transaction: Transaction | None = None
    for index, line in enumerate(lines, 1):
        try:
            if transaction is None:
                transaction = begin(_object(line))
            else:
                _add(transaction, _object(line), who)
        except (Malformed, Refused) as fault:
            raise ImportFault(index, line, fault.reason) from fault
    if transaction is None:
        raise ImportFault(1, None, said("The record is empty."))
    if transaction.play.clock.game_ms:
        transaction.timed()
    transaction.close()
    return transaction


def _add(transaction: Transaction, line: Line, who: Who) -> None:
    envelope, bare = opened(line)
    if envelope.at is not None:
        if envelope.via != "companion":  # what it does by itself comes with the line before, and no step begins between
            transaction.timed()
        transaction.at(envelope.at)
    by = Who(who.name, envelope.via or who.via)
    if bare.get("do") != "undo":
        return transaction.decided(bare, by, envelope.note)
    return transaction.undo_one(by, reason_of(line) or "")


def _object(line: Any) -> Line:
    if not isinstance(line, Mapping):
        raise Malformed(said("A line of a record must be a JSON object."))
    return line
