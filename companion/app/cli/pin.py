"""`companion pin`: the host's PIN, shown or drawn anew."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, BadUse, Failed


def add(parser: ArgumentParser) -> None:
    """Add whether a new one is wanted."""
    parser.add_argument("--renew", action="store_true", help="make a new one and sign every device out")
    add_data(parser)


def run(args: Namespace) -> int:
    """Print the host's PIN, a new one with *args.renew*; nothing is made where no companion has served yet."""
    from web import HostPin

    _check(args.data / "pin")
    access = HostPin(args.data)
    for sentence in access.regenerated:
        print(f"companion: {sentence}", file=sys.stderr)
    try:
        pin = access.renew() if args.renew else access.pin
    except OSError as fault:
        raise Failed(f"the PIN can't be saved in {args.data}: {fault.strerror}") from None
    if HostPin(args.data).pin != pin:  # one that lives in this process alone opens nothing
        raise Failed(f"the PIN in {args.data} can't be used, and no other can be saved there")
    print(pin)
    return FINE


def _check(pin: Path) -> None:
    if not os.path.lexists(pin):
        raise BadUse(f"there's no PIN in {pin.parent} yet: companion serve makes one at its first start")
