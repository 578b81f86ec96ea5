"""`companion home`: show this table in Home Assistant."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data
from companion.app.broker import published, try_broker
from companion.app.data_folder import HOME, make_folder
from companion.app.exit_codes import FINE, BadUse, unreadable, unwritable
from companion.kernel.errors import Malformed
from companion.kernel.text_file import read_text

if TYPE_CHECKING:
    from companion.club.home import Home

ALLOWED = ("pause", "call")


def add(parser: ArgumentParser) -> None:
    """Add the broker's address, and options for what the home receives and may do."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("url", nargs="?", metavar="URL", help="the home's broker: mqtt://USER@HOST or mqtts://USER@HOST")
    what.add_argument("--leave", action="store_true", help="disconnect this table from the home")
    what.add_argument("--blueprint", action="store_true", help="print the automation for lights, to import it there")
    parser.add_argument("--password", metavar="FILE", help="file with the password, or - (default: asks for it)")
    parser.add_argument("--ca", metavar="FILE", help="certificate of the broker's authority, for mqtts://")
    parser.add_argument("--names", action="store_true", help="send the names of players, too")
    parser.add_argument("--allow", action="append", choices=ALLOWED, default=[], help="what the home may do here")
    add_data(parser)


def run(args: Namespace) -> int:
    """Connect once with the home's broker, and store its address. From then on `serve` shows this table there."""
    from companion.club.home import write_home

    if args.blueprint:
        print(read_text(Path(__file__).parents[2] / "club" / "lights.yaml"), end="")
        return FINE
    if args.leave:
        return _leave(args.data)
    home = _home(args)
    try_broker(home.broker, "ring-companion")
    try:
        write_home(make_folder(args.data), home)
    except OSError as fault:
        raise unwritable(args.data / HOME, fault) from None
    print(f"This table is in Home Assistant from the next start: companion serve. Broker: {home.broker.place}")
    if not home.names:
        print("Seats are colours there. To send the names of players, too: --names")
    return FINE


def _home(args: Namespace) -> Home:
    from companion.club.connection import broker_address
    from companion.club.home import Home

    try:
        ca = _content(args.ca) if args.ca else ""
        plain = broker_address(args.url, ca=ca)
        password = _password(args.password, plain.user)
    except Malformed as fault:
        raise BadUse(fault.reason) from None
    return Home(plain.host, plain.port, plain.user, password, plain.ca, args.names, tuple(dict.fromkeys(args.allow)))


def _password(file: str | None, user: str) -> str:
    if file == "-":
        return sys.stdin.readline().rstrip("\n")
    if file is not None:
        return _content(file).strip()
    if not user:
        return ""
    try:
        return getpass.getpass(f"Password of {user}: ")
    except (OSError, EOFError):
        raise BadUse("nobody can be asked for the password here: --password FILE, or --password - to pipe it") from None


def _content(file: str) -> str:
    try:
        return read_text(Path(file))
    except OSError as fault:
        raise unreadable(file, fault) from None


def _leave(data: Path) -> int:
    """Forget the home, and remove the table's entities there if its broker can be reached."""
    from companion.app.data_folder import LEDGER
    from companion.club.home import home_address, read_home, removal
    from companion.ledger.stored import StoredRows

    try:
        home = read_home(data)
    except Malformed:
        home = None
    if home is None and not (data / HOME).exists():
        raise BadUse("this table is in no home")
    removed = False
    if home is not None and (data / LEDGER).exists():
        rows = StoredRows(data / LEDGER)
        address = home_address(rows.identity)
        rows.close()
        with suppress(BadUse):  # even if the broker's package is missing, the table leaves
            removed = published(home.broker, address, removal(address))
    (data / HOME).unlink(missing_ok=True)
    print("This table has left Home Assistant, from its next start on.")
    if not removed:
        print("Its broker can't be reached now: delete the device there by hand.")
    return FINE
