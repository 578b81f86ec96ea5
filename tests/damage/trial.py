"""One trial: a ledger is damaged, a table is opened on it, and its games are compared with the undamaged ones."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.app.ledger_rescue import table_of
from companion.kernel.errors import Malformed
from companion.ledger import LedgerFault, PagesDamaged
from companion.ledger.salvage import records
from companion.ledger.writer import newest_path
from companion.session.table import Table
from tests.damage.evenings import Evenings, Truth, table_at

Harm = Callable[[Path, Random], str]
GAME = 1  # the index of the column with the game's number
ROW_COLUMNS = 15
LOST = re.compile(r"Rows? \d+ .*lost. Nobody knows|end of the ledger is gone")
"""The notice about lost rows whose game is unknown."""


@dataclass
class Figures:
    """The results of many trials."""

    trials: int = 0
    started: int = 0
    tracebacks: list[str] = field(default_factory=list)
    set_aside: int = 0
    noticed: int = 0
    renamed: list[str] = field(default_factory=list)
    unnoticed: list[str] = field(default_factory=list)
    games: int = 0
    touched: int = 0
    read_whole: int = 0
    whole_lost: list[str] = field(default_factory=list)

    def add(self, seen: Figures) -> None:
        """Add the results of one trial."""
        self.noticed += seen.noticed
        self.renamed += seen.renamed
        self.unnoticed += seen.unnoticed
        self.games += seen.games
        self.touched += seen.touched
        self.read_whole += seen.read_whole
        self.whole_lost += seen.whole_lost

    @property
    def sound(self) -> bool:
        """Whether no fault was found."""
        return self.trials == self.started and not (
            self.tracebacks or self.unnoticed or self.renamed or self.whole_lost
        )

    def told(self) -> dict[str, Any]:
        """Return the totals for printing."""
        whole = self.games - self.touched
        return {
            "trials": self.trials,
            "starts": self.started,
            "tracebacks": len(self.tracebacks),
            "ledgers set aside": self.set_aside,
            "games looked at": self.games,
            "games damaged": self.touched,
            "damage noticed": self.noticed,
            "unnoticed changes of a record": len(self.unnoticed),
            "unnoticed changes of a name": len(self.renamed),
            "whole games readable": f"{whole - len(self.whole_lost)} of {whole}",
        }


def tried(evenings: Evenings, harm: Harm, lots: Random, folder: Path, figures: Figures) -> None:
    """Damage *evenings* once in *folder*, open a table on them, and add the results to *figures*."""
    folder.mkdir()
    (folder / "token").write_text("an evening was here", encoding="utf-8")
    path = folder / "ledger.sqlite"
    path.write_bytes(evenings.ledger)
    if evenings.newest:
        newest_path(path).write_bytes(evenings.newest)
    before = _rows_by_game(path)
    what = harm(path, lots)
    after = _rows_by_game(path)
    touched = {game for game in evenings.games if before.get(game) != after.get(game)}
    figures.trials += 1
    try:
        _start(path, evenings, touched, what, figures)
        figures.started += 1
    except Exception:
        figures.tracebacks.append(f"{what}\n{traceback.format_exc()}")
    figures.set_aside += bool(list(folder.glob("damaged-ledger-*.sqlite")))


def _start(path: Path, evenings: Evenings, touched: set[int], what: str, figures: Figures) -> None:
    """Open a table, and once more if it asks for a restart; check every game."""
    seen = Figures()
    with closing(table_of(path, table_at)) as table:
        again = _look(table, evenings, touched, what, seen)
    if again:
        seen = Figures()
        with closing(table_of(path, table_at)) as table:
            assert not _look(table, evenings, touched, what, seen), "a second start asks for a third"
    figures.add(seen)


def _look(table: Table, evenings: Evenings, touched: set[int], what: str, figures: Figures) -> bool:
    """Compare every game with the undamaged one; return True if a restart is needed."""
    listed = {each.id for each in table.archive.games()}
    asked = bool(table.archive.unlisted)
    all_seen = {number: _seen(table, number, truth) for number, truth in evenings.games.items()}
    table.tick()  # damage found by reading is shown as a notice with the next tick
    text = " ".join(notice.text for notice in table.snapshot.notices if notice.kind == "damaged")
    for number, (verdict, restart) in all_seen.items():
        figures.games += 1
        figures.touched += number in touched
        asked = asked or restart
        if verdict == "whole" and number in listed:
            figures.read_whole += 1
        elif verdict == "nameless" and number in _renamed(text):
            figures.noticed += 1
        elif verdict == "nameless":
            figures.renamed.append(f"{what}: game {number}")
        elif (verdict == "changed" and not LOST.search(text)) or (verdict == "whole" and not text):
            figures.unnoticed.append(f"{what}: game {number} {verdict}")
        else:
            figures.noticed += 1
            if number not in touched:
                figures.whole_lost.append(f"{what}: game {number} {verdict}")
    return asked


def _renamed(text: str) -> set[int]:
    """Return the games whose names are lost or changed according to the notices."""
    lost = re.findall(r"\d+", text.partition("colours:")[2])
    return {*map(int, lost), *map(int, re.findall(r"changed a name in game (\d+)", text))}


def _seen(table: Table, number: int, truth: Truth) -> tuple[str, bool]:
    """Return the condition of a game in one word, and whether a restart is needed."""
    try:
        found = table.archive.partial(number)
        live = list(table.archive.record(number)) if number == table.snapshot.game_id else list(found.record)
    except PagesDamaged:
        return "refused", True
    except (LedgerFault, Malformed):
        return "refused", False
    record, final = list(found.record), dict(found.final)
    if found.damage:
        return ("refused" if record[1:] == truth.record[1 : len(record)] else "changed"), False
    if (record, final) == (truth.record, truth.final) and live == record:
        return "whole", False
    return ("nameless" if record[1:] == truth.record[1:] and _same_but_names(record, truth) else "changed"), False


def _same_but_names(record: list[dict[str, Any]], truth: Truth) -> bool:
    """Return whether the headers differ in names only, which are not part of the chain of checksums."""
    bare = [
        {**header, "players": [{**player, "name": ""} for player in header["players"]]}
        for header in (record[0], truth.record[0])
    ]
    return bare[0] == bare[1]


def _rows_by_game(path: Path) -> dict[object, dict[int, object]]:
    """Return the complete rows in the file by game, read without SQLite."""
    found: dict[object, dict[int, object]] = {}
    for number, columns in records(path):
        if len(columns) >= ROW_COLUMNS:
            found.setdefault(columns[GAME], {})[number] = columns
    return found
