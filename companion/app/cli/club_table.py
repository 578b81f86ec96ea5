"""`companion club`: join a club with this table, or leave it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, printable
from companion.app.cli.broker import try_broker
from companion.app.data_folder import MEMBERSHIP, POSITION, make_folder
from companion.app.exit_codes import FINE, BadUse, unreadable, unwritable
from companion.kernel.errors import Malformed
from companion.kernel.text_file import read_text

if TYPE_CHECKING:
    from companion.club.membership import Membership


def add_join(parser: ArgumentParser) -> None:
    """Add the code."""
    parser.add_argument("code", metavar="CODE", help="a file with the code (the table's sheet, for example), or -")
    add_data(parser)


def run_join(args: Namespace) -> int:
    """Connect once with the code of a sheet, and store it. From then on `serve` sends this table's rows."""
    from companion.club.membership import membership_of, words_of, write_membership

    try:
        member = membership_of(_code(args.code))
    except Malformed as fault:
        raise BadUse(fault.reason) from None
    _check_free(args.data, member)
    try_broker(member.broker, member.address)
    try:
        write_membership(make_folder(args.data), member)
    except OSError as fault:
        raise unwritable(args.data / MEMBERSHIP, fault) from None
    print(f"This is table {printable(member.table)} of the club {printable(member.club)} now.")
    print(f"Compare the six words with the sheet: {words_of(member)}")
    print("The rows of its games, with hidden cards and names, go to the club from the next start: companion serve")
    return FINE


def add_leave(parser: ArgumentParser) -> None:
    """Add the data folder."""
    add_data(parser)


def run_leave(args: Namespace) -> int:
    """Forget the club. What was sent stays there."""
    member = _membership(args.data)
    if member is None:
        raise BadUse("this table is in no club")
    for name in (MEMBERSHIP, POSITION):
        (args.data / name).unlink(missing_ok=True)
    print(f"This table has left the club {printable(member.club)} from its next start on. What was sent stays there.")
    return FINE


def _code(text: str) -> str:
    """Return the text with the code: from standard input, from a file, or the argument itself."""
    if text == "-":
        return sys.stdin.read()
    if "://" in text:
        return text
    try:
        return read_text(Path(text))
    except OSError as fault:
        raise unreadable(text, fault) from None
    except Malformed as fault:
        raise BadUse(f"{text}: {fault.reason}") from None


def _membership(data: Path) -> Membership | None:
    from companion.club.membership import read_membership

    try:
        return read_membership(data)
    except Malformed:
        return None  # a damaged file is replaced


def _check_free(data: Path, member: Membership) -> None:
    """Raise `BadUse` if this table is in a club already. The same sheet may name another place of the broker."""
    here = _membership(data)
    if here is None or (here.address == member.address and here != member):
        return
    if here.address == member.address:
        raise BadUse(f"this table has joined {printable(here.club)} with this code already: nothing to do")
    if here.ca == member.ca:
        raise BadUse(f"this is table {here.table} of {printable(here.club)} already: companion club leave, then join")
    raise BadUse(f"this table is in the club {printable(here.club)}: companion club leave, then join this one")
