"""`companion names list`: who is named in the games."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_data, add_json
from companion.app.exit_codes import FINE


def add(parser: ArgumentParser) -> None:
    """Add where the ledger lies."""
    add_json(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """List everybody, whoever played last first."""
    from companion.app.ledger_access import looked_into

    with looked_into(args.data) as table:
        people = table.people()
    rows = sorted(people.items(), key=lambda each: (-max(each[1]), each[0]))
    if args.json:
        print(json.dumps([{"name": name, "games": sorted(filter(None, games))} for name, games in rows]))
        return FINE
    for name, games in rows:
        print(f"{sum(map(bool, games)):>6}  {name}")
    if not rows:
        print("No names yet.")
    return FINE
