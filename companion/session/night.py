"""One night by itself: its games in a small ledger of their own, and such a ledger, or any backup, laid in again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import Said, listed, said
from companion.ledger import Ledger, LedgerFault, merge, verify
from companion.model.game import AnyGame
from companion.model.snapshot import GameEntry
from companion.session.content_gate import check_content

NIGHT_S = 12 * 3600
"""Games that somebody went on with so long before the newest belong to the same night."""


def night_of(entries: Iterable[GameEntry]) -> tuple[int, ...]:
    """Return the games of the newest night, damaged ones left out, the newest first."""
    whole = [entry for entry in entries if not entry.damage]
    newest = max((entry.last for entry in whole), default=0.0)
    return tuple(entry.id for entry in whole if newest - entry.last < NIGHT_S)


def written(source: Path, games: tuple[int, ...], target: Path) -> None:
    """Make a ledger of *games* of the ledger at *source*, which may be in use, and of its copies and calibrations.

    It leaves the house: the seed of a game that goes on stays behind.
    """
    try:
        with closing(Ledger.read_only(source)) as ours, closing(Ledger.open(target)) as night:
            merge(night, ours, ours.last, games, keep_sealed=True)
    except LedgerFault as fault:
        raise Refused(said("The night can't be saved as a file: %(why)s", why=str(fault))) from fault


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


def sound(file: Path, games: Mapping[str, AnyGame]) -> None:
    """Refuse a *file* that is no ledger, is damaged, or holds what our program can't have written; the row is named."""
    try:
        findings = verify(file).findings
    except LedgerFault as fault:
        raise Refused(said("This file isn't a backup that can be read.")) from fault
    if findings:
        raise Refused(said("This backup is damaged, so nothing was imported: %(why)s", why=findings[0].sentence))
    try:
        check_content(file, games)
    except LedgerFault as fault:
        raise Refused(said("This file isn't a backup that can be read.")) from fault
    except Malformed as fault:
        raise Refused(said("Nothing was imported: %(why)s", why=fault.reason)) from None
