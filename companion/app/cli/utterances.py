"""`companion utterances`: a record in, out what the table would have said aloud."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.cli import record_file
from companion.app.exit_codes import FINE, BadUse

AMOUNTS = ("few", "usual", "all")


def add(parser: ArgumentParser) -> None:
    """Add the record, the language, and how much is said."""
    record_file.add_file(parser)
    parser.add_argument("--language", default="en", metavar="CODE", help="en, nl or de (default: en)")
    parser.add_argument("--words", choices=AMOUNTS, default="all", help="how much is said (default: all)")


def run(args: Namespace) -> int:
    """Print one sentence a line."""
    from companion.games.registry import GAMES
    from companion.model.speech import Whose, Words, chosen
    from companion.records import RecordFault, read_file
    from companion.speech import told_aloud
    from web.http.i18n import LANGUAGES, said_in

    if args.language not in LANGUAGES:
        raise BadUse(f"--language: one of {', '.join(LANGUAGES)}")
    try:
        with record_file.opened(args.file) as stream:
            for one in chosen(told_aloud(GAMES, read_file(stream)), Words[args.words.upper()], Whose.ALL):
                print(record_file.printable(said_in(one.text, args.language)))
    except OSError as fault:
        raise BadUse(f"{args.file} can't be read: {fault.strerror}") from None
    except RecordFault as fault:
        raise BadUse(f"line {fault.line}: {fault.reason}") from None
    return FINE
