"""Change names in a whole data folder: in the ledger, its backups and older copies, and the seats of phones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.app.ledger_aside import noted_backup
from companion.kernel.errors import Malformed, Refused
from companion.kernel.names import name_from
from companion.kernel.said import said
from companion.ledger import PARTS, LedgerFault, holds_name, mentions, rename_in_copy, wall_ms
from companion.model.people import Touched
from companion.session.table import Table
from companion.statistics import SUMMARIES

Called = Callable[[str, str | None], None]
"""A callback, called with an old name and the new name, or None for a removal."""


class StoredPeople:
    """The names in one data folder."""

    def __init__(self, table: Table, data: Path, called: Called) -> None:
        """*called* is a function that changes a name outside the ledger and its copies."""
        self._table, self._data, self._called = table, data, called

    def all(self) -> Mapping[str, tuple[int, ...]]:
        """Return for each name its games, newest first; 0 means rows outside any game."""
        return self._table.archive.people()

    def touched(self, name: str) -> Touched:
        """Return the games and files that a change of *name* would affect."""
        found = Touched(name, self._table.archive.games_of(name))
        for path in self._copies():
            try:
                if holds_name(path, name):
                    found = replace(found, copies=(*found.copies, path))
            except LedgerFault:
                if _may_mention(path, name):
                    found = replace(found, damaged=(*found.damaged, path))
        noted = noted_backup(self._data)
        return found if noted is None or noted.is_file() else replace(found, unreached=(noted,))

    def rename(self, old: str, new: str | None, drop_damaged: bool = False) -> Touched:
        """Change the name *old* to *new* everywhere, or remove it if *new* is None.

        Return the affected games and files. If the ledger cannot be changed, this raises `Refused` and nothing has
        changed. If *called* fails, it raises `Refused` too, but all other changes have been made.
        """
        if new is not None:
            try:
                new = name_from(new)
            except Malformed as fault:
                raise Refused(fault.reason) from None
        touched = self.touched(old)
        self._table.rename(old, new)
        done, left = list[Path](), list(touched.damaged)
        for path in touched.copies:
            try:
                rename_in_copy(path, old, new, wall_ms())
                done.append(path)
            except (LedgerFault, Refused):
                left.append(path)
        if drop_damaged:
            for path in left:
                _delete(path)
            left = []
        try:
            self._called(old, new)
        except OSError as fault:
            raise Refused(said("The phones still have the old name: %(why)s", why=str(fault))) from fault
        return replace(touched, copies=tuple(done), damaged=tuple(left))

    def _copies(self) -> Iterator[Path]:
        """Yield the copies of the ledger, intact or damaged.

        These are the copies in the folder, and the last backup.
        """
        noted = noted_backup(self._data)
        found = {*self._data.glob("*.sqlite"), *(self._data / "backups").glob("*.sqlite")}
        if noted is not None and noted.is_file():
            found.add(noted)
        own = {self._data / LEDGER, self._data / SUMMARIES}
        yield from sorted(path for path in found - own if path.is_file() and not path.is_symlink())


def _may_mention(path: Path, name: str) -> bool:
    """Return whether a file that is not a ledger contains *name*; True if it cannot be read."""
    try:
        return mentions(path, name)
    except OSError:
        return True


def _delete(path: Path) -> None:
    for part in PARTS:
        with suppress(OSError):
            path.with_name(path.name + part).unlink(missing_ok=True)
