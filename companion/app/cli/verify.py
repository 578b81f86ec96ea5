"""`companion verify`: whether what the companion drew in a game was drawn by the seed that it had sealed."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from companion.app.arguments import add_json
from companion.app.cli import record_file
from companion.app.exit_codes import FAILED, FINE, BadUse, unreadable
from companion.app.named_file import opened
from companion.app.progress import watching

SEAL_DIGITS = 64


def add(parser: ArgumentParser) -> None:
    """Add which record."""
    record_file.add_file(parser)
    parser.add_argument("--seal", type=_seal, metavar="HEX", help="the seal that the table showed")
    add_json(parser)


def _seal(text: str) -> str:
    digits = "".join(text.split()).lower()
    if len(digits) != SEAL_DIGITS or not set(digits) <= set("0123456789abcdef"):
        raise ArgumentTypeError(f"{SEAL_DIGITS} hexadecimal digits")
    return digits


def run(args: Namespace) -> int:
    """Say whether seal, lots and draws fit together; status 1 where they do not."""
    from companion.games.registry import GAMES
    from companion.kernel.errors import Malformed, Refused
    from companion.records.errors import RecordError
    from companion.records.parser import read_file
    from companion.records.verify import verified

    try:
        with opened(args.file) as stream:
            found = verified(GAMES, watching("Verifying", "lines", args.json)(read_file(stream)), args.seal or "")
    except OSError as fault:
        raise unreadable(args.file, fault) from None
    except RecordError as fault:
        raise BadUse(f"{args.file}, line {fault.line}: {fault.reason}") from None
    except (Malformed, Refused) as fault:
        raise BadUse(f"{args.file}: {fault.reason}") from None
    wrong = [{"line": number, "why": str(why)} for number, why in found.wrong]
    if args.json:
        print(json.dumps({"seal": found.seal, "words": list(found.words), "lots": found.lots, "wrong": wrong}))
    else:
        print(f"Seal {found.seal}, {len(found.words)} words, {found.lots} lots.")
        for each in wrong:
            print(f"  line {each['line']}: {each['why']}")
        print("Something doesn't fit." if wrong else "The seed fits its seal, and every lot is what it gives.")
    return FAILED if wrong else FINE
