"""`companion draws`: every draw of the ledger as a table, with a dictionary of its columns."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data
from companion.app.exit_codes import FINE, unwritable
from companion.app.progress import watching


def add(parser: ArgumentParser) -> None:
    """Add where it is written."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="made if need be; its two files are replaced")
    add_data(parser)


def run(args: Namespace) -> int:
    """Write `draws.csv` and `datapackage.json` into a folder."""
    from companion.app.ledger_access import looked_into
    from companion.fairness.export import FILE, PACKAGE, as_table, data_package
    from companion.kernel.atomic_file import write_whole
    from companion.kernel.program import VERSION

    with looked_into(args.data) as table:
        entries = sorted((entry for entry in table.games() if not entry.damage), key=lambda entry: entry.id)
        watched = watching("Reading games", "games")(entries, len(entries))
        draws = [draw for entry in watched for draw in table.logged_draws(entry.id)]
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        write_whole(args.folder / FILE, as_table(draws))
        write_whole(args.folder / PACKAGE, json.dumps(data_package(f"ring-companion {VERSION}"), indent=2) + "\n")
    except OSError as fault:
        raise unwritable(args.folder, fault) from None
    print(f"{len(draws)} draws of {len(entries)} games are in {args.folder}.")
    return FINE
