"""`companion club`: join a club with this table, or leave it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from companion.app.arguments import add_data, printable
from companion.app.exit_codes import FINE, BadUse, unreadable
from companion.kernel.errors import Malformed
from companion.kernel.text_file import read_text


def add_join(parser: ArgumentParser) -> None:
    """Add the argument for the code."""
    parser.add_argument("code", metavar="CODE", help="a file with the code (the table's sheet, for example), or -")
    add_data(parser)


def run_join(args: Namespace) -> int:
    """Connect once with the code from a sheet, and store the code. From then on `serve` sends this table's rows."""
    from companion.app.club_seat import take_seat
    from companion.club.membership import words_of

    member = take_seat(args.data, _code(args.code))
    print(f"This is table {printable(member.table)} of the club {printable(member.club)} now.")
    print(f"Compare the six words with the sheet: {words_of(member)}")
    print("The rows of its games, with hidden cards and names, go to the club from the next start: companion serve")
    return FINE


def add_leave(parser: ArgumentParser) -> None:
    """Add the data folder."""
    add_data(parser)


def run_leave(args: Namespace) -> int:
    """Leave the club. The club keeps what this table has sent."""
    from companion.app.club_seat import give_up_seat

    member = give_up_seat(args.data)
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
