"""`companion replay`: a record in, the final state out."""

from __future__ import annotations

import errno
import json
import sys
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

from companion.app.exit_codes import BAD_USE, FINE
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import RecordFault, read_lines, replay


def run_replay(args: Namespace) -> int:
    """Replay the record *args.file* (`-`: standard input) and print its final state."""
    try:
        with record_at(args.file) as stream:
            played = replay(GAMES, read_lines(stream), args.until)
    except OSError as fault:
        return _fault(args, RecordFault(0, None, f"{args.file} cannot be read: {fault.strerror}"))
    except RecordFault as fault:
        return _fault(args, fault)
    if args.json:
        print(json.dumps(played.game.view(played.state, Viewer(owner=True))))
    else:
        for line in played.game.standing(played.state):
            print(_printable(line))
    return FINE


def record_at(name: str) -> AbstractContextManager[BinaryIO]:
    """Open the file *name* (`-`: standard input), or raise `OSError`."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return open(name, "rb")  # noqa: PTH123  # closed by the caller's with


def _fault(args: Namespace, fault: RecordFault) -> int:
    if args.json:
        print(json.dumps({"error": {"line": fault.line, "do": fault.do, "reason": fault.reason}}))
    where = f"line {fault.line}: " if fault.line else ""
    print(f"companion: {where}{fault.reason}", file=sys.stderr)
    return BAD_USE


def _printable(text: str) -> str:
    """Return *text* safe for this terminal: a record may come from anywhere, in any script."""
    kept = "".join(character if character.isprintable() else "?" for character in text)
    encoding = sys.stdout.encoding or "utf-8"
    return kept.encode(encoding, "replace").decode(encoding)
