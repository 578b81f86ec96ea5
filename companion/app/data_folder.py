"""The data folder: the names of its files, and their permissions. Only the owner may open them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from companion.app.exit_codes import BadUse
from companion.kernel.private_file import (
    FILE,
    FOLDER,
    MODES,
    OTHERS,
    Modes,
    has_permissions,
    make_private_folder,
)

LEDGER, SERVICE, TOKEN, CAPTURES = "ledger.sqlite", "service.json", "token", "captures"
CONSOLE = "console.toml"
MEMBERSHIP, POSITION, CLUB = "club.json", "club-sent.json", "club"
"""The files with a table's membership in a club and with the number of its sent rows; the folder of a club."""
HOME = "home.json"
"""The file of a table that is shown in Home Assistant."""
KEYS = ("pin", "secret", "token", "*.json")
OURS = (
    *("*.sqlite*", "*.told*", "last-backup", SERVICE),
    *(CAPTURES, f"{CAPTURES}/ring-*.log", "backups", "backups/*.sqlite*"),
    *(CLUB, f"{CLUB}/*", f"{CLUB}/sheets/*"),
)
"""Patterns of files that only their owner may open.

Keys are not among them, because `web.auth` replaces keys that others could read.
"""
MOST_NAMED = 6


def make_folder(data: Path) -> Path:
    """Create *data* if it is missing and return it, or raise `BadUse`."""
    try:
        make_private_folder(data)
    except OSError as fault:
        raise BadUse(f"--data: {data} can't be created: {fault.strerror}") from None
    return data


def open_to_others(data: Path, modes: Modes = MODES) -> Iterator[Path]:
    """Yield the files in *data* that other users may open, and *data* if it has only files of this program."""
    found = [data] if _only_our_files(data) else []
    yield from (path for path in (*found, *ours_in(data)) if modes.mode(path) & OTHERS)


def ours_in(data: Path) -> list[Path]:
    """Return the files that this program has written to *data*, sorted, without links."""
    return sorted(path for pattern in OURS for path in data.glob(pattern) if not path.is_symlink())


def mend_modes(data: Path, modes: Modes = MODES) -> Iterator[str]:
    """Remove other users' permissions from the files in *data*.

    Yield a message about the files that were fixed, and one about those that could not be fixed.
    """
    wide = list(open_to_others(data, modes))
    if wide and not has_permissions(data, modes):
        yield f"{data} is on a file system without permissions: anyone on this computer can read the games."
        return
    mended, left = [], []
    for path in wide:
        before = f"{path} ({modes.mode(path):04o})"
        try:
            modes.give(path, FOLDER if path.is_dir() else FILE)
            mended.append(before)
        except OSError as fault:
            left.append(f"{before}: {fault.strerror}")
    if mended:
        yield f"Other users could open these; now only their owner can: {_listed(mended)}."
    if left:
        yield f"Other users can open these, and this can't be changed: {_listed(left)}."


def _only_our_files(data: Path) -> bool:
    """Return whether a folder contains only files of this program, so that its permissions may be restricted.

    This is False for a shared folder such as `/tmp`, and for a home folder with other files.
    """
    if data.stat().st_mode & stat.S_ISVTX or not os.access(data, os.R_OK | os.X_OK):
        return False
    ours = (*OURS, *KEYS, CONSOLE, ".*")
    if all(any(each.match(pattern) for pattern in ours) for each in data.iterdir()):
        return True  # this is an empty folder, or the home of a user that exists only for this program
    return (data / LEDGER).exists() and data != Path.home()


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
