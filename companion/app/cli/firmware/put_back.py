"""`companion firmware restore`: what a board had before, back onto it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.bridge_faults import firmware_faults
from companion.app.cli.firmware.board import add_keep, add_port, board_of, kept_in, say
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add what goes where, and where what was there is kept."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where it was saved")
    add_port(parser)
    add_keep(parser)


@firmware_faults()
def run(args: Namespace) -> int:
    """Put back what a board had before."""
    from firmware_bridge.flashing.backup import kept
    from firmware_bridge.flashing.install import restore

    kept(args.folder)  # a folder that is none is told before a board is looked for
    hello = restore(board_of(args), args.folder, kept_in(args), say)
    if hello is None:
        print(f"{args.folder} is back on the board. It isn't ring firmware, so nothing answers.")
    else:
        print(f"{args.folder} is back on the board: device {hello.device}, firmware {hello.firmware}.")
    return FINE
