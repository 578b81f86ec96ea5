"""`companion club`: found a club, admit tables, and serve it; join and leave a club with this table."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data, number, port, printable
from companion.app.broker import need_paho
from companion.app.cli.open_club import WHERE, club_faults, club_in
from companion.app.data_folder import CLUB, make_folder
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.kernel.errors import Malformed
from companion.kernel.names import name_from

if TYPE_CHECKING:
    from companion.club.club_folder import Club
    from companion.club.collector import Collector
    from companion.club.connection import ConnectionView, Message
    from companion.club.decisions import Decisions
from companion.app.exit_codes import unreadable
from companion.kernel.text_file import read_text

LONGEST_CLUB = 80
BROKER_PORT, PAGES_PORT = 8883, 8008
MOST_TABLES = 500
_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin"


def add_new(parser: ArgumentParser) -> None:
    """Add the club's name, and the options for the broker's address."""
    parser.add_argument("name", metavar="NAME", help="the club's name")
    parser.add_argument("--host", default="", help="name or address by which tables reach this computer")
    parser.add_argument("--port", type=port, default=BROKER_PORT, help=f"port of the broker (default: {BROKER_PORT})")
    parser.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address to listen on")  # noqa: S104
    add_data(parser, WHERE)


def run_new(args: Namespace) -> int:
    """Make the club's folder with its certificates and the broker's files. If systemd runs here, start the broker."""
    from companion.club.broker_files import make_own_password, write_club
    from companion.club.certificates import make_authority
    from companion.club.club_folder import SETTINGS, SHEETS, Club
    from companion.kernel.private_file import make_private_folder

    folder = make_folder(args.data) / CLUB
    if (folder / SETTINGS).exists():
        raise BadUse(f"there is a club in {folder} already: choose another folder with --data")
    try:
        name = name_from(args.name, LONGEST_CLUB)
    except Malformed as fault:
        raise BadUse(f"the club's name: {fault.reason}") from None
    host = args.host or _this_computer()
    with club_faults(folder):
        make_private_folder(folder)
        make_private_folder(folder / SHEETS)
        make_authority(folder, name)
        _certify(folder, host)
        make_own_password(folder)
        write_club(folder, Club(name, host, args.port, args.bind))
    print(f"The club {printable(name)} is in {folder}. Tables will connect to {host}, port {args.port}.")
    print(_start_broker(folder))
    print("Next: companion club admit --tables N, then companion club serve")
    return FINE


def add_renew(parser: ArgumentParser) -> None:
    """Add the option for the computer's new address."""
    parser.add_argument("--host", default="", help="new name or address of this computer; new sheets have it")
    add_data(parser, WHERE)


def run_renew(args: Namespace) -> int:
    """Make a new certificate for the broker. The tables' codes remain valid."""
    from dataclasses import replace

    from companion.club.broker_files import write_club

    folder, club = club_in(args.data)
    with club_faults(folder):
        _certify(folder, args.host or club.host)
        write_club(folder, replace(club, host=args.host or club.host))
    print(f"The broker has a new certificate. Restart it: {_broker_command(folder)}")
    return FINE


def add_admit(parser: ArgumentParser) -> None:
    """Add the option for the number of tables."""
    parser.add_argument(
        "--tables", type=number(1, MOST_TABLES), default=1, metavar="N", help="how many tables (default: 1)"
    )
    add_data(parser, WHERE)


def run_admit(args: Namespace) -> int:
    """Admit new tables: make a random password for each, and write its sheet."""
    from companion.club.broker_files import put_passwords, write_club
    from companion.club.club_folder import SHEETS, new_membership
    from companion.club.sheets import write_sheets

    folder, club = club_in(args.data)
    first = max((int(label) for label in club.tables.values() if label.isdecimal()), default=0) + 1
    with club_faults(folder):
        members = [new_membership(folder, club, f"{first + at:02}") for at in range(args.tables)]
        sheets = write_sheets(folder / SHEETS, members)
        put_passwords(folder, {each.address: each.password for each in members})
        for each in members:
            club = club.admitted(each.address, each.table)
        write_club(folder, club)
    print(f"{args.tables} tables admitted. Print {sheets[-1]}.")
    print("A sheet is a password: it lets a computer take the table's place.")
    print(_reloaded(folder))
    return FINE


def add_revoke(parser: ArgumentParser) -> None:
    """Add the argument for the table."""
    parser.add_argument("table", metavar="TABLE", help="the table's number on its sheet")
    add_data(parser, WHERE)


def run_revoke(args: Namespace) -> int:
    """Make a table's sheet invalid. The club keeps what the table has sent."""
    from companion.club.broker_files import put_passwords, write_club
    from companion.club.club_folder import SHEETS
    from companion.club.sheets import sheet_path

    folder, club = club_in(args.data)
    table = f"{int(args.table):02}" if args.table.isdecimal() else args.table
    address = club.address_of(table)
    if address is None:
        raise BadUse(f"the club has no table {table}: companion club status lists them")
    with club_faults(folder):
        put_passwords(folder, {}, frozenset({address}))
        sheet_path(folder / SHEETS, club.tables[address]).unlink(missing_ok=True)
        write_club(folder, club.without(address))
    print(f"The sheet of table {table} is invalid now. What the table has sent stays in the club.")
    print(_reloaded(folder))
    return FINE


def add_serve(parser: ArgumentParser) -> None:
    """Add the options for the address of the pages, and the data folder."""
    parser.add_argument("--port", type=port, default=PAGES_PORT, help=f"port of the pages (default: {PAGES_PORT})")
    parser.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address of the pages")  # noqa: S104
    parser.add_argument("--no-mdns", dest="mdns", action="store_false", help="don't announce this computer by name")
    add_data(parser, WHERE)


def run_serve(args: Namespace) -> int:
    """Collect the rows of the club's tables, and serve its pages, until SIGTERM or SIGINT."""
    from companion.app.bootstrap import seen_at
    from companion.app.bounded_log import bound_the_log
    from companion.app.club_pages import club_of, serve_club
    from companion.club.decisions import Decisions
    from companion.club.membership import MDNS_NAME
    from companion.club.wall import Wall
    from companion.kernel.supervisor import Supervisor
    from web import Mdns

    folder, club = club_in(args.data)
    need_paho()
    bound_the_log()
    over = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: over.set())
    with club_faults(folder), ExitStack() as closing:
        labels, threads = _tables_of(folder), Supervisor()
        decisions = Decisions(folder)
        wall = Wall(labels, lambda: collector.forked, delays=lambda: decisions.decided.delays)
        collector = _collector(folder, club, labels, wall.hear, decisions)
        collector.connection.subscribe(_logging())
        closing.callback(collector.start(threads))
        shown = club_of(folder, club.name, wall, collector, decisions, labels)
        try:
            number, end = serve_club(shown, args.bind, args.port, threads)
        except OSError as fault:
            raise Failed(f"port {args.port} can't be used for the club's pages: {fault.strerror}") from None
        closing.callback(end)
        if args.mdns:
            name = Mdns(seen_at(club.bind), number, _complain, MDNS_NAME, threads=threads)
            name.open()
            closing.callback(name.close)
        print(f"The club {printable(club.name)} collects in {folder}.", flush=True)
        print(f"Its pages are at {', '.join(_addresses(args.bind, number))}", flush=True)
        print(f"PIN of the club: {shown.access.pin}", flush=True)
        over.wait()
    return FINE


def _addresses(bind: str, number: int) -> list[str]:
    """Return the addresses of the pages: on this computer, and for other devices if they can reach it."""
    everywhere = bind in ("0.0.0.0", "::", "")  # noqa: S104
    hosts = ["127.0.0.1", _this_computer()] if everywhere else [f"[{bind}]" if ":" in bind else bind]
    return [f"http://{host}:{number}/club" for host in dict.fromkeys(hosts)]


def _collector(
    folder: Path,
    club: Club,
    labels: Callable[[], Mapping[str, str]],
    hear: Callable[[Message], None],
    decisions: Decisions,
) -> Collector:
    """Open the club's files. A damaged ledger is set aside, because it can be rebuilt from the inbox."""
    from companion.app.ledger_aside import DAMAGED, set_aside
    from companion.club.club_folder import own_broker
    from companion.club.collector import LEDGER, Collector
    from companion.ledger import LedgerDamaged, LedgerLock

    def collector() -> Collector:
        return Collector(folder, own_broker(folder, club), _complain, labels, hear=hear, forget=decisions.forget)

    try:
        return collector()
    except LedgerDamaged as fault:
        ownership = LedgerLock(folder / LEDGER)
        try:
            damaged = set_aside(folder / LEDGER, DAMAGED)
            (folder / LEDGER).unlink(missing_ok=True)
        finally:
            ownership.release()
        _complain(f"{fault} It's called {damaged} now, and a new one is made from the inbox.")
        return collector()


def _certify(folder: Path, host: str) -> None:
    from companion.club.certificates import certify_broker

    certify_broker(folder, host)


def _this_computer() -> str:
    from web import lan_address

    return lan_address() or "127.0.0.1"


def _start_broker(folder: Path) -> str:
    """If systemd runs here, start the broker. Return a sentence about it; on failure it contains the command to use."""
    from companion.club.broker_files import UNIT

    if shutil.which("mosquitto", path=_PATH) is None:
        return f"Mosquitto is missing: apt-get install mosquitto. Then start it: {_broker_command(folder)}"
    if os.geteuid() == 0 and Path("/run/systemd/system").is_dir():
        done = subprocess.run(  # noqa: S603 - with an absolute path
            ["/usr/bin/systemctl", "enable", "--now", "--quiet", str(folder / UNIT)], capture_output=True, text=True
        )
        return "The broker runs." if not done.returncode else f"The broker didn't start: {done.stderr.strip()}"
    return f"Start the broker: {_broker_command(folder)}"


def _broker_command(folder: Path) -> str:
    from companion.club.broker_files import CONFIGURATION, UNIT

    if Path("/run/systemd/system").is_dir():
        return f"sudo systemctl enable --now {folder / UNIT}"
    return f"mosquitto -c {folder / CONFIGURATION}"


def _reloaded(folder: Path) -> str:
    from companion.club.broker_files import reload_broker

    if reload_broker(folder):
        return "The broker has read the new passwords."
    return f"The broker reads this when it starts: {_broker_command(folder)}"


def _tables_of(folder: Path) -> Callable[[], Mapping[str, str]]:
    """Return a function that returns the tables by address. It rereads the settings whenever they have changed."""
    from companion.club.club_folder import SETTINGS, read_club

    known: dict[int, Mapping[str, str]] = {}

    def tables() -> Mapping[str, str]:
        changed = (folder / SETTINGS).stat().st_mtime_ns
        if changed not in known:
            known.clear()
            known[changed] = read_club(folder).tables
        return known[changed]

    return tables


def _logging() -> Callable[[ConnectionView], None]:
    """Return a function that logs the connection's state, but never the same sentence twice."""
    said: set[str] = set()

    def look(view: ConnectionView) -> None:
        sentence = view.trouble or "Connected with the broker."
        if sentence not in said:
            said.add(sentence)
            _complain(sentence)

    return look


def _complain(sentence: str) -> None:
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


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
