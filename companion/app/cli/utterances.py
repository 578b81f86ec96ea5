"""`companion utterances`: a record in, out what the table would have said aloud."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_language
from companion.app.cli import record_file
from companion.app.exit_codes import FINE, BadUse, unreadable
from companion.app.named_file import opened
from companion.app.progress import watching

AMOUNTS = ("few", "usual", "all")


def add(parser: ArgumentParser) -> None:
    """Add the record, the language, and how much is said."""
    record_file.add_file(parser)
    add_language(parser)
    parser.add_argument("--words", choices=AMOUNTS, default="all", help="how much is said (default: all)")


def run(args: Namespace) -> int:
    """Print one sentence a line."""
    from companion.games.registry import GAMES
    from companion.model.speech import Verbosity, Whose, chosen
    from companion.records import RecordError, read_file
    from companion.speech import told_aloud
    from web.http.i18n import said_in

    try:
        with opened(args.file) as stream:
            lines = watching("Reading", "lines")(read_file(stream))
            for one in chosen(told_aloud(GAMES, lines), Verbosity[args.words.upper()], Whose.ALL):
                print(record_file.printable(said_in(one.text, args.language)))
    except OSError as fault:
        raise unreadable(args.file, fault) from None
    except RecordError as fault:
        raise BadUse(f"line {fault.line}: {fault.reason}") from None
    return FINE
