"""Open the ledger of a data folder for a command. A service may own the ledger at the same time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from companion.app.data_folder import LEDGER, make_folder
from companion.app.exit_codes import BadUse, Failed, unreadable
from companion.games.registry import GAMES
from companion.ledger import Ledger, LedgerFault
from companion.session.live_game import LiveGame
from companion.session.table import Table


def ledger_in(data: Path) -> Path:
    """Return the path of the ledger in the folder *data*, or raise `BadUse` if there is no ledger."""
    path = data / LEDGER
    try:
        if not path.exists():
            raise BadUse(f"there's no ledger in {data} yet")
    except OSError as fault:
        raise unreadable(path, fault) from None
    return path


@contextmanager
def read_only(data: Path) -> Iterator[Ledger]:
    """Open the ledger in *data* for reading. Raises `BadUse` if there is no ledger, and `Failed` if it is damaged."""
    path = ledger_in(data)
    try:
        ledger = Ledger.read_only(path)
        try:
            yield ledger
        finally:
            ledger.close()
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


@contextmanager
def table_read_only(data: Path) -> Iterator[Table]:
    """Open the table of the ledger in *data* for reading. Raises the errors of `read_only`."""
    with read_only(data) as ledger:
        yield table_of(ledger)


@contextmanager
def owned(data: Path) -> Iterator[Table]:
    """Open the table of the ledger in *data* for writing. Raises `Failed` if a service owns the ledger."""
    try:
        ledger = Ledger.open(make_folder(data) / LEDGER)
        try:
            yield table_of(ledger)
        finally:
            ledger.close()
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def looked_through(path: Path) -> tuple[str, ...]:
    """Return a sentence for each part of the ledger at *path* that cannot be read, or raise `LedgerFault`.

    The ledger is not changed.
    """
    ledger = Ledger.read_only(path)
    try:
        return tuple(map(whole_sentence, table_of(ledger).archive.amiss()))
    finally:
        ledger.close()


def table_of(ledger: Ledger) -> Table:
    """Return the table of *ledger*, for reading or writing."""
    return Table(LiveGame(ledger, GAMES, time.monotonic, SystemRandom()))


def whole_sentence(sentence: str) -> str:
    """Return *sentence* with a full stop at its end, unless it has one."""
    return sentence if sentence.endswith(".") else f"{sentence}."
