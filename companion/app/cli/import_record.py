"""`companion import`: one game, into the ledger."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.arguments import add_data
from companion.app.cli import record_file
from companion.app.exit_codes import FINE, BadUse, unreadable
from companion.app.named_file import opened
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.session.table import Imported


def add(parser: ArgumentParser) -> None:
    """Add the record."""
    record_file.add_file(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Take a record into the ledger, all of it or nothing; through the running service when there is one."""
    from companion.app.running_service import neighbour

    raw = _read(args.file)
    service = neighbour(args.data)
    if service is not None:
        answer = service.ask("/api/v1/import", raw, "application/x-ndjson")
        # An older service takes in whatever comes.
        _tell(args.file, answer["game_id"], answer.get("new", True), answer.get("differs", False))
    else:
        taken = _taken_in(args.data, raw)
        _tell(args.file, taken.game, taken.new, taken.differs)
    return FINE


def _tell(file: str, game: int, new: bool, differs: bool) -> None:
    if new:
        print(f"Imported as game {game}.")
        return
    lines = ", with other lines" if differs else ""
    print(f"{'This record' if file == '-' else file} is game {game} already{lines}. Nothing changed.")


def _taken_in(data: Path, raw: bytes) -> Imported:
    from companion.app.ledger_access import owned
    from companion.model.snapshot import ImportFault, Who
    from companion.records import RecordError, read_file

    try:
        lines = [line for _, line in watching("Reading", "lines")(read_file(BytesIO(raw)))]
        with owned(data) as table:
            return table.take_in(lines, Who("script", "import"))
    except (RecordError, ImportFault) as fault:
        raise BadUse(str(fault)) from None


def _read(file: str) -> bytes:
    try:
        with opened(file) as stream:
            return stream.read()
    except OSError as fault:
        raise unreadable(file, fault) from None
