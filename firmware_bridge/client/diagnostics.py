"""Builds a diagnostics bundle: facts, versions and the newest captures of a ring. It contains no secrets."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from firmware_bridge.capture.files import captures as captured
from firmware_bridge.capture.writer import program
from firmware_bridge.device.codec import VERSION

MOST_BYTES = 4_000_000  # of captures in a bundle; older ones are cut


def bundle(captures: Path | None, facts: Mapping[str, object], most: int = MOST_BYTES) -> dict[str, bytes]:
    """Return the files of a bundle by name: *facts*, versions, and the newest *captures*, at most *most* bytes of them.

    *facts* may hold anything that JSON can, and dataclasses; other objects appear as their `repr`.
    For a capture that cannot be read, a file `NAME.unreadable` contains the reason.
    """
    files = {"facts.json": _json(facts), "versions.json": _json(versions())}
    room = most
    for path in reversed(captured(captures) if captures else []):
        if room <= 0:
            break
        try:
            kept, whole = tail(path, room)
        except OSError as fault:
            files[f"captures/{path.name}.unreadable"] = str(fault.strerror or fault).encode()
            continue
        files[f"captures/{path.name}"] = kept
        room = room - len(kept) if whole else 0
    return files


def versions() -> dict[str, object]:
    """Return the versions of the program, the protocol, Python and this machine."""
    return {
        "program": program(),
        "protocol": VERSION,
        "python": sys.version,
        "platform": platform.platform(),
        "machine": platform.machine(),
    }


def tail(path: Path, most: int) -> tuple[bytes, bool]:
    """Return the file's first line and its last lines, at most *most* bytes, and whether that is the whole file."""
    with path.open("rb") as file:
        first = file.readline(most)
        rest = file.read()
    if len(first) + len(rest) <= most:
        return first + rest, True
    kept = rest[-(most - len(first)) :] if most > len(first) else b""
    return first + kept[kept.find(b"\n") + 1 :], False


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, default=_plain).encode()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    return dict(value) if isinstance(value, Mapping) else repr(value)
