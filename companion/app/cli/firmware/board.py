"""Which board a firmware is put on, and where what it had before is kept."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import BadUse
from companion.kernel.moments import for_file_names

KEPT = "firmware"  # below the data directory: one folder for each change


def add_port(parser: ArgumentParser) -> None:
    """Add `--port`."""
    parser.add_argument("--port", metavar="PORT", help="the board's serial port (default: the only one there is)")


def add_keep(parser: ArgumentParser) -> None:
    """Add `--keep` and `--data`."""
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save what's on the board there (a new folder)")
    add_data(parser, "or in this data folder")


def board_of(args: Namespace) -> str:
    """Return the port that was named, or the only one there is; `BadUse` for a kind of ring that has no board."""
    from firmware_bridge.flashing.find import the_port
    from firmware_bridge.transport.serial_ports import KIND

    named = str(args.port or "")
    if KIND.match(named) and "://" not in named and not Path(named).exists():
        raise BadUse(f"--port: {named} isn't a serial port. Only a board on one has firmware to look after.")
    return named or the_port()


def kept_in(args: Namespace) -> Path:
    """Return the new folder in which what was on the board is kept."""
    folder: Path = args.keep or args.data / KEPT / for_file_names(time.time())
    if folder.exists():
        raise BadUse(f"--keep: {folder} already exists: name a new folder.")
    return folder


def say(sentence: str) -> None:
    """Say how it goes on, beside what comes out in the end."""
    print(sentence, file=sys.stderr, flush=True)
