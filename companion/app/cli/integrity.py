"""A ledger looked through from end to end, by whoever asks whether it is whole."""

from __future__ import annotations

import time
from pathlib import Path
from random import SystemRandom

from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.session.table import Table


def looked_through(path: Path) -> tuple[str, ...]:
    """Return what cannot be read of the ledger at *path*, a sentence each, or raise `LedgerFault`; changes nothing."""
    ledger = Ledger.read_only(path)
    try:
        return tuple(map(_ended, Table(ledger, GAMES, time.monotonic, SystemRandom()).amiss()))
    finally:
        ledger.close()


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else f"{sentence}."
