"""The manifest of a firmware: its version, its protocol, and the digest of each file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """One firmware. *files* maps each path on the board, without its first slash, to the file's SHA-256."""

    version: str
    protocol: int
    files: Mapping[str, str]

    def text(self) -> str:
        """Return the manifest as JSON. Equal firmwares give equal JSON."""
        line = {"firmware": self.version, "protocol": self.protocol, "files": dict(sorted(self.files.items()))}
        return json.dumps(line, indent=1) + "\n"


def manifest_of(text: str, where: str) -> Manifest:
    """Parse a manifest. If it is malformed, raise FirmwareFault that names it as *where*."""
    try:
        line: Any = json.loads(text)
        files = {str(path): str(digest) for path, digest in line["files"].items()}
        if not all(map(_harmless, files)):
            raise ValueError("a path leads elsewhere")
        return Manifest(str(line["firmware"]), int(line["protocol"]), files)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise FirmwareFault(f"{where} isn't a firmware manifest ({fault}).") from None


def read_bundle(folder: Path) -> Manifest:
    """Return the manifest of the firmware in *folder*. Raise BadFolder if a file is missing or changed."""
    try:
        manifest = manifest_of((folder / MANIFEST).read_text(encoding="utf-8"), str(folder / MANIFEST))
        wrong = [path for path, digest in manifest.files.items() if digest_of((folder / path).read_bytes()) != digest]
    except (OSError, UnicodeError) as fault:
        raise BadFolder(f"{folder} holds no complete firmware: {_why(fault)}.") from None
    except FirmwareFault as fault:
        raise BadFolder(str(fault)) from None
    if wrong:
        raise BadFolder(f"{folder / wrong[0]} is not what {MANIFEST} says: build the firmware again.")
    return manifest


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of *data* in hexadecimal digits."""
    return sha256(data).hexdigest()


def _harmless(path: str) -> bool:
    parts = path.split("/")
    return all(part and part not in (".", "..") and part.isprintable() and "\\" not in part for part in parts)


def _why(fault: Exception) -> str:
    if isinstance(fault, OSError):
        return f"{fault.filename}: {fault.strerror}"
    return str(fault)
