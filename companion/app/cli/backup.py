"""`companion backup`: a copy of the ledger, made while it is in use."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, BadUse, Failed, unwritable


def add(parser: ArgumentParser) -> None:
    """Add where the copy goes."""
    parser.add_argument("file", metavar="FILE")
    add_data(parser)


def run(args: Namespace) -> int:
    """Write a whole, consistent copy of the ledger to *args.file*, which must not exist yet."""
    from companion.app.cli.ledger_taking import in_words
    from companion.app.ledger_access import ledger_in
    from companion.app.ledger_aside import note_backup
    from companion.app.ledger_copy import copy_ledger
    from companion.ledger import LedgerFault, extent

    source, target = ledger_in(args.data), Path(args.file)
    _check(target)
    try:
        found = extent(source)
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
    if not found.rows:
        raise BadUse(f"the ledger in {args.data} is empty: there's nothing to copy yet")
    copy_ledger(source, target)
    note_backup(args.data, target)
    print(f"Ledger copied to {target}: {in_words(found)}.")
    return FINE


def _check(target: Path) -> None:
    """Refuse a name that is taken, and one that SQLite would take for a part of another file."""
    from companion.ledger import PARTS

    try:
        if target.is_symlink() or target.exists():
            raise BadUse(f"{target} already exists: name a new file")
    except OSError as fault:
        raise unwritable(target, fault) from None
    if target.name.endswith(("-journal", ".lock", *PARTS[1:])):
        raise BadUse(f"{target} would be taken for a part of another ledger: choose another name")
    if str(target) == "-":
        raise BadUse("a backup goes to a file, not to standard output: name one")
