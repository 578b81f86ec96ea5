"""Automatic backups at the start and after each game. Old backups are deleted, so that all together use little space.

They are in the data folder, on the same card. Therefore they help if the file is damaged, but not if the card fails.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.app.exit_codes import BadUse, Failed
from companion.app.ledger_copy import copy_ledger
from companion.app.newest_copies import Age, age_in
from companion.app.workers import Worker
from companion.kernel.private_file import make_private_folder
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.kernel.values import dataclass
from companion.ledger import LedgerFault, newest_row
from companion.model.snapshot import Snapshot
from companion.session.table import Table

FOLDER, CALLED, DATED = "backups", "night", "%Y%m%d-%H%M%S"
SHARE = 10
"""Backups may use this fraction (one tenth) of the space that would be free without them."""
NEWEST = 3
MOST_OF_A_SECOND = 10_000
PERIODS: tuple[tuple[int, str], ...] = ((7, "%Y-%m-%d"), (5, "%G-%V"), (12, "%Y-%m"), (10, "%Y"))
"""The backups to retain: the newest of each of the last 7 days, 5 weeks, 12 months and 10 years with backups."""


@dataclass(frozen=True)
class Backup:
    """A backup: its time by the clock (UTC), its size in bytes, and its age by row numbers.

    If two backups have the same rows, the backup with the later time counts as newer.
    """

    path: Path
    made: datetime
    size: int
    age: Age = Age(False, 0)

    @property
    def order(self) -> tuple[Age, datetime, str]:
        """A sort key that sorts the oldest backup first."""
        return self.age, self.made, self.path.name


def retained(backups: Sequence[Backup], room: int) -> tuple[Backup, ...]:
    """Return the backups to keep, newest first. They fit in *room* bytes; only the newest backup may be larger."""
    newest_first = _newest_first(backups)
    wanted = dict.fromkeys(newest_first[:NEWEST])
    for most, period in PERIODS:
        wanted |= dict.fromkeys(_newest_of_each(newest_first, period)[:most])
    found, taken = list[Backup](), 0
    for backup in _newest_first(wanted):
        taken += backup.size
        if found and taken > room:
            break
        found.append(backup)
    return tuple(found)


def _newest_of_each(newest_first: Sequence[Backup], period: str) -> list[Backup]:
    """Return the newest backup of each *period* (a strftime pattern), newest first."""
    by_period = {backup.made.strftime(period): backup for backup in reversed(newest_first)}
    return _newest_first(by_period.values())


def _newest_first(backups: Iterable[Backup]) -> list[Backup]:
    return sorted(backups, key=lambda backup: backup.order, reverse=True)


@shows("_folder")
class AutomaticBackups:
    """The automatic backups of one data folder."""

    def __init__(
        self,
        data: Path,
        complain: Callable[[str], None],
        now: Callable[[], float] = time.time,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Prepare backups of the ledger in *data*.

        *complain* is called with the reason if a backup cannot be made. *free* returns the free bytes of a folder.
        """
        self._ledger, self._folder = data / LEDGER, data / FOLDER
        self._complain, self._now, self._free = complain, now, free

    def make(self) -> Path | None:
        """Make a backup, delete old ones, and return its path.

        Return None if the newest backup is up to date, or if the backup fails.
        """
        try:
            before = self.all()
            if self._has_all(before):
                return None
            make_private_folder(self._folder)
            path = self._free_name()
            room = self._room(before)
            if self._ledger.stat().st_size > room:
                self._complain(f"There's no room for a backup in {self._folder}: it may take a tenth of what is free.")
                return None
            copy_ledger(self._ledger, path)
            self._thin(path, room)
        except (OSError, LedgerFault, BadUse, Failed) as fault:
            self._complain(f"No backup could be made: {fault}")
            return None
        return path

    def all(self) -> tuple[Backup, ...]:
        """Return the automatic backups, sorted by their rows, newest first."""
        found, age = [], age_in(self._ledger)
        for path in self._folder.glob(f"{CALLED}-*.sqlite"):
            with suppress(ValueError, OSError):
                # If there is already a backup with the same time, for example after the clock was set back, a number
                # follows the date.
                day = "-".join(path.stem.split("-")[1:3])
                made = datetime.strptime(day, DATED).replace(tzinfo=UTC)
                found.append(Backup(path, made, path.stat().st_size, age(path)))
        return tuple(_newest_first(found))

    def _free_name(self) -> Path:
        stem = f"{CALLED}-{datetime.fromtimestamp(self._now(), UTC):{DATED}}"
        names = (f"{stem}{more}.sqlite" for more in ("", *(f"-{number}" for number in range(2, MOST_OF_A_SECOND))))
        return next(path for path in map(self._folder.joinpath, names) if not path.exists())

    def _room(self, backups: Sequence[Backup]) -> int:
        return (self._free(self._folder) + sum(backup.size for backup in backups)) // SHARE

    def _has_all(self, backups: Sequence[Backup]) -> bool:
        """Return whether the newest backup already contains all rows."""
        number, digest = newest_row(self._ledger)
        return number == 0 or any(newest_row(backup.path) == (number, digest) for backup in backups[:1])

    def _thin(self, made: Path, room: int) -> None:
        """Delete the backups that are not to be retained, but never *made*, the backup that was just made."""
        found = self.all()
        stay = {made, *(backup.path for backup in retained(found, room))}
        for backup in found:
            if backup.path not in stay:
                backup.path.unlink(missing_ok=True)


def start_backups(table: Table, backups: AutomaticBackups, threads: Supervisor) -> Callable[[], None]:
    """Make backups in a thread of their own, now and after each game. Return a function that stops this thread."""

    def make() -> None:
        backups.make()

    errand = Worker(threads, "backups", make, said("The backup"))
    before = [table.snapshot.status]

    def look(snapshot: Snapshot) -> None:
        if snapshot.status.over and not before[0].over:
            errand.ask()
        before[0] = snapshot.status

    unsubscribe = table.subscribe(look)
    errand.ask()

    def end() -> None:
        unsubscribe()
        errand.end()

    return end
