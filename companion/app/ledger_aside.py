"""A ledger moved out of the way, whole, under a name of its own: a damaged one may be all that somebody has."""

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


def put_aside(ledger: Path, called: str = BEFORE) -> Path | None:
    """Keep the *ledger* with all its parts beside itself, by date under a name that nobody has; None without one.

    Another takes its place then: until that moment the file itself stays there too, where the card knows links, so
    that no power cut finds none. Nobody may have it open: whoever asks owns it.
    """
    damage_mark(ledger).unlink(missing_ok=True)
    if not ledger.exists():
        return None
    kept = free_name(ledger, called)
    try:
        kept.hardlink_to(ledger)
    except OSError:
        ledger.replace(kept)
    for each in PARTS[1:]:
        with suppress(FileNotFoundError):
            _part(ledger, each).replace(_part(kept, each))
    return kept


def free_name(ledger: Path, called: str = BEFORE) -> Path:
    """Return a name beside the *ledger*, by date, which nothing has that belongs to one."""
    return next(name for name in _names(ledger, called) if not any(_part(name, each).exists() for each in PARTS))


def newest_backup(data: Path) -> Path | None:
    """Return the newest copy of a ledger in the folder *data* that can be read as one, None where there is none."""
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
    """Remember where *backup* lies, so that it can be offered when it is needed."""
    from companion.kernel.private_file import write_private

    with suppress(OSError):  # it is made, and said where: that this is not remembered spoils nothing
        write_private(data / NOTE, f"{backup.absolute()}\n")


NOTE = "last-backup"


def noted_backup(data: Path) -> Path | None:
    """Return where the last `companion backup` of *data* was put, whether it is there now or not."""
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
