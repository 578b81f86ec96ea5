"""Ledgers of real evenings, and what is true of them: what was kept by an older program, and games played since."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion.games.registry import GAMES
from companion.ledger import Ledger
from companion.ledger.newest import newest_path
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.generations.opened import unpacked

RECORDS = Path(__file__).resolve().parents[1] / "companion" / "games" / "andromeda" / "records"
SHORT = ("a-quick-evening-of-three", "five-friends-at-a-lenient-table", "three-with-everyone-excused")


@dataclass(frozen=True)
class Truth:
    """A game as it was before anything was damaged: its record, and how it stood."""

    record: list[dict[str, Any]]
    final: dict[str, Any]


@dataclass(frozen=True)
class Evenings:
    """A ledger's bytes and those of what lies beside it, and the truth of each of its games."""

    ledger: bytes
    newest: bytes
    games: dict[int, Truth]


def table_at(ledger: Ledger) -> Table:
    """Return a table of *ledger* whose time stands still."""
    return Table(LiveGame(ledger, GAMES, lambda: 1.0, Random(1)))


def kept(folder: Path) -> Evenings:
    """Return the evenings that an older program kept: every kind of row there is, the live game with a question."""
    return _looked_over(unpacked("five-games", folder) / "data" / "ledger.sqlite")


def played(folder: Path) -> Evenings:
    """Return evenings of today: whole games taken in one after another."""
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
