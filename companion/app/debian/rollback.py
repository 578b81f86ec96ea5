"""Install the previous package again. If it cannot read the present ledger, a backup is restored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.app.debian.kept_packages import forget_others, the_one_before
from companion.app.debian.package import Package, System
from companion.app.debian.update import check_answers, keep_the_way_back, refuse_while
from companion.app.exit_codes import Failed
from companion.app.newest_copies import newest_first
from companion.kernel.moments import in_this_zone
from companion.ledger import Extent, LedgerFault, extent

BACKUPS = "backups"


def rollback(
    data: Path, system: System, playing: Callable[[], bool], agreed: Callable[[str], bool], folder: Path
) -> Iterator[str]:
    """Install the previous package, and yield a sentence for each thing done.

    If the previous version cannot read the ledger in *data*, *agreed* is called with a question that offers to restore
    a backup and lists the games that the backup does not contain. Raises `Failed`.
    """
    now = system.here()
    file, package = the_one_before(folder, system)
    refuse_while(playing)
    backup = _readable(data, package)
    if backup is not None and not agreed(_offer(data, package, *backup)):
        raise Failed("nothing changed")
    yield from keep_the_way_back(now, system, folder)
    yield from _installed(file, system, None if backup is None else backup[0])
    forget_others(folder, system, now.version, package.version)
    yield f"The companion is {package.version} again, after {now.version}."
    yield from check_answers(system)


def _installed(file: Path, system: System, backup: Path | None) -> Iterator[str]:
    """Install *file*, and replace the ledger by *backup* if it is given.

    If that fails, the present ledger is restored.
    """
    if backup is None:
        system.install(file)
        return
    system.stop()
    try:
        aside = system.restore(backup)
    except Failed:
        system.start()
        raise
    try:
        system.install(file)
    except Failed:
        if aside is not None:
            system.stop()
            system.restore(aside)
            system.start()
        raise
    later = "after an update, companion restore brings it back"
    yield f"{backup} is the ledger now. The newer one is saved as {aside}; {later}."


def _readable(data: Path, package: Package) -> tuple[Path, Extent] | None:
    """Return the newest backup that *package* can read, or None if it can read the present ledger.

    Raises `Failed` if it can read neither.
    """
    if not (data / LEDGER).is_file() or _extent(data / LEDGER).version <= package.ledger:
        return None
    for path in _backups(data):
        try:
            found = extent(path)
        except LedgerFault:
            continue  # another backup may be intact
        if found.version <= package.ledger:
            return path, found
    raise Failed(
        f"version {package.version} can't read today's ledger, and no backup in {data} fits it; nothing changed"
    )


def _backups(data: Path) -> list[Path]:
    """Return the copies of the ledger in *data*, newest first.

    The copies are backups, and the ledgers that a restore replaced.
    """
    found = {*(data / BACKUPS).glob("*.sqlite"), *data.glob("ledger-*.sqlite")}
    return newest_first(data / LEDGER, found)


def _offer(data: Path, package: Package, path: Path, backup: Extent) -> str:
    """Return a question that offers *backup* and says which games are missing in it."""
    ledger = _extent(data / LEDGER)
    day = in_this_zone(backup.newest_ms / 1000)
    games, rows = max(0, ledger.games - backup.games), max(0, ledger.rows - backup.rows)
    return (
        f"Version {package.version} can't read today's ledger (version {ledger.version}; it knows up to "
        f"{package.ledger}).\nThe newest backup that fits is {path}, up to {day}: "
        f"{_counted(games, 'game')} and {_counted(rows, 'row')} from later would be missing.\n"
        "Today's ledger would be saved in the same folder."
    )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _extent(path: Path) -> Extent:
    try:
        return extent(path)
    except LedgerFault as fault:
        raise Failed(f"{fault} Put a backup in its place first, companion restore FILE; nothing changed") from None
