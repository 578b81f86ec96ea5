"""Find the newest copy of a ledger by row numbers, without relying on a clock.

A Raspberry Pi has no clock that runs without power. If it is unplugged every night, all evenings may have the same
date, and a copied file has the date of the copying. Row numbers always increase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.ledger import Ledger, LedgerFault, newest_row


class Age(NamedTuple):
    """A sort key for the age of a copy, compared with other copies of the same ledger.

    *this_line* is true if the present ledger begins with the rows of the copy. If not, the copy is from before a
    restore and was continued separately. Such a copy counts as older, even if it has more rows.
    """

    this_line: bool
    newest_row: int


def age_in(ledger: Path) -> Callable[[Path], Age]:
    """Return a function that returns the age of a copy of *ledger*.

    If *ledger* cannot be read, only the row numbers of copies are compared.
    """
    known: dict[int, object] = {}

    def of(copy: Path) -> Age:
        try:
            number, digest = newest_row(copy)
        except LedgerFault:
            return Age(False, 0)
        if number not in known:
            known[number] = _digest(ledger, number)
        return Age(number > 0 and digest is not None and known[number] == digest, number)

    return of


def newest_first(ledger: Path, copies: Iterable[Path]) -> list[Path]:
    """Return the *copies* of *ledger*, newest first; unreadable ones come last."""
    age = age_in(ledger)
    return sorted(sorted(copies), key=age, reverse=True)


def _digest(ledger: Path, number: int) -> object:
    """Return the checksum of a row of the *ledger*, or None if there is no such row."""
    try:
        with closing(Ledger.read_only(ledger)) as there:
            found = there.stored_digest(number)
    except LedgerFault:
        return None
    return None if found is None else found[1]
