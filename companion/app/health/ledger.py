"""Check the ledger: whether all games are readable, the age of the calibrations, the size of the captures."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from companion.app.data_folder import CAPTURES, LEDGER, TOKEN
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.room import evenings_of
from companion.app.ledger_access import table_of, whole_sentence
from companion.kernel.errors import Malformed
from companion.kernel.progress import ProgressWatch, unwatched
from companion.ledger import Ledger, LedgerFault, LedgerTooNew, may_pass, verify
from companion.session.table import Table
from companion.session.table_settings import TableSettings

OLD_DAYS = 180
"""After this many days the white reference should be checked, because lamps age and windows get dusty."""

MOST_NAMED = 20
UNCHANGED = "Nothing changed; the rest can be played. An older backup may have all of it."
RESTORE = (
    "The next start renames it and copies what's readable to a new one. "
    "If you have a copy: companion restore FILE; the present one is saved in the same folder"
)
_TAKE_AWAY = "move it away, then restore a backup or let the next start make a new ledger"
_MADE_AGAIN = "the next start creates it again"
CARD_FIRST = "The card causes this: fix that first, and leave the ledger as it is"


class Books(NamedTuple):
    """The findings about the ledger, the number of evenings in it, and the time of its newest row in seconds."""

    findings: tuple[HealthFinding, ...]
    evenings: int = 0
    newest: float | None = None


def looked_over(data: Path, watch: ProgressWatch = unwatched) -> Books:
    """Read the whole ledger in *data*, without changing it, and return the findings. *watch* is called for each row."""
    path = data / LEDGER
    if path.is_symlink() and not path.exists():
        return Books((care("ledger", f"{path} is a link that leads to no file: {_TAKE_AWAY}."), _captures(data)))
    if path.exists() and not path.is_file():
        return Books((care("ledger", f"{path} isn't a file: {_TAKE_AWAY}."), _captures(data)))
    if not path.exists():
        return Books((fine("ledger", f"No ledger in {data} yet: the first game makes one."), _captures(data)))
    if not path.stat().st_size and not _size_of_part(path, "-wal"):
        return Books((_empty(path), _captures(data)))
    try:
        with closing(Ledger.read_only(path)) as ledger:
            table = table_of(ledger)
            found = (_opens(data, ledger), *_rows(path, watch), *_amiss(table), *_names(ledger), *_calibrations(ledger))
            found = (*found, _captures(data))
            return Books(found, evenings_of(table.archive.games()), _newest(ledger))
    except LedgerFault as fault:
        return Books((why_not_opened(path, fault), _captures(data)))


def _size_of_part(path: Path, part: str) -> int:
    """Return the size of one of the ledger's other files in bytes, or 0 if it does not exist."""
    there = path.with_name(path.name + part)
    return there.stat().st_size if there.exists() else 0


def _empty(path: Path) -> HealthFinding:
    """Return the finding about an empty file: either a first start was interrupted, or games were lost."""
    if any(path.with_name(name).exists() for name in (f"{LEDGER}.newest", TOKEN, "pin", CAPTURES)):
        return care("ledger", f"{path} is empty, though games were saved here. {RESTORE}.")
    return note("ledger", f"{path} is empty: the next start makes it a new ledger.")


def _opens(data: Path, ledger: Ledger) -> HealthFinding:
    return fine("ledger", f"The ledger in {data} opens; its newest row is {ledger.last}.")


def why_not_opened(path: Path, fault: LedgerFault) -> HealthFinding:
    """Return the finding that the ledger at *path* cannot be read, with advice.

    The advice is never to delete a ledger that may be intact.
    """
    error = fault.__cause__
    if isinstance(fault, LedgerTooNew):
        return care("ledger", f"{path}: {fault}")
    if isinstance(error, sqlite3.Error) and may_pass(error):
        return care("ledger", f"{fault} {CARD_FIRST}.")
    return care("ledger", f"{fault} {RESTORE}.")


def _rows(path: Path, watch: ProgressWatch) -> Iterator[HealthFinding]:
    """Yield findings on whether every row matches its checksum and follows the row before it."""
    verdict = verify(path, watch)
    for each in verdict.findings[:MOST_NAMED]:
        yield care("rows", f"{each.sentence} {UNCHANGED}")
    if len(verdict.findings) > MOST_NAMED:
        yield care("rows", f"{len(verdict.findings) - MOST_NAMED} more such places.")
    if not verdict.findings:
        yield fine("rows", f"All rows match their checksums: {verdict.rows:,}.")
    for part in verdict.missing:
        yield note("triggers", f"The ledger's {part} is missing, without which rows could be changed: {_MADE_AGAIN}.")
    if verdict.end_unchecked:
        yield note("rows", verdict.end_unchecked)


def _amiss(table: Table) -> Iterator[HealthFinding]:
    """Yield a finding for each damaged game, copy and calibration. All games are replayed."""
    found = table.archive.amiss()
    for why in found:
        yield care("games", f"{whole_sentence(why)} {UNCHANGED}")
    if not found:
        count = len(table.archive.games())
        yield fine("games", f"All games can be read to their end: {count} of {count}.")


def _names(ledger: Ledger) -> Iterator[HealthFinding]:
    """Yield a finding about names with unprintable characters. Such names were saved before names were checked."""
    for name, games in ledger.unprintable_names().items():
        where = ", ".join(str(game) for game in dict.fromkeys(games) if game) or "no game"
        advice = f"companion names rename '{name}' NAME"
        yield care("names", f"{name} (game {where}) has characters that no page shows. Give another name: {advice}")


def _newest(ledger: Ledger) -> float | None:
    """Return the time of the newest row in seconds, or None if there is no row or it is damaged.

    `_amiss` reports the damage.
    """
    try:
        row = ledger.newest()
    except Malformed:
        return None
    return None if row is None else row.wall_ms / 1000


def _captures(data: Path) -> HealthFinding:
    """Return a finding with the size of the captures of the ring. Other code limits their size."""
    folder = data / CAPTURES
    sizes = [each.stat().st_size for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []
    if not sizes:
        return fine("captures", "No captures of a ring yet.")
    return fine("captures", f"Captures of the ring take {sum(sizes) / 1_000_000:.1f} MB in {folder}.")


def _calibrations(ledger: Ledger) -> Iterator[HealthFinding]:
    """Yield a finding with the age of the newest calibration of each copy."""
    today = datetime.now(UTC)
    for copy, line in TableSettings(ledger).newest_calibrations.items():
        yield _aged(copy, line.get("made"), today)


def _aged(copy: str, made: object, today: datetime) -> HealthFinding:
    """Return a finding with the age of a calibration.

    Only the ring itself can find out whether its white reference is still valid.
    """
    try:
        day = datetime.fromisoformat(str(made))
    except ValueError:
        return note("calibration", f"The calibration of “{copy}” doesn't say when it was made.")
    days = (today - (day if day.tzinfo else day.replace(tzinfo=UTC))).days
    ago = "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"
    if days > OLD_DAYS:
        look = "That's long ago: check the white on the ring's page before you play."
        return note("calibration", f"The calibration of “{copy}” was made {ago}. {look}")
    return fine("calibration", f"The calibration of “{copy}” was made {ago}.")
