"""Check the free disk space, and estimate how many evenings of play fit in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.app.health.finding import HealthFinding, care, fine
from companion.model.snapshot import GameEntry

LOW_SPACE_MB = 100.0
FEW_FILES = 20
USUAL_MB = 1.0
"""The size of one evening in MB, estimated from simulated games. Three games with a ring take a little less."""
ENOUGH = 3
"""If there are at least this many evenings, their average size is used instead of `USUAL_MB`."""
DAY_S, NIGHT_S = 86_400, 6 * 3_600
"""The lengths of a day and of a night in seconds. A game before six in the morning belongs to the evening before."""

MAKE_ROOM = "Move other files away before game night, and leave the ledger there"


def evenings_of(games: Iterable[GameEntry]) -> int:
    """Return the number of different evenings on which *games* were started."""
    return len({(game.began - NIGHT_S) // DAY_S for game in games if game.began})


def room(data: Path, evenings: int) -> HealthFinding:
    """Return a finding with the free space on the disk of *data*, and the number of evenings that fit in it.

    *evenings* is the number of evenings already stored there.
    """
    there = existing(data)
    disk = os.statvfs(there)
    free = disk.f_bavail * disk.f_frsize / 1e6
    each, by = _one_evening(data, evenings)
    left = f"room for about {int(free / each):,} evenings ({each:.1f} MB each, {by})"
    if free < LOW_SPACE_MB:
        return care("room", f"Only {free:.0f} MB free at {there}, {left}. {MAKE_ROOM}.")
    if disk.f_files and disk.f_favail < FEW_FILES:
        return care("room", f"{there} has room for only {disk.f_favail} more files. {MAKE_ROOM}.")
    return fine("room", f"{free:,.0f} MB free at {there}, {left}.")


def existing(folder: Path) -> Path:
    """Return *folder*, or its nearest parent that exists."""
    return next(each for each in (folder, *folder.absolute().parents) if each.exists())


def _one_evening(data: Path, evenings: int) -> tuple[float, str]:
    """Return the size of an evening in MB, and a phrase that says how the figure was found."""
    if evenings < ENOUGH:
        return USUAL_MB, "an estimate from simulated ones"
    taken = sum(path.stat().st_size for path in (data / LEDGER, data / f"{LEDGER}-wal") if path.exists())
    return max(taken / evenings / 1e6, 0.1), f"like the {evenings} here"
