"""`companion replay`: a record in, the final state out."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from companion.app.arguments import add_json, number
from companion.app.cli import record_file
from companion.app.exit_codes import BAD_USE, FINE
from companion.app.named_file import opened, remarks
from companion.app.progress import watching

if TYPE_CHECKING:
    from companion.records import RecordError


def add(parser: ArgumentParser) -> None:
    """Add the record, and how far to go in it."""
    record_file.add_file(parser)
    add_json(parser, "the final state as one JSON object")
    parser.add_argument("--until", type=number(1), metavar="N", help="stop after line N (the header is line 1)")
    parser.add_argument("--html", metavar="OUT", help="write a page that shows it step by step instead")


def run(args: Namespace) -> int:
    """Replay the record *args.file* (`-`: standard input) and print its final state."""
    from companion.games.registry import GAMES
    from companion.model.game import Viewer
    from companion.records import RecordError, read_file, replay

    try:
        with opened(args.file) as stream:
            if args.html is not None:
                return _shown(args, stream)
            lines = watching("Replaying", "lines", args.json)(read_file(stream))
            played = replay(GAMES, lines, args.until)
    except OSError as fault:
        return _fault(args, RecordError(0, None, f"{args.file} can't be read: {fault.strerror}"))
    except RecordError as fault:
        return _fault(args, fault)
    if args.json:
        print(json.dumps(played.game.view(played.state, Viewer(owner=True))))
    else:
        for line in played.game.standing(played.state):
            print(record_file.printable(line))
    return FINE


def _shown(args: Namespace, stream: BinaryIO) -> int:
    """Write the record as a page, or raise `RecordError`; nothing is written of one that is at fault."""
    from companion.app.replay_page import write_page
    from companion.games.registry import GAMES
    from companion.records import read_file
    from companion.session.hidden import seen_record
    from companion.session.timeline_sources import of_record

    lines = islice(read_file(stream), args.until)
    size = write_page(args.html, lambda begin: seen_record(of_record(GAMES, lines, begin)), "en")
    print(f"The game is in {args.html}: {size} bytes, to be opened by any browser.", file=remarks(args.html))
    return FINE


def _fault(args: Namespace, fault: RecordError) -> int:
    if args.json:
        print(json.dumps({"error": {"line": fault.line, "do": fault.do, "reason": fault.reason}}))
    where = f"line {fault.line}: " if fault.line else ""
    print(f"companion: {where}{fault.reason}", file=sys.stderr)
    return BAD_USE
