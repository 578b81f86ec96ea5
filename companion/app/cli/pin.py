"""`companion pin`: the host's PIN, shown or drawn anew."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, Failed


def add(parser: ArgumentParser) -> None:
    """Add whether a new one is wanted."""
    parser.add_argument("--renew", action="store_true", help="make a new one and sign every device out")
    add_data(parser)


def run(args: Namespace) -> int:
    """Print the host's PIN, a new one with *args.renew*."""
    from companion.app.data_folder import make_folder
    from web import Access

    make_folder(args.data)
    access = Access(args.data)
    for sentence in access.made_anew:
        print(f"companion: {sentence}", file=sys.stderr)
    try:
        print(access.renew() if args.renew else access.pin)
    except OSError as fault:
        raise Failed(f"the PIN can't be saved in {args.data}: {fault.strerror}") from None
    return FINE
