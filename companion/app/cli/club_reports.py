"""The `companion club` commands that print or export the data of a club."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, add_json, printable
from companion.app.cli.open_club import WHERE, club_faults, club_in
from companion.app.exit_codes import FAILED, FINE, BadUse, unwritable
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.club.club_folder import Club
    from companion.club.inbox import Inbox, Source
    from companion.club.league import Result


def add_status(parser: ArgumentParser) -> None:
    """Add `--json`."""
    add_json(parser)
    add_data(parser, WHERE)


def run_status(args: Namespace) -> int:
    """Print for each table which of its rows have arrived, and how far its clock is off."""
    folder, club = club_in(args.data)
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
    add_data(parser, WHERE)


def run_verify(args: Namespace) -> int:
    """Check every row of the inbox and of the club's ledger. The status is 1 if a row doesn't match its checksum."""
    from companion.club.collector import LEDGER
    from companion.ledger import verify

    folder, club = club_in(args.data)
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
    """Add the argument for the folder."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder for the ledgers")
    add_data(parser, WHERE)


def run_export(args: Namespace) -> int:
    """Write the ledger of each table as it was sent, and the merged ledger. `companion merge` can import them."""
    from companion.app.ledger_copy import copy_ledger
    from companion.club.collector import LEDGER
    from companion.club.inbox import write_ledger

    folder, club = club_in(args.data)
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
    """Add the options for the kind of game and the output format."""
    from companion.games.registry import GAMES

    parser.add_argument("--game", choices=tuple(GAMES), default="", help="only this kind of game (default: all)")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--csv", action="store_true", help="print a table for a spreadsheet")
    formats.add_argument("--json", action="store_true", help="print JSON, for other programs")
    add_data(parser, WHERE)


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
    add_data(parser, WHERE)


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


def _results(data: Path) -> Sequence[Result]:
    """Return the club's results, corrected by its decisions."""
    from companion.club.decisions import Decisions
    from companion.club.league import raw_results, results
    from companion.games.registry import GAMES

    folder, _ = club_in(data)
    with club_faults(folder):
        return results(raw_results(folder, GAMES), Decisions(folder).decided)


@contextmanager
def _inbox(folder: Path) -> Iterator[Inbox]:
    from companion.club.collector import INBOX
    from companion.club.inbox import Inbox

    if not (folder / INBOX).exists():
        raise BadUse("no table has sent anything yet: companion club serve collects")
    with club_faults(folder):
        inbox = Inbox(folder / INBOX)
        try:
            yield inbox
        finally:
            inbox.close()


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
