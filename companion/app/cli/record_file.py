"""A record at the command line: a file, or what comes in on standard input."""

from __future__ import annotations

import sys
from argparse import ArgumentParser


def add_file(parser: ArgumentParser) -> None:
    """Add the file of a record."""
    parser.add_argument("file", metavar="FILE", help="a record, or - for standard input")


def printable(text: str) -> str:
    """Return *text* safe for this terminal: a record may come from anywhere, in any script."""
    from companion.kernel.names import one_line

    encoding = sys.stdout.encoding or "utf-8"
    return one_line(text).encode(encoding, "replace").decode(encoding)
