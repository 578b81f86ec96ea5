"""`companion doctor`: all that a game night takes, looked over."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data, add_json
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FAILED, FINE
from companion.app.progress import watching


def add(parser: ArgumentParser) -> None:
    """Add what is looked over beside the ledger."""
    parser.set_defaults(gently=True)  # a game may be going on: its service comes first
    add_json(parser)
    add_data(parser)
    parser.add_argument("--ring", metavar="URL", help="also check for a ring there")
    parser.add_argument(
        "--console", type=Path, metavar="FILE", help="also check this console (default: DIR/console.toml)"
    )


def run(args: Namespace) -> int:
    """Print how each thing is; status 1 when one needs care before an evening can be played and kept."""
    from companion.app.health import HealthState, findings

    with bridge_faults("--ring"):
        found = findings(args.data, args.ring, args.console, watching("Checking the ledger", "rows", args.json))
    well = all(each.state is not HealthState.CARE for each in found)
    if args.json:
        print(json.dumps({"well": well, "findings": [each._asdict() for each in found]}, ensure_ascii=False))
    else:
        print(*(each.line for each in found), sep="\n")
    return FINE if well else FAILED
