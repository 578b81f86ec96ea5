"""One night by itself: its games in a small ledger of their own, and such a ledger, or any backup, laid in again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import Said, listed, said
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.shown import shows
from companion.ledger import Ledger, LedgerFault, foreign_extent, merge, verify
from companion.model.game import AnyGame
from companion.model.snapshot import GameEntry
from companion.session.content_gate import check_content

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
    """Make a ledger of *games* of the ledger at *source*, which may be in use, and of its copies and calibrations.

    It leaves the house: the seed of a game that goes on stays behind.
    """
    try:
        with closing(Ledger.read_only(source)) as ours, closing(Ledger.open(target)) as night:
            merge(night, ours, ours.last, games, keep_sealed=True)
    except LedgerFault as fault:
        raise Refused(said("The night can't be saved as a file: %(why)s", why=str(fault))) from fault


@shows("names")
class NamesAtStake(Refused):
    """Names of ours that a merge would change: for each old one the new one, or None, and the games it stands in."""

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
    """Refuse a *file* that is no ledger of ours, has no games, or is damaged; the row at fault is named.

    So is one that holds what our program can't have written. *watch* sees each game.
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
