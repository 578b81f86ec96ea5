"""`companion games`: what the ledger holds."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json
from companion.app.exit_codes import FINE, Failed
from companion.kernel.moments import in_this_zone

if TYPE_CHECKING:
    from companion.model.snapshot import GameEntry


def add(parser: ArgumentParser) -> None:
    """Add where the ledger lies."""
    add_json(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """List the games of the ledger, the newest first."""
    from companion.app.ledger_access import looked_into

    with looked_into(args.data) as table:
        entries, unlisted = table.games(), table.unlisted
    if unlisted:
        raise Failed(unlisted)
    if args.json:
        print(json.dumps([_row(entry) for entry in entries]))
        return FINE
    for entry in entries:
        print(_line(entry))
    if not entries:
        print("No games yet.")
    return FINE


def _row(entry: GameEntry) -> dict[str, object]:
    row = {"id": entry.id, "game": entry.name, "status": entry.status, "lines": entry.lines}
    return {**row, "damage": entry.damage} if entry.damage else row


def _line(entry: GameEntry) -> str:
    if entry.damage:
        return f"{entry.id:>6}  damaged: {entry.damage}"
    names = ", ".join(str(player["name"]) for player in entry.header["players"])
    day = in_this_zone(entry.began)
    return f"{entry.id:>6}  {day}  {entry.name}, {names}: {entry.status}, {entry.lines} lines"
