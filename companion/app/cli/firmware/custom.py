"""What an owner has added to a firmware: a `custom.py` of their own."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.exit_codes import BadUse


def add_custom(parser: ArgumentParser) -> None:
    """Add `--custom`."""
    parser.add_argument("--custom", type=Path, metavar="FILE", help="your own custom.py, see docs/firmware.md")


def custom_of(args: Namespace) -> str | None:
    """Return the owner's file, once a board would understand it."""
    from companion.kernel.errors import Malformed
    from companion.kernel.text_file import read_text
    from firmware_bridge.firmware_image.build import CUSTOM
    from firmware_bridge.firmware_image.compile import compiled
    from firmware_bridge.firmware_image.errors import FirmwareFault

    path: Path | None = args.custom
    if path is None:
        return None
    try:
        compiled(path, CUSTOM)
        return read_text(path)
    except FirmwareFault as fault:
        raise BadUse(f"--custom: {fault}") from None
    except (OSError, Malformed) as fault:
        raise BadUse(f"--custom: {path}: {getattr(fault, 'strerror', None) or fault}") from None
