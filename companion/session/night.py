"""Export the games of one night as a small ledger, and check such a file or a backup before it is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from companion.kernel.errors import Malformed, Refused
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.said import Said, listed, said
from companion.kernel.shown import shows
from companion.ledger import Ledger, LedgerFault, foreign_extent, merge, verify
from companion.model.game import AnyGame
from companion.model.snapshot import GameEntry
from companion.session.content_gate import check_content

NIGHT_S = 12 * 3600
"""Games last played within this many seconds of the newest one belong to the same night."""


def night_of(entries: Iterable[GameEntry]) -> tuple[int, ...]:
    """Return the games of the newest night, newest first, without damaged ones.

    The newest game is the game with the highest row number, because the wall clock may have been set back. Games that
    came from other ledgers are compared by date only.
    """
    whole = [entry for entry in entries if not entry.damage]
    if not whole:
        return ()
    newest = max(whole, key=lambda entry: (entry.own_row, entry.last))
    return tuple(entry.id for entry in whole if abs(newest.last - entry.last) < NIGHT_S)


def written(source: Path, games: tuple[int, ...], target: Path) -> None:
    """Write a ledger to *target* with *games* of the ledger at *source*, and with its copies and calibrations.

    The file is meant for other people, so it doesn't contain the seed of an unfinished game. *source* may be in use.
    """
    try:
        with closing(Ledger.read_only(source)) as ours, closing(Ledger.open(target)) as night:
            merge(night, ours, ours.last, games, keep_sealed=True)
    except LedgerFault as fault:
        raise Refused(said("The night can't be saved as a file: %(why)s", why=str(fault))) from fault


@shows("names")
class NamesAtStake(Refused):
    """Raised if a merge would change names in this ledger.

    It maps each name to its new name (or None) and its games.
    """

    def __init__(self, names: Mapping[str, tuple[str | None, tuple[int, ...]]]) -> None:
        self.names = names
        changes = [_change(each) for each in names.items()]
        super().__init__(said("Names here would change: %(names)s", names=listed(changes)))


def _change(change: tuple[str, tuple[str | None, tuple[int, ...]]]) -> Said:
    old, (new, games) = change
    where = listed([str(game) for game in sorted(games)])
    if new is None:
        return said("%(old)s would go (game %(games)s)", old=old, games=where)
    return said("%(old)s would become %(new)s (game %(games)s)", old=old, new=new, games=where)


def sound(file: Path, games: Mapping[str, AnyGame], watch: ProgressWatch = unwatched) -> None:
    """Raise `Refused` unless *file* is an undamaged ledger with games that a companion could have written.

    The message names the first bad row. *watch* shows the number of checked games.
    """
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
    try:
        check_content(file, games, watch)
    except LedgerFault as fault:
        raise Refused(said("This file isn't a backup that can be read.")) from fault
    except Malformed as fault:
        raise Refused(said("Nothing was imported: %(why)s", why=fault.reason)) from None
