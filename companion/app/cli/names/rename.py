"""`companion names rename`: another name for whoever is called so, in all games and backups."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.cli.names.changing import add_to, changed


def add(parser: ArgumentParser) -> None:
    """Add both names."""
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    add_to(parser)


def run(args: Namespace) -> int:
    """Show what it touches, ask, and change it."""
    return changed(args, args.old, args.new)
