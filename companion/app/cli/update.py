"""`companion update`: a newer package of the companion, put in place between two games."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add the package."""
    parser.add_argument("file", type=Path, metavar="FILE.deb")
    add_data(parser)


def run(args: Namespace) -> int:
    """Check the package, keep the installed one and a backup, and install; nothing in the middle of a game."""
    from companion.app.debian.computer import DebianComputer
    from companion.app.debian.kept_packages import KEPT
    from companion.app.debian.root import only_root
    from companion.app.debian.update import update
    from companion.app.running_service import game_going_on, neighbour

    only_root("update")
    system = DebianComputer(lambda: neighbour(args.data) is not None)
    for sentence in update(args.file, system, lambda: game_going_on(args.data), KEPT):
        print(sentence, flush=True)
    return FINE
