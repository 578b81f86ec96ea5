"""Which copy of a ledger is the newest: the one that holds most of its rows, whatever any clock has said.

A Pi has no clock of its own. With its plug pulled each night every evening may have the same date, and a file that was
copied has the date of the copying. Row numbers only go up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from companion.ledger import Ledger, LedgerFault, newest_row


class Age(NamedTuple):
    """How new a copy is, to be compared with others of the same ledger.

    A copy of *this_line* is a beginning of the ledger as it is now. Another one went on by itself: it was played on
    after a restore took the ledger back to before it. So it counts as older, however many rows it has.
    """

    this_line: bool
    newest_row: int


def age_in(ledger: Path) -> Callable[[Path], Age]:
    """Return what tells the age of a copy of *ledger* by the rows that are there now; without any, by numbers alone."""
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
    """Return the *copies* of *ledger*, the newest first; those that can't be read come last."""
    age = age_in(ledger)
    return sorted(sorted(copies), key=age, reverse=True)


def _digest(ledger: Path, number: int) -> object:
    """Return the checksum of a row of the *ledger*, None where there is none."""
    try:
        with closing(Ledger.read_only(ledger)) as there:
            found = there.kept(number)
    except LedgerFault:
        return None
    return None if found is None else found[1]
