"""`companion doctor`: all that a game night takes, looked over."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.bridge_faults import bridge_faults
from companion.app.exit_codes import FAILED, FINE


def add(parser: ArgumentParser) -> None:
    """Add what is looked over beside the ledger."""
    add_data(parser)
    parser.add_argument("--ring", metavar="URL", help="look whether a ring can be had there too")
    parser.add_argument("--console", type=Path, metavar="FILE", help="this console too (default: DIR/console.toml)")


def run(args: Namespace) -> int:
    """Print how each thing is; status 1 when one needs care."""
    from companion.app.health import findings

    with bridge_faults("--ring"):
        found = findings(args.data, args.ring, args.console)
    for well, sentence in found:
        print(f"{'fine' if well else 'CARE'}  {sentence}")
    return FINE if all(well for well, _ in found) else FAILED
