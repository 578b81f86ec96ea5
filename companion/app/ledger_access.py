"""The ledger of a data folder, opened by commands beside the service that may own it."""

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
from companion.session.table import Table


def ledger_in(data: Path) -> Path:
    """Return the ledger's file in the folder *data*, or raise `BadUse` where there is none."""
    path = data / LEDGER
    try:
        if not path.exists():
            raise BadUse(f"there's no ledger in {data} yet")
    except OSError as fault:
        raise unreadable(path, fault) from None
    return path


@contextmanager
def read_only(data: Path) -> Iterator[Ledger]:
    """Open the ledger in *data* to look into it; `BadUse` where there is none, `Failed` where it is damaged."""
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
def looked_into(data: Path) -> Iterator[Table]:
    """Open the table of the ledger in *data* to look at it; raises as `read_only` does."""
    with read_only(data) as ledger:
        yield table_of(ledger)


@contextmanager
def owned(data: Path) -> Iterator[Table]:
    """Open the table of the ledger in *data* to add to it; raises `Failed` where it belongs to a service."""
    try:
        ledger = Ledger.open(make_folder(data) / LEDGER)
        try:
            yield table_of(ledger)
        finally:
            ledger.close()
    except LedgerFault as fault:
        raise Failed(str(fault)) from None


def looked_through(path: Path) -> tuple[str, ...]:
    """Return what cannot be read of the ledger at *path*, a sentence each, or raise `LedgerFault`; changes nothing."""
    ledger = Ledger.read_only(path)
    try:
        return tuple(map(whole_sentence, table_of(ledger).amiss()))
    finally:
        ledger.close()


def table_of(ledger: Ledger) -> Table:
    """Return the table of *ledger*, to look at it or to add to it."""
    return Table(ledger, GAMES, time.monotonic, SystemRandom())


def whole_sentence(sentence: str) -> str:
    """Return *sentence* with the full stop that it may lack."""
    return sentence if sentence.endswith(".") else f"{sentence}."
