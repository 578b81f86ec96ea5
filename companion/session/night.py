"""One night by itself: its games in a small ledger of their own, and such a ledger, or any backup, laid in again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.kernel.errors import Refused
from companion.kernel.i18n import said
from companion.ledger import Ledger, LedgerFault, foreign_extent, merge, verify
from companion.model.snapshot import GameEntry

NIGHT_S = 12 * 3600
"""Games that somebody went on with so close to the newest, by the clock, belong to the same night."""


def night_of(entries: Iterable[GameEntry]) -> tuple[int, ...]:
    """Return the games of the newest night, damaged ones left out, the newest first.

    Which game is the newest its row says, since the clock may have gone back; games that came from other ledgers have
    only their dates.
    """
    whole = [entry for entry in entries if not entry.damage]
    if not whole:
        return ()
    newest = max(whole, key=lambda entry: (entry.own_row, entry.last))
    return tuple(entry.id for entry in whole if abs(newest.last - entry.last) < NIGHT_S)


def written(source: Path, games: tuple[int, ...], target: Path) -> None:
    """Make a ledger of *games* of the ledger at *source*, which may be in use, and of its copies and calibrations."""
    try:
        with closing(Ledger.read_only(source)) as ours, closing(Ledger.open(target)) as night:
            merge(night, ours, ours.last, games)
    except LedgerFault as fault:
        raise Refused(said("The night can't be saved as a file: %(why)s", why=str(fault))) from fault


def sound(file: Path) -> None:
    """Refuse a *file* that is no ledger of ours or has no games, or one of which a row is damaged, which is named."""
    try:
        if not foreign_extent(file).games:
            raise Refused(said("This backup holds no games, so nothing was imported."))
        verdict = verify(file)
    except LedgerFault as fault:
        raise Refused(said("This file isn't a backup that can be read.")) from fault
    if verdict.findings:
        why = verdict.findings[0].sentence
        raise Refused(said("This backup is damaged, so nothing was imported: %(why)s", why=why))
    if verdict.missing:
        raise Refused(said("This file isn't a backup that can be read."))
