"""Damage to a ledger as by a failing card: changed bytes, lost pages, changed rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

PAGE = 4096
COLUMNS = ("game", "kind", "word", "who", "via", "at_ms", "step_ms", "wall_ms", "ring", "undoes", "body")
WRONG: tuple[object, ...] = (None, 0, -7, 3, 10**12, "x", "score", "{}", b"\xff", 1.5)


def byte(path: Path, lots: Random) -> str:
    """Change one byte of the file."""
    data = bytearray(path.read_bytes())
    at = lots.randrange(len(data))
    data[at] ^= lots.randrange(1, 256)
    path.write_bytes(data)
    return f"byte {at}"


def page(path: Path, lots: Random) -> str:
    """Damage a page: zeros, ones or another page's content; or truncate or empty the file."""
    data = path.read_bytes()
    at = lots.randrange(len(data) // PAGE) * PAGE
    how = lots.choice(("zeroed", "ones", "another", "cut", "emptied"))
    rest = data[at + PAGE :]
    other = lots.randrange(len(data) // PAGE) * PAGE
    path.write_bytes(
        {
            "zeroed": data[:at] + bytes(PAGE) + rest,
            "ones": data[:at] + b"\xff" * PAGE + rest,
            "another": data[:at] + data[other : other + PAGE] + rest,
            "cut": data[: at + lots.randrange(PAGE)],
            "emptied": b"",
        }[how]
    )
    return f"page {at // PAGE + 1} {how}"


def row(path: Path, lots: Random) -> str:
    """Change, remove or replace a row, with the triggers disabled that normally forbid it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as card:
        card.execute("PRAGMA ignore_check_constraints = ON")
        triggers = card.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            card.execute(f"DROP TRIGGER {name}")
        numbers = [number for (number,) in card.execute("SELECT id FROM row")]
        what = lots.choice(_DEEDS)(card, lots.choice(numbers), lots)
        for _, sql in triggers:
            card.execute(sql)
    return what


def _changed(card: sqlite3.Connection, number: int, lots: Random) -> str:
    column, value = lots.choice(COLUMNS), lots.choice(WRONG)
    card.execute(f"UPDATE OR IGNORE row SET {column} = ? WHERE id = ?", (value, number))  # noqa: S608
    return f"row {number}: {column} = {value!r}"


def _mistyped(card: sqlite3.Connection, number: int, lots: Random) -> str:
    """Change one character of the body, which may give a valid body with another meaning."""
    (body,) = card.execute("SELECT body FROM row WHERE id = ?", (number,)).fetchone()
    at = lots.randrange(len(body))
    other = lots.choice("0123456789" if body[at].isdigit() else 'abcdefghijklmnopqrstuvwxyz{}[],:" ')
    card.execute("UPDATE row SET body = ? WHERE id = ?", (body[:at] + other + body[at + 1 :], number))
    return f"row {number}: body[{at}] = {other!r}"


def _taken_out(card: sqlite3.Connection, number: int, lots: Random) -> str:
    card.execute("DELETE FROM row WHERE id = ?", (number,))
    return f"row {number} taken out"


def _moved(card: sqlite3.Connection, number: int, lots: Random) -> str:
    """Replace a row's content with the content of another row."""
    others = card.execute("SELECT id FROM row WHERE id <> ? AND kind <> 'ring'", (number,)).fetchall()
    (other,) = lots.choice(others)
    fields = "game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes"
    card.execute(
        f"UPDATE OR IGNORE row SET ({fields}) = (SELECT {fields} FROM row WHERE id = ?) WHERE id = ?",  # noqa: S608
        (other, number),
    )
    return f"row {number} is what row {other} is"


Deed = Callable[[sqlite3.Connection, int, Random], str]
_DEEDS: tuple[Deed, ...] = (_changed, _mistyped, _mistyped, _taken_out, _moved)
