"""Run commands with the permissions of an ordinary user, by giving up root's capabilities first.

`python -m tests.companion.app.without_rights` reads a list of commands as JSON and prints their results as JSON.
"""

from __future__ import annotations

import ctypes
import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tests.forkserver.process import finished

ROOT = Path(__file__).parents[3]
_VERSION = 0x20080522


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    stdout: str
    stderr: str


def without_rights(commands: Sequence[Sequence[object]]) -> list[Ended]:
    """Run *commands* of the companion in one process that must obey file permissions."""
    asked = json.dumps([[str(word) for word in command] for command in commands])
    done = finished("tests.companion.app.without_rights", given=asked.encode(), cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [Ended(*each) for each in json.loads(done.stdout)]


def give_up_rights() -> None:
    """Give up root's capabilities, so that file permissions apply to this process; other users have none anyway."""
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, none):
        raise OSError(ctypes.get_errno(), "capset")


def _run(arguments: list[str]) -> Ended:
    from companion.app.cli.main import main

    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
    return Ended(status, out.getvalue(), err.getvalue())


if __name__ == "__main__":
    give_up_rights()
    sys.stdout.write(json.dumps([_run(arguments) for arguments in json.load(sys.stdin)]))
