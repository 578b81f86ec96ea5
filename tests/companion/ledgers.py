"""New ledgers are copied from one that is made once, since creating the schema takes most of the time."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from companion.ledger import Ledger
from companion.ledger.storage import Connect
from companion.ledger.storage import connect as usual

OWNERS_ALONE = 0o600


def open_ledger(path: Path, connect: Connect = usual) -> Ledger:
    """Return the ledger at *path*; a new one gets its own identity."""
    if not path.exists() and connect is usual:
        made, name = _made()
        path.touch(OWNERS_ALONE)
        path.write_bytes(made.replace(name, token_hex(len(name) // 2).encode()))
    return Ledger.open(path, connect)


@cache
def _made() -> tuple[bytes, bytes]:
    """Return the bytes of an empty ledger, and its identity."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.sqlite"
        ledger = Ledger.open(path)
        name = ledger.identity.encode()
        ledger.close()
        return path.read_bytes(), name
