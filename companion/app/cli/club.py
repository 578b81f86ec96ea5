"""`companion club`: found a club, admit tables, collect their rows, and join a club with this table."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, add_json, number, port, printable
from companion.app.data_folder import CLUB, MEMBERSHIP, POSITION, make_folder
from companion.app.exit_codes import FAILED, FINE, BadUse, Failed, unreadable, unwritable
from companion.app.progress import watching
from companion.kernel.errors import Malformed
from companion.kernel.names import name_from
from companion.kernel.text_file import read_text

if TYPE_CHECKING:
    from companion.club.club_folder import Club
    from companion.club.collector import Collector
    from companion.club.connection import BrokerAddress, ConnectionView, Message
    from companion.club.inbox import Inbox, Source
    from companion.club.league import Result
    from companion.club.membership import Membership

LONGEST_CLUB = 80
BROKER_PORT, PAGES_PORT = 8883, 8008
MOST_TABLES = 500
TRY_S = 15.0
"""How long `join` waits for the broker."""
_WHERE = "the folder whose subfolder has the club"
_MISSING = "the package paho-mqtt is missing: pip install 'ring-companion[club]'"
_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin"


def add_new(parser: ArgumentParser) -> None:
    """Add the name, and where the broker listens."""
    parser.add_argument("name", metavar="NAME", help="the club's name")
    parser.add_argument("--host", default="", help="name or address by which tables reach this computer")
    parser.add_argument("--port", type=port, default=BROKER_PORT, help=f"port of the broker (default: {BROKER_PORT})")
    parser.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address to listen on")  # noqa: S104
    add_data(parser, _WHERE)


def run_new(args: Namespace) -> int:
    """Make the club's folder: its certificates, and the broker's files. Start the broker where systemd runs."""
    from companion.club.authority import make_authority
    from companion.club.club_folder import SETTINGS, SHEETS, Club, make_own_password, write_club
    from companion.kernel.private_file import make_private_folder

    folder = make_folder(args.data) / CLUB
    if (folder / SETTINGS).exists():
        raise BadUse(f"there is a club in {folder} already: choose another folder with --data")
    try:
        name = name_from(args.name, LONGEST_CLUB)
    except Malformed as fault:
        raise BadUse(f"the club's name: {fault.reason}") from None
    host = args.host or _this_computer()
    with _club_faults(folder):
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
    """Add the new address of the computer."""
    parser.add_argument("--host", default="", help="new name or address of this computer; new sheets have it")
    add_data(parser, _WHERE)


def run_renew(args: Namespace) -> int:
    """Make a new certificate for the broker. The codes of the tables stay valid."""
    from dataclasses import replace

    from companion.club.club_folder import write_club

    folder, club = _club_in(args.data)
    with _club_faults(folder):
        _certify(folder, args.host or club.host)
        write_club(folder, replace(club, host=args.host or club.host))
    print(f"The broker has a new certificate. Restart it: {_broker_command(folder)}")
    return FINE


def add_admit(parser: ArgumentParser) -> None:
    """Add the number of tables."""
    parser.add_argument(
        "--tables", type=number(1, MOST_TABLES), default=1, metavar="N", help="how many tables (default: 1)"
    )
    add_data(parser, _WHERE)


def run_admit(args: Namespace) -> int:
    """Admit tables: draw a password for each, and write their sheets."""
    from companion.club.club_folder import SHEETS, new_membership, put_passwords, write_club
    from companion.club.sheets import write_sheets

    folder, club = _club_in(args.data)
    first = max((int(label) for label in club.tables.values() if label.isdecimal()), default=0) + 1
    with _club_faults(folder):
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
    """Add the table."""
    parser.add_argument("table", metavar="TABLE", help="the table's number on its sheet")
    add_data(parser, _WHERE)


def run_revoke(args: Namespace) -> int:
    """Make a table's sheet invalid. What it has sent stays."""
    from companion.club.club_folder import SHEETS, put_passwords, write_club
    from companion.club.sheets import sheet_path

    folder, club = _club_in(args.data)
    table = f"{int(args.table):02}" if args.table.isdecimal() else args.table
    address = club.address_of(table)
    if address is None:
        raise BadUse(f"the club has no table {table}: companion club status lists them")
    with _club_faults(folder):
        put_passwords(folder, {}, frozenset({address}))
        sheet_path(folder / SHEETS, club.tables[address]).unlink(missing_ok=True)
        write_club(folder, club.without(address))
    print(f"The sheet of table {table} is invalid now. What the table has sent stays in the club.")
    print(_reloaded(folder))
    return FINE


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


def add_serve(parser: ArgumentParser) -> None:
    """Add the data folder, and where the pages are."""
    parser.add_argument("--port", type=port, default=PAGES_PORT, help=f"port of the pages (default: {PAGES_PORT})")
    parser.add_argument("--bind", default="0.0.0.0", metavar="ADDR", help="address of the pages")  # noqa: S104
    add_data(parser, _WHERE)


def run_serve(args: Namespace) -> int:
    """Collect the rows of the club's tables, and serve its pages, until SIGTERM or SIGINT."""
    from companion.app.bounded_log import bound_the_log
    from companion.app.club_pages import club_of, serve_club
    from companion.club.wall import Wall
    from companion.kernel.supervisor import Supervisor

    folder, club = _club_in(args.data)
    _need_paho()
    bound_the_log()
    over = threading.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: over.set())
    with _club_faults(folder), ExitStack() as closing:
        labels, threads = _tables_of(folder), Supervisor()
        wall = Wall(labels, lambda: collector.forked)
        collector = _collector(folder, club, labels, wall.hear)
        collector.connection.subscribe(_logging())
        closing.callback(collector.start(threads))
        shown = club_of(folder, club.name, wall, collector, labels)
        try:
            number, end = serve_club(shown, args.bind, args.port, threads)
        except OSError as fault:
            raise Failed(f"port {args.port} can't be used for the club's pages: {fault.strerror}") from None
        closing.callback(end)
        print(f"The club {printable(club.name)} collects in {folder}.", flush=True)
        print(
            f"Its pages are at http://127.0.0.1:{number}/club, on other devices http://{_this_computer()}:{number}/club"
        )
        print(f"PIN of the club: {shown.access.pin}", flush=True)
        over.wait()
    return FINE


def _collector(
    folder: Path, club: Club, labels: Callable[[], Mapping[str, str]], hear: Callable[[Message], None]
) -> Collector:
    """Open the club's files. A damaged ledger is set aside, because it can be made again from the inbox."""
    from companion.app.ledger_aside import DAMAGED, set_aside
    from companion.club.club_folder import own_broker
    from companion.club.collector import LEDGER, Collector
    from companion.ledger import LedgerDamaged, LedgerLock

    def collector() -> Collector:
        return Collector(folder, own_broker(folder, club), _complain, labels, hear=hear)

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


def add_status(parser: ArgumentParser) -> None:
    """Add `--json`."""
    add_json(parser)
    add_data(parser, _WHERE)


def run_status(args: Namespace) -> int:
    """Print for each table how far its rows have arrived, and how far its clock differs."""
    folder, club = _club_in(args.data)
    with _inbox(folder) as inbox:
        tables = _tables(club, inbox)
    if args.json:
        print(json.dumps({"club": club.name, "tables": tables}))
        return FINE
    for each in tables:
        if not each["ledgers"]:
            print(f"Table {each['table']}: nothing yet")
        for source in each["ledgers"]:
            behind = f", {source['behind']} behind" if source["behind"] else ""
            fork = ", continued by a restored copy" if source["forked"] else ""
            print(f"Table {each['table']}: row {source['row']}{behind}, epoch {source['epoch']}{fork}{_clock(each)}")
    return FINE


def add_verify(parser: ArgumentParser) -> None:
    """Add the data folder."""
    add_data(parser, _WHERE)


def run_verify(args: Namespace) -> int:
    """Check every row of the inbox and of the club's ledger. The status is 1 if one doesn't match its checksum."""
    from companion.club.collector import LEDGER
    from companion.ledger import verify

    folder, club = _club_in(args.data)
    wrong = 0
    with _inbox(folder) as inbox:
        rows = 0
        for found in watching("Checking", "rows")(inbox.checked()):
            rows += not found.wrong
            if found.wrong:
                wrong += 1
                what = f"row {found.row}" if found.row else "a name"
                print(f"CARE  {_label(club, found.source)}: {what} doesn't match its checksum.")
        print(f"{rows} rows of {len(inbox.sources)} ledgers in the inbox match their checksums.")
    if (folder / LEDGER).exists():
        verdict = verify(folder / LEDGER, watching("Checking the ledger", "rows"))
        for finding in verdict.findings:
            print(f"CARE  {finding.sentence}")
        wrong += len(verdict.findings)
        print(f"The club's ledger has {verdict.rows} rows.")
    return FAILED if wrong else FINE


def add_export(parser: ArgumentParser) -> None:
    """Add the folder."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder for the ledgers")
    add_data(parser, _WHERE)


def run_export(args: Namespace) -> int:
    """Write a ledger for each table as it was sent, and the merged one. `companion merge` imports them."""
    from companion.app.ledger_copy import copy_ledger
    from companion.club.collector import LEDGER
    from companion.club.inbox import write_ledger

    folder, club = _club_in(args.data)
    try:
        args.folder.mkdir(mode=0o700)
    except OSError as fault:
        raise unwritable(args.folder, fault) from None
    with _inbox(folder) as inbox:
        for source in inbox.sources.values():
            write_ledger(inbox, source, args.folder / f"{_label(club, source)}-{source.epoch}.sqlite")
        count = len(inbox.sources)
    if (folder / LEDGER).exists():
        copy_ledger(folder / LEDGER, args.folder / "club.sqlite")
    print(f"{count} ledgers of tables, and the merged one, are in {args.folder}.")
    return FINE


def add_league(parser: ArgumentParser) -> None:
    """Add the game, and the formats."""
    from companion.games.registry import GAMES

    parser.add_argument("--game", choices=tuple(GAMES), default="", help="only this kind of game (default: all)")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--csv", action="store_true", help="print a table for a spreadsheet")
    formats.add_argument("--json", action="store_true", help="print JSON, for other programs")
    add_data(parser, _WHERE)


def run_league(args: Namespace) -> int:
    """Print the league: everybody's games, wins, points and rating."""
    from companion.club.league import standings
    from companion.kernel.csv_text import as_csv

    ranked = standings(_results(args.data), args.game)
    rows = [(at, each.person, each.games, each.wins, each.points, each.sure) for at, each in enumerate(ranked, 1)]
    names = ("place", "person", "games", "wins", "points", "rating")
    if args.json:
        print(json.dumps([dict(zip(names, row, strict=True)) for row in rows]))
    elif args.csv:
        print(as_csv(names, rows), end="")
    else:
        for at, person, games, wins, points, sure in rows:
            print(f"{at:3} {printable(person):24} {points:4} points, {wins} of {games} games won, rating {sure}")
    return FINE


def add_people(parser: ArgumentParser) -> None:
    """Add `--json`."""
    add_json(parser)
    add_data(parser, _WHERE)


def run_people(args: Namespace) -> int:
    """Print everybody who has played, with the number of their games."""
    from companion.club.league import persons

    found = persons(_results(args.data))
    if args.json:
        print(json.dumps(found))
        return FINE
    for person, games in found.items():
        print(f"{printable(person)}: {games} games")
    return FINE


# What the commands share


def _club_in(data: Path) -> tuple[Path, Club]:
    from companion.club.club_folder import NoClub, read_club

    try:
        return data / CLUB, read_club(data / CLUB)
    except NoClub as fault:
        raise BadUse(str(fault)) from None


def _results(data: Path) -> Sequence[Result]:
    """Return the club's results, with its decisions."""
    from companion.club.decisions import Decisions
    from companion.club.league import raw_results, results
    from companion.games.registry import GAMES

    folder, _ = _club_in(data)
    with _club_faults(folder):
        return results(raw_results(folder, GAMES), Decisions(folder).decided)


@contextmanager
def _club_faults(folder: Path) -> Iterator[None]:
    from companion.club.authority import NoAuthority
    from companion.club.inbox import InboxFault
    from companion.ledger import LedgerFault

    try:
        yield
    except (NoAuthority, InboxFault, LedgerFault) as fault:
        raise Failed(str(fault)) from None
    except OSError as fault:
        raise unwritable(fault.filename or folder, fault) from None


@contextmanager
def _inbox(folder: Path) -> Iterator[Inbox]:
    from companion.club.collector import INBOX
    from companion.club.inbox import Inbox

    if not (folder / INBOX).exists():
        raise BadUse("no table has sent anything yet: companion club serve collects")
    with _club_faults(folder):
        inbox = Inbox(folder / INBOX)
        try:
            yield inbox
        finally:
            inbox.close()


def _certify(folder: Path, host: str) -> None:
    from companion.club.authority import certify_broker

    certify_broker(folder, host)


def _this_computer() -> str:
    from web import lan_address

    return lan_address() or "127.0.0.1"


def _start_broker(folder: Path) -> str:
    """Start the broker where systemd runs, and return a sentence about it, with the command if it can't be started."""
    from companion.club.club_folder import UNIT

    if shutil.which("mosquitto", path=_PATH) is None:
        return f"Mosquitto is missing: apt-get install mosquitto. Then start it: {_broker_command(folder)}"
    if os.geteuid() == 0 and Path("/run/systemd/system").is_dir():
        done = subprocess.run(  # noqa: S603 - with an absolute path
            ["/usr/bin/systemctl", "enable", "--now", "--quiet", str(folder / UNIT)], capture_output=True, text=True
        )
        return "The broker runs." if not done.returncode else f"The broker didn't start: {done.stderr.strip()}"
    return f"Start the broker: {_broker_command(folder)}"


def _broker_command(folder: Path) -> str:
    from companion.club.club_folder import CONFIGURATION, UNIT

    if Path("/run/systemd/system").is_dir():
        return f"sudo systemctl enable --now {folder / UNIT}"
    return f"mosquitto -c {folder / CONFIGURATION}"


def _reloaded(folder: Path) -> str:
    from companion.club.club_folder import reload_broker

    if reload_broker(folder):
        return "The broker has read the new passwords."
    return f"The broker reads this when it starts: {_broker_command(folder)}"


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


def try_broker(broker: BrokerAddress, name: str) -> None:
    """Connect once, or raise `Failed` with the reason."""
    found = _once(broker, name)
    if found is None:
        raise Failed(f"{broker.place} doesn't answer: check the network and the address.")
    if not found.connected:
        raise Failed(found.trouble)


def published(broker: BrokerAddress, name: str, message: Message) -> bool:
    """Connect once and send *message*. Return whether the broker was reached."""
    found = _once(broker, name, message)
    return found is not None and found.connected


def _once(broker: BrokerAddress, name: str, *messages: Message) -> ConnectionView | None:
    """Connect once, send *messages*, and return what became of it, None if there was no answer."""
    from companion.club.connection import Connection
    from companion.kernel.supervisor import Supervisor

    _need_paho()
    connection, decided = Connection(broker, name, greeting=lambda: messages), threading.Event()
    found: list[ConnectionView] = []

    def look(view: ConnectionView) -> None:
        found.append(view)
        decided.set()

    connection.subscribe(look)
    end = connection.start(Supervisor())
    decided.wait(TRY_S)
    end()
    return found[0] if found else None


def _need_paho() -> None:
    try:
        import paho.mqtt.client  # noqa: F401
    except ImportError:
        raise BadUse(_MISSING) from None


def _tables_of(folder: Path) -> Callable[[], Mapping[str, str]]:
    """Return a function for the tables by their addresses; it reads the settings again after they have changed."""
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
    """Return a function that says each state of the connection once."""
    said: set[str] = set()

    def look(view: ConnectionView) -> None:
        sentence = view.trouble or "Connected with the broker."
        if sentence not in said:
            said.add(sentence)
            _complain(sentence)

    return look


def _tables(club: Club, inbox: Inbox) -> list[dict[str, Any]]:
    births, found = inbox.births(), []
    addresses = {**club.tables, **{each.address: "revoked" for each in inbox.sources.values()}} | dict(club.tables)
    for address, label in addresses.items():
        body, heard_ms = births.get(address, ("{}", 0))
        birth = _birth(body)
        at_ms = birth.get("at_ms")
        ledgers = [_source(inbox, each) for each in inbox.sources.values() if each.address == address]
        found.append(
            {
                "table": label,
                "address": address,
                "online": birth.get("online") is True,
                "program": birth.get("program"),
                "clock_difference_ms": at_ms - heard_ms if isinstance(at_ms, int) else None,
                "ledgers": ledgers,
            }
        )
    return found


def _source(inbox: Inbox, source: Source) -> dict[str, Any]:
    return {
        "ledger": source.ledger,
        "epoch": source.epoch,
        "row": source.upto,
        "behind": max(0, source.newest - source.upto),
        "forked": inbox.goes_on_elsewhere(source),
        "heard_ms": source.heard_ms,
    }


def _birth(body: str) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _clock(table: dict[str, Any]) -> str:
    difference = table["clock_difference_ms"]
    return f", clock {difference / 1000:+.1f} s" if difference is not None and abs(difference) >= 1000 else ""


def _label(club: Club, source: Source) -> str:
    return f"table-{club.tables.get(source.address, source.address)}"


def _complain(sentence: str) -> None:
    print(f"companion: {sentence}", file=sys.stderr, flush=True)
