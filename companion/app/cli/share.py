"""`companion share`: one game of the ledger as one page that shows itself."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from companion.app.arguments import add_data, add_language, number
from companion.app.exit_codes import FINE, BadUse
from companion.app.named_file import remarks


def add(parser: ArgumentParser) -> None:
    """Add which game, and where the page is written."""
    parser.add_argument("id", type=number(1), metavar="ID", help="a number from `companion games`")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the page, replaced if there; -: standard output"
    )
    add_language(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Write the page; of a damaged game as far as its lines can be read."""
    from companion.app.ledger_access import looked_into
    from companion.app.replay_page import write_page
    from companion.kernel.errors import Malformed
    from companion.session.hidden import seen_stored

    with looked_into(args.data) as table:
        try:
            size = write_page(args.output, lambda begin: seen_stored(table, args.id, begin), args.language)
        except Malformed as fault:
            raise BadUse(fault.reason) from None
    print(f"Game {args.id} is in {args.output}: {size} bytes, to be opened by any browser.", file=remarks(args.output))
    return FINE
