"""Backups that nobody has to think of: at the start and after each game, thinned by age, in little of the free room.

They lie in the data folder, on the same card: they help against a damaged file, not against a dead card.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.app.exit_codes import Failed
from companion.app.ledger_copy import copy_ledger
from companion.app.workers import Errand
from companion.kernel.i18n import said
from companion.kernel.private_file import make_private_folder
from companion.kernel.supervisor import Supervisor
from companion.kernel.values import dataclass
from companion.ledger import Ledger, LedgerFault
from companion.model.snapshot import Snapshot, Status
from companion.session.table import Table

FOLDER, CALLED, DATED = "backups", "night", "%Y%m%d-%H%M%S"
SHARE = 10
"""Backups take one part in so many of the room that would be free without them."""
NEWEST = 3
PERIODS: tuple[tuple[int, str], ...] = ((7, "%Y-%m-%d"), (5, "%G-%V"), (12, "%Y-%m"), (10, "%Y"))
"""Of so many of the newest days, weeks, months and years that have a backup, the newest one each is kept."""
OVER = (Status.FINISHED, Status.ABANDONED)


@dataclass(frozen=True)
class Backup:
    """A backup: when it was made (UTC), and how many bytes it has."""

    path: Path
    made: datetime
    size: int


def kept(backups: Sequence[Backup], room: int) -> tuple[Backup, ...]:
    """Return which of *backups* stay in *room* bytes, the newest first; the newest one stays however large it is."""
    newest_first = sorted(backups, key=lambda backup: backup.made, reverse=True)
    wanted = dict.fromkeys(newest_first[:NEWEST])
    for most, period in PERIODS:
        wanted |= dict.fromkeys(_newest_of_each(newest_first, period)[:most])
    found, taken = list[Backup](), 0
    for backup in sorted(wanted, key=lambda backup: backup.made, reverse=True):
        taken += backup.size
        if found and taken > room:
            break
        found.append(backup)
    return tuple(found)


def _newest_of_each(newest_first: Sequence[Backup], period: str) -> list[Backup]:
    """Return the newest backup of each *period* (a pattern of strftime), the newest first."""
    by_period = {backup.made.strftime(period): backup for backup in reversed(newest_first)}
    return sorted(by_period.values(), key=lambda backup: backup.made, reverse=True)


class NightlyBackups:
    """The backups of one data folder."""

    def __init__(
        self,
        data: Path,
        complain: Callable[[str], None],
        now: Callable[[], float] = time.time,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Look after the ledger in *data*; *complain* is told why one could not be made, *free* gives free bytes."""
        self._ledger, self._folder = data / LEDGER, data / FOLDER
        self._complain, self._now, self._free = complain, now, free

    def make(self) -> Path | None:
        """Make a backup and thin the older ones; None where the newest has all, or where there is no room or card."""
        try:
            if self._has_all():
                return None
            make_private_folder(self._folder)
            path = self._folder / f"{CALLED}-{datetime.fromtimestamp(self._now(), UTC):{DATED}}.sqlite"
            if self._ledger.stat().st_size > self._room():
                self._complain(f"There's no room for a backup in {self._folder}: it may take a tenth of what is free.")
                return None
            copy_ledger(self._ledger, path)
            self._thin()
        except (OSError, LedgerFault, Failed) as fault:
            self._complain(f"No backup could be made: {fault}")
            return None
        return path

    def all(self) -> tuple[Backup, ...]:
        """Return the backups that were made here, the newest first."""
        found = []
        for path in self._folder.glob(f"{CALLED}-*.sqlite"):
            with suppress(ValueError, OSError):
                made = datetime.strptime(path.stem.removeprefix(f"{CALLED}-"), DATED).replace(tzinfo=UTC)
                found.append(Backup(path, made, path.stat().st_size))
        return tuple(sorted(found, key=lambda backup: backup.made, reverse=True))

    def _room(self) -> int:
        return (self._free(self._folder) + sum(backup.size for backup in self.all())) // SHARE

    def _has_all(self) -> bool:
        """Tell whether there is nothing to be kept that the newest backup lacks."""
        newest = next(iter(self.all()), None)
        return _end(self._ledger) in (None, None if newest is None else _end(newest.path))

    def _thin(self) -> None:
        stay = kept(self.all(), self._room())
        for backup in self.all():
            if backup not in stay:
                backup.path.unlink(missing_ok=True)


def _end(path: Path) -> object:
    """Return the newest row of the ledger at *path* with its checksum, None where none can be read."""
    try:
        ledger = Ledger.read_only(path)
    except LedgerFault:
        return None
    try:
        return ledger.newest_kept()
    finally:
        ledger.close()


def backups_kept(table: Table, backups: NightlyBackups, threads: Supervisor) -> Callable[[], None]:
    """Have a backup made now and whenever a game is over, in a thread of its own; returns the end of it."""

    def make() -> None:
        backups.make()

    errand = Errand(threads, "backups", make, said("The backup"))
    before = [table.snapshot.status]

    def look(snapshot: Snapshot) -> None:
        if snapshot.status in OVER and before[0] not in OVER:
            errand.ask()
        before[0] = snapshot.status

    unsubscribe = table.subscribe(look)
    errand.ask()

    def end() -> None:
        unsubscribe()
        errand.end()

    return end
