"""Ledgers of real games with their correct records and states: one from an older program, one with new games."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.ledger.writer import newest_path
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.generations.opened import unpacked

RECORDS = Path(__file__).resolve().parents[1] / "companion" / "games" / "andromeda" / "records"
SHORT = ("a-quick-evening-of-three", "five-friends-at-a-lenient-table", "three-with-everyone-excused")


@dataclass(frozen=True)
class Truth:
    """A game before any damage: its record and its final state."""

    record: list[dict[str, Any]]
    final: dict[str, Any]


@dataclass(frozen=True)
class Evenings:
    """The bytes of a ledger and of the file with its newest checksum, and the undamaged games."""

    ledger: bytes
    newest: bytes
    games: dict[int, Truth]


def table_at(ledger: Ledger) -> Table:
    """Return a table for *ledger* with a fixed clock."""
    return Table(LiveGame(ledger, GAMES, lambda: 1.0, Random(1)))


def kept(folder: Path) -> Evenings:
    """Return a ledger of an older program with every kind of row, and a live game with an open question."""
    return _looked_over(unpacked("five-games", folder) / "data" / "ledger.sqlite")


def played(folder: Path) -> Evenings:
    """Return a ledger of today's program with several imported games."""
    path = folder / "ledger.sqlite"
    with closing(table_at(Ledger.open(path))) as table:
        for name in SHORT:
            lines = map(json.loads, (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
            table.importer.import_record(lines, Who("host", "import"))
    return _looked_over(path)


def _looked_over(path: Path) -> Evenings:
    with closing(table_at(Ledger.open(path))) as table:
        found = {
            each.id: Truth(list(table.archive.record(each.id)), dict(table.archive.final(each.id)))
            for each in table.archive.games()
        }
    return Evenings(path.read_bytes(), newest_path(path).read_bytes() if newest_path(path).exists() else b"", found)
