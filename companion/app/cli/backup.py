"""`companion backup`: a copy of the ledger, made while it is in use."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, BadUse


def add(parser: ArgumentParser) -> None:
    """Add where the copy goes."""
    parser.add_argument("file", metavar="FILE")
    add_data(parser)


def run(args: Namespace) -> int:
    """Write a whole, consistent copy of the ledger to *args.file*, which must not exist yet."""
    from companion.app.data_folder import LEDGER
    from companion.app.ledger_aside import note_backup
    from companion.app.ledger_copy import copy_ledger

    source, target = args.data / LEDGER, Path(args.file)
    if not source.is_file():
        raise BadUse(f"there's no ledger in {args.data} yet")
    try:
        if target.exists():
            raise BadUse(f"{target} already exists: name a new file")
    except OSError as fault:
        raise BadUse(f"{target} can't be written: {fault.strerror}") from None
    copy_ledger(source, target)
    note_backup(args.data, target)
    print(f"Ledger copied to {target}.")
    return FINE
