"""How all that a game night takes is: data, storage, calibrations, service, console and ring, with advice."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from companion.app.data_folder import CAPTURES, CONSOLE, LEDGER
from companion.app.ledger_access import looked_through
from companion.app.running_service import neighbour
from companion.ledger import Ledger, LedgerFault
from companion.session.preferences import Preferences
from firmware_bridge import look_at
from firmware_bridge.pi_console import look_at_console

LOW_SPACE_MB = 100
OLD_DAYS = 180
"""A lamp ages and a window gets dusty: after so long a look at the white is worth while."""

Finding = tuple[bool, str]


def findings(data: Path, ring: str | None = None, console: Path | None = None) -> list[Finding]:
    """Return whether each thing is well, and a sentence about it; BadInput where *ring* is no address."""
    at_the_ring = [look_at(ring)] if ring else []
    return [
        _storage(data),
        _space(data),
        _captures(data),
        *_amiss(data),
        *_calibrations(data),
        _service(data),
        *_console(data, ring, console),
        *at_the_ring,
    ]


def _storage(data: Path) -> Finding:
    path = data / LEDGER
    if not path.is_file():
        return True, f"No ledger in {data} yet: the first game makes one."
    try:
        ledger = Ledger.read_only(path)
    except LedgerFault as fault:
        return False, f"{fault} Put a backup in its place: companion restore FILE."
    try:
        return True, f"The ledger in {data} opens; its newest row is {ledger.last}."
    finally:
        ledger.close()


def _amiss(data: Path) -> list[Finding]:
    """Say of each game, copy and calibration that is damaged what cannot be read; every game is gone through."""
    path = data / LEDGER
    if not path.is_file():
        return []
    try:
        found = looked_through(path)
    except LedgerFault:
        return []  # said above
    advice = "Nothing was changed; the rest can be played. A backup from before may have it whole."
    return [(False, f"{why} {advice}") for why in found]


def _space(data: Path) -> Finding:
    there = next(folder for folder in (data, *data.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free // 1_000_000
    if free < LOW_SPACE_MB:
        return False, f"Only {free} MB are free at {there}: make room before game night."
    return True, f"{free} MB are free at {there}."


def _service(data: Path) -> Finding:
    service = neighbour(data)
    if service is None:
        return True, "No service is running on this ledger."
    return True, f"The service answers at {service.url}."


def _console(data: Path, ring: str | None, named: Path | None) -> list[Finding]:
    """Look over the console that is named or lies in the data folder; a service has its pins while it runs."""
    path = named or data / CONSOLE
    if named is None and not path.is_file():
        return []
    return [look_at_console(path, ring or "", neighbour(data) is not None)]


def _captures(data: Path) -> Finding:
    """Say how much of what went over the wire is kept; it bounds itself."""
    folder = data / CAPTURES
    sizes = [each.stat().st_size for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []
    if not sizes:
        return True, "No captures of a ring yet."
    return True, f"Captures of the ring take {sum(sizes) / 1_000_000:.1f} MB in {folder}."


def _calibrations(data: Path) -> list[Finding]:
    """Say of each copy how old its newest calibration is; none where the ledger cannot be read, which is said above."""
    path = data / LEDGER
    if not path.is_file():
        return []
    try:
        ledger = Ledger.read_only(path)
    except LedgerFault:
        return []
    try:
        newest = Preferences(ledger).newest_calibrations
    except LedgerFault as fault:
        return [(False, str(fault))]
    finally:
        ledger.close()
    today = datetime.now(UTC)
    return [(True, _aged(copy, line.get("made"), today)) for copy, line in newest.items()]


def _aged(copy: str, made: object, today: datetime) -> str:
    """Say how old a calibration is; whether its white still fits, only the ring itself can tell."""
    try:
        day = datetime.fromisoformat(str(made))
    except ValueError:
        return f"The calibration of “{copy}” does not say when it was made."
    days = (today - (day if day.tzinfo else day.replace(tzinfo=UTC))).days
    old = " That is long: look at the white on the ring's page before you play." if days > OLD_DAYS else ""
    ago = "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"
    return f"The calibration of “{copy}” was made {ago}.{old}"
