"""What an owner has added to a firmware: a `custom.py` of their own."""

from __future__ import annotations

import ast
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.exit_codes import BadUse, unreadable


def add_custom(parser: ArgumentParser) -> None:
    """Add `--custom`."""
    parser.add_argument("--custom", type=Path, metavar="FILE", help="your own custom.py, see docs/firmware.md")


def custom_of(args: Namespace) -> str | None:
    """Return the owner's file, once a board would understand it; without mpy-cross, once Python does."""
    from companion.kernel.errors import Malformed
    from companion.kernel.text_file import read_text
    from firmware_bridge.firmware_image.build import CUSTOM
    from firmware_bridge.firmware_image.compile import compiled
    from firmware_bridge.firmware_image.errors import FirmwareFault, NoCompiler

    path: Path | None = args.custom
    if path is None:
        return None
    try:
        text = read_text(path)
        try:
            compiled(path, CUSTOM)
        except NoCompiler:
            ast.parse(text)
        return text
    except SyntaxError as fault:
        raise BadUse(f"--custom: {path}, line {fault.lineno}: {fault.msg}") from None
    except FirmwareFault as fault:
        raise BadUse(f"--custom: {fault}") from None
    except OSError as fault:
        raise unreadable(path, fault) from None
    except Malformed as fault:
        raise BadUse(f"--custom: {path}: {fault.reason}") from None
