"""`companion names remove`: no name for whoever is called so, in all games and backups, for good."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.cli.names.changing import add_to, changed


def add(parser: ArgumentParser) -> None:
    """Add the name, and what becomes of files that cannot be changed."""
    parser.add_argument("old", metavar="NAME")
    parser.add_argument(
        "--delete-damaged", action="store_true", help="delete damaged copies of the ledger that hold the name"
    )
    add_to(parser)


def run(args: Namespace) -> int:
    """Show what it touches, ask, and remove it."""
    return changed(args, args.old, None, args.delete_damaged)
