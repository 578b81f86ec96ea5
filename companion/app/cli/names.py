"""`companion names ...`: list the people in the games; rename or remove a person in all games at once."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, add_json, agreed
from companion.app.exit_codes import FINE, BadUse, Failed

if TYPE_CHECKING:
    from companion.model.people import Touched


def add_list(parser: ArgumentParser) -> None:
    """Add the output format and the data folder."""
    add_json(parser)
    add_data(parser)


def run_list(args: Namespace) -> int:
    """List all people. Those who played most recently are first."""
    from companion.app.ledger_access import table_read_only

    with table_read_only(args.data) as table:
        people = table.archive.people()
    rows = sorted(people.items(), key=lambda each: (-max(each[1]), each[0]))
    if args.json:
        print(json.dumps([{"name": name, "games": sorted(filter(None, games))} for name, games in rows]))
        return FINE
    for name, games in rows:
        print(f"{sum(map(bool, games)):>6}  {name}")
    if not rows:
        print("No names yet.")
    return FINE


def add_rename(parser: ArgumentParser) -> None:
    """Add the arguments for the old and the new name."""
    parser.add_argument("old", metavar="OLD", help="the present name")
    parser.add_argument("new", metavar="NEW", help="the new name")
    _add_yes(parser)


def run_rename(args: Namespace) -> int:
    """Show the affected games and files, ask, and rename."""
    return _changed(args, args.old, args.new)


def add_remove(parser: ArgumentParser) -> None:
    """Add the argument for the name, and an option for files that cannot be changed."""
    parser.add_argument("old", metavar="NAME", help="the name to remove")
    parser.add_argument(
        "--delete-damaged", action="store_true", help="also delete damaged copies of the ledger that contain the name"
    )
    _add_yes(parser)


def run_remove(args: Namespace) -> int:
    """Show the affected games and files, ask, and remove the name."""
    return _changed(args, args.old, None, args.delete_damaged)


def _add_yes(parser: ArgumentParser) -> None:
    """Add `--yes` and the data folder."""
    parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")
    add_data(parser)


def _changed(args: Namespace, old: str, new: str | None, drop_damaged: bool = False) -> int:
    """Change a name in the data folder. No service may run.

    If this raises `BadUse` or `Failed`, nothing has changed, unless its message is about the seats of phones.
    """
    from companion.app.ledger_access import ledger_in, owned
    from companion.app.people import StoredPeople
    from companion.kernel.errors import Malformed, Refused
    from companion.kernel.names import name_from, readable
    from web import HostPin

    try:
        new = None if new is None else name_from(new)
    except Malformed as fault:
        raise BadUse(fault.reason) from None
    old = readable(old)
    ledger_in(args.data)  # this raises an exception if there is no ledger, so that none is created
    with owned(args.data) as table:
        people = StoredPeople(table, args.data, HostPin(args.data).seats.rename)
        touched = people.touched(old)
        if not touched.anything:
            raise BadUse(f"no player in these games is called {old}")
        _show(touched, new)
        if not args.yes and not agreed("Change it? (y/N) "):
            print("Nothing changed.")
            return FINE
        try:
            done = people.rename(old, new, drop_damaged)
        except Refused as fault:
            raise Failed(fault.reason) from None
    print(f"Done: {_counted(done)}.")
    for path in (*done.damaged, *done.unreached):
        print(f"CARE  {path} may still hold the name: it can't be changed. Delete it yourself.")
    return FINE


def _show(touched: Touched, new: str | None) -> None:
    print(
        f"{touched.name} is in {_counted(touched)}. "
        + ("It will be removed." if new is None else f"It will be changed to {new}.")
    )
    for path in touched.copies:
        print(f"  {path}")
    for path in (*touched.damaged, *touched.unreached):
        print(f"  {path} (can't be changed)")


def _counted(touched: Touched) -> str:
    games, copies = len(tuple(filter(None, touched.games))), len(touched.copies)
    return f"{games} game{'s' * (games != 1)} and {copies} backup{'s' * (copies != 1)}"
