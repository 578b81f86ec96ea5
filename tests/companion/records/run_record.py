"""Writing valid and invalid records for tests, and passing them to the command line."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.games.registry import GAMES
from companion.records import RecordError, Replay, read_lines, replay
from tests.forkserver.process import finished

HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [
        {"colour": "red", "name": "Ana"},
        {"colour": "blue", "name": "Ben"},
        {"colour": "green", "name": "Cem"},
    ],
    "first": "red",
    "options": {},
}
SIX = {"p1": 2, "p2": 2, "p3": 2}
OPENING: tuple[dict[str, Any], ...] = (
    HEADER,
    {"do": "setup", "player": "red", "cards": SIX},
    {"do": "setup", "player": "blue", "cards": SIX},
    {"do": "setup", "player": "green", "cards": SIX},
    {"do": "deal"},
    {"do": "transport", "player": "red", "move": "pass"},
    {"do": "transport", "player": "blue", "move": "pass"},
    {"do": "transport", "player": "green", "move": "pass"},
    {"do": "lay", "player": "red", "card": "p1"},
)
"""A record up to the moment when blue and green must answer a card; its next line is line 10."""


def header(**changes: Any) -> dict[str, Any]:
    """Return the header with changed fields; None removes a field."""
    return {name: value for name, value in {**HEADER, **changes}.items() if value is not None}


def written(*lines: Any, end: str = "\n") -> bytes:
    """Return lines as a file's bytes; strings and bytes are written as they are."""
    return b"".join(_bytes(line) + end.encode() for line in lines)


def _bytes(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode()


def replayed(raw: bytes, until: int | None = None) -> Replay:
    """Replay the bytes of a record."""
    return replay(GAMES, read_lines(io.BytesIO(raw)), until)


def fault_of(raw: bytes, until: int | None = None) -> RecordError:
    """Return the error for an invalid record, after checking that it can be printed on a terminal."""
    try:
        replayed(raw, until)
    except RecordError as fault:
        assert fault.reason
        assert fault.reason.isprintable()
        assert len(fault.reason) < 400
        return fault
    raise AssertionError("the record was accepted")


@dataclass(frozen=True)
class Ran:
    """The result of running the command line."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The parsed JSON of standard output."""
        return json.loads(self.out)


def run(*arguments: str | Path, given: bytes = b"", **environment: str) -> Ran:
    """Run `companion` with *arguments*; *given* is its standard input."""
    if not environment:
        done = finished("companion", *arguments, given=given)
        return Ran(done.returncode, done.stdout, done.stderr)
    command: Sequence[str | Path] = (sys.executable, "-m", "companion", *arguments)
    surroundings = {**os.environ, **environment}
    alone = subprocess.run(command, input=given, env=surroundings, capture_output=True, timeout=60, check=False)
    return Ran(alone.returncode, alone.stdout.decode(), alone.stderr.decode())


def run_record(raw: bytes, *arguments: str) -> Ran:
    """Replay the bytes of a record from standard input."""
    return run("replay", "-", *arguments, given=raw)
