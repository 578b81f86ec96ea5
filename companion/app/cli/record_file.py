"""A record at the command line: a file, or what comes in on standard input."""

from __future__ import annotations

import errno
import sys
from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO


def add_file(parser: ArgumentParser) -> None:
    """Add the file of a record."""
    parser.add_argument("file", metavar="FILE", help="a record, or - for standard input")


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """Open the file *name* (`-`: standard input), or raise `OSError`."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return open(name, "rb")  # noqa: PTH123  # closed by the caller's with


def printable(text: str) -> str:
    """Return *text* safe for this terminal: a record may come from anywhere, in any script."""
    from companion.kernel.names import one_line

    encoding = sys.stdout.encoding or "utf-8"
    return one_line(text).encode(encoding, "replace").decode(encoding)
