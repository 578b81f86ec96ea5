"""`companion rollback`: the package before the last update, put in place again."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, Failed


def add(parser: ArgumentParser) -> None:
    """Add whether a backup may be played on with."""
    parser.add_argument("--yes", action="store_true", help="use a backup if the ledger is too new")
    add_data(parser)


def run(args: Namespace) -> int:
    """Install the package before, with a backup where it cannot read the ledger of today; never during a game."""
    from companion.app.debian.computer import DebianComputer
    from companion.app.debian.kept_packages import KEPT
    from companion.app.debian.rollback import rollback
    from companion.app.debian.root import only_root
    from companion.app.running_service import game_going_on, neighbour

    only_root("rollback")
    system = DebianComputer(lambda: neighbour(args.data) is not None)
    for sentence in rollback(args.data, system, lambda: game_going_on(args.data), partial(_agreed, args.yes), KEPT):
        print(sentence, flush=True)
    return FINE


def _agreed(already: bool, offer: str) -> bool:
    """Ask whoever sits here; nobody's silence is a yes."""
    print(offer, flush=True)
    if already:
        return True
    if not sys.stdin.isatty():
        raise Failed("nobody can answer here: add --yes to use that backup; nothing changed")
    return input("Use that backup? [y/N] ").strip().lower() in ("y", "yes")
