"""Backups of a board's files. A backup is a folder, and a note in it identifies it as a backup."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from firmware_bridge.firmware_image.build import CUSTOM
from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault
from firmware_bridge.firmware_image.manifest import digest_of
from firmware_bridge.flashing.repl import About, BoardRepl
from firmware_bridge.flashing.upload import PARTS

BACKUP_FILE = "kept.json"
FLASH = "flash"


def keep(board: BoardRepl, about: About, firmware: str, folder: Path) -> int:
    """Copy every file of *board* to the new folder *folder*. Return the number of files."""
    files = {path: board.read(path) for path in board.files()}
    note = {
        "board": about.words,
        "firmware": firmware,
        "files": {path: digest_of(data) for path, data in sorted(files.items())},
    }
    try:
        folder.mkdir(parents=True)
        for path, data in files.items():
            _write(folder / FLASH, path, data)
        (folder / BACKUP_FILE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise FirmwareFault(f"What's on the board can't be saved in {folder}: {fault.strerror}.") from None
    return len(files)


def saved_program(folder: Path) -> Mapping[str, bytes]:
    """Return the program saved in *folder*. It is empty if the board had no program.

    Raise BadFolder if it is incomplete.

    The result contains only files that an installation replaces. The board's start counter is not restored, because two
    starts must never have the same name.
    """
    try:
        note = json.loads((folder / BACKUP_FILE).read_text(encoding="utf-8"))
        paths = [path for path in note["files"] if path.split("/")[0] in (*PARTS, CUSTOM)]
        program = {path: (folder / FLASH / path).read_bytes() for path in paths}
    except OSError as fault:
        raise BadFolder(f"{folder} holds no saved board: {fault.filename}: {fault.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise BadFolder(f"{folder} holds no saved board: {folder / BACKUP_FILE} isn't a list of files.") from None
    spoilt = [path for path in paths if digest_of(program[path]) != note["files"][path]]
    if spoilt:
        raise BadFolder(f"{folder / FLASH / spoilt[0]} has changed since it was saved: nothing changed on the board.")
    return program


def _write(folder: Path, path: str, data: bytes) -> None:
    target = folder / path
    if not target.resolve().is_relative_to(folder.resolve()):
        raise FirmwareFault(f"The board has a file named {path!r}, which leads out of its folder: not saved.")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
