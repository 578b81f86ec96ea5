"""Set a ledger aside: rename all its files.

It is not deleted, because even a damaged ledger may have the only copy of a game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.kernel.moments import for_file_names
from companion.ledger import PARTS, damage_mark

BEFORE, DAMAGED = "ledger", "damaged-ledger"
_SAVED_AS = " The old one is saved as "


def restore_report(copy: Path, old: Path | None) -> str:
    """Return the output of `companion restore` after *copy* has replaced the ledger, which is saved as *old*."""
    return f"{copy} is the ledger now." + (f"{_SAVED_AS}{old}." if old else "")


def old_ledger_in(output: str) -> Path | None:
    """Return the path of the old ledger in the *output* of `companion restore`; a rollback finds it there.

    >>> old_ledger_in(restore_report(Path("b.sqlite"), Path("/data/ledger-1.sqlite")))
    PosixPath('/data/ledger-1.sqlite')
    """
    found = (line.partition(_SAVED_AS) for line in output.splitlines())
    return next((Path(path.removesuffix(".")) for _, saved, path in found if saved), None)


def set_aside(ledger: Path, called: str = BEFORE) -> Path | None:
    """Rename *ledger* with all its files to a new name with a date. Return that name, or None if there is no ledger.

    If the file system has hard links, the file also stays at its old name until another file replaces it, so that a
    power cut cannot leave the folder without a ledger. The caller must own the ledger, and it must not be open
    anywhere.
    """
    damage_mark(ledger).unlink(missing_ok=True)
    if not ledger.exists():
        return None
    target = free_name(ledger, called)
    try:
        target.hardlink_to(ledger)
    except OSError:
        ledger.replace(target)
    for each in PARTS[1:]:
        with suppress(FileNotFoundError):
            _part(ledger, each).replace(_part(target, each))
    return target


def free_name(ledger: Path, called: str = BEFORE) -> Path:
    """Return a name with a date, in the folder of *ledger*, that no file of a ledger has yet."""
    return next(name for name in _names(ledger, called) if not any(_part(name, each).exists() for each in PARTS))


def newest_backup(data: Path) -> Path | None:
    """Return the newest readable copy of a ledger in the folder *data*, or None. Copies without rows are ignored."""
    from companion.app.newest_copies import newest_first
    from companion.ledger import LedgerFault, foreign_extent

    noted = noted_backup(data)
    found = [*data.glob("ledger-*.sqlite"), *(data / "backups").glob("*.sqlite"), *([noted] if noted else [])]
    for each in newest_first(data / LEDGER, filter(Path.is_file, found)):
        with suppress(LedgerFault):
            if foreign_extent(each).rows:
                return each
    return None


def note_backup(data: Path, backup: Path) -> None:
    """Save the path of *backup*, so that it can be offered later."""
    from companion.kernel.private_file import write_private

    with suppress(OSError):  # the backup was made and its path was printed, so a failure to save the path does no harm
        write_private(data / NOTE, f"{backup.absolute()}\n")


NOTE = "last-backup"


def noted_backup(data: Path) -> Path | None:
    """Return the path of the last `companion backup` of *data*. The file may no longer exist."""
    try:
        return Path((data / NOTE).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None


def _names(ledger: Path, called: str) -> Iterator[Path]:
    day = for_file_names(time.time())
    yield ledger.with_name(f"{called}-{day}.sqlite")
    for number in count(2):
        yield ledger.with_name(f"{called}-{day}-{number}.sqlite")


def _part(ledger: Path, part: str) -> Path:
    return ledger.with_name(ledger.name + part)
