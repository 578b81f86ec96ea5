"""What both changes of a name have in common: they show what they touch, and ask."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, agreed
from companion.app.exit_codes import FINE, BadUse, Failed

if TYPE_CHECKING:
    from companion.model.people import Touched


def add_to(parser: ArgumentParser) -> None:
    """Add whether to ask, and where the ledger lies."""
    parser.add_argument("--yes", action="store_true", help="don't ask")
    add_data(parser)


def changed(args: Namespace, old: str, new: str | None, drop_damaged: bool = False) -> int:
    """Change a name in the data folder, while no service runs, or raise `BadUse` or `Failed` with nothing changed."""
    from companion.app.ledger_access import ledger_in, owned
    from companion.app.people import HousePeople
    from companion.kernel.errors import Malformed, Refused
    from companion.kernel.names import name_from, readable
    from web import HostPin

    try:
        new = None if new is None else name_from(new)
    except Malformed as fault:
        raise BadUse(fault.reason) from None
    old = readable(old)
    ledger_in(args.data)  # where there is none, none is made to look for a name in
    with owned(args.data) as table:
        people = HousePeople(table, args.data, HostPin(args.data).seats.rename)
        touched = people.touched(old)
        if not touched.anything:
            raise BadUse(f"nobody called {old} is in these games")
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
    print(f"{touched.name} is in {_counted(touched)}. " + ("The name goes." if new is None else f"To be {new}."))
    for path in touched.copies:
        print(f"  {path}")
    for path in (*touched.damaged, *touched.unreached):
        print(f"  {path} (can't be changed)")


def _counted(touched: Touched) -> str:
    games, copies = len(tuple(filter(None, touched.games))), len(touched.copies)
    return f"{games} game{'s' * (games != 1)} and {copies} backup{'s' * (copies != 1)}"
