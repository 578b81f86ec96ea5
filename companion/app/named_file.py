"""Open and write files named in a command. `-` means standard input or standard output."""

from __future__ import annotations

import errno
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, TextIO

from companion.app.exit_codes import unwritable
from companion.kernel.atomic_file import write_whole

STANDARD = "-"


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """Open the file *name* (`-`: standard input) for reading bytes, or raise `OSError`."""
    if name == STANDARD:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return open(name, "rb")  # noqa: PTH123  # closed by the caller's with


def write_output(name: str | Path, text: str) -> None:
    """Write *text* to the file *name*, which is replaced atomically. If *name* is `-`, write to standard output.

    Raises `BadUse` if *name* cannot be written, and `Failed` if the disk fails.
    """
    path = Path(name)
    try:
        if str(name) == STANDARD:
            sys.stdout.write(text)
        elif path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a terminal or a pipe must not be replaced by a file
        else:
            write_whole(path.resolve(), text)
    except BrokenPipeError:
        raise  # the reader of standard output has ended; `main` handles this error
    except OSError as fault:
        raise unwritable(name, fault) from None


def remarks(name: str | Path) -> TextIO:
    """Return the stream for messages: standard error if *name* is standard output, otherwise standard output."""
    return sys.stderr if str(name) == STANDARD else sys.stdout
