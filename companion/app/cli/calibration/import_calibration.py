"""`companion calibration import`: a calibration that was made elsewhere, taken in."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_data
from companion.app.bridge_faults import bridge_faults
from companion.app.cli.calibration.file import read_line
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add where it comes from."""
    parser.add_argument("file", metavar="FILE", help="-: standard input")
    add_data(parser)


def run(args: Namespace) -> int:
    """Keep the calibration in *args.file*, if it is a whole one; through the running service when there is one."""
    from companion.app.calibration_keeper import keep_line
    from companion.app.ledger_access import owned
    from companion.app.running_service import neighbour
    from firmware_bridge import calibration_of

    read = read_line(args.file)
    with bridge_faults(args.file):
        calibration = calibration_of(read)
    service = neighbour(args.data)
    if service is not None:
        service.ask("/api/v1/ring/deeds", json.dumps({"deed": "bring", "calibration": calibration.line()}).encode())
        print("The running service has imported it.")
        return FINE
    with owned(args.data) as table:
        print(keep_line(table, calibration.line(), calibration.colours))
    return FINE
