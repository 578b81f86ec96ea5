"""Random games with undone lines, and a ledger that contains them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.simulate import simulate
from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger

IMPORT = Who("script", "import")
SECOND_THOUGHTS = 0.05


def record_of(name: str, seed: object, players: int | None = None, undone: float = SECOND_THOUGHTS) -> list[Line]:
    """Return the record of a random game in which up to five lines are sometimes undone and repeated."""
    (header, *lines), luck = _simulated(name, seed, players)
    lots = Random()
    lots.setstate(luck)
    record = [header]
    for at, line in enumerate(lines, 1):
        record.append(line)
        if lots.random() < undone:
            back = min(at, lots.randint(1, 5))
            record += [{"do": "undo", "note": "misread"}] * back + lines[at - back : at]
    return record


@cache
def _simulated(name: str, seed: object, players: int | None) -> tuple[Sequence[Line], Any]:
    """Return the record of a random game, and the state of its random generator at the end."""
    game, lots = GAMES[name], Random(f"{name} {seed}")
    play = game.random_play
    assert play is not None, "it can be played at random"
    record = simulate(game, play, players or play.players[-1], lots, time.monotonic).record
    return tuple(record), lots.getstate()


def shelf(folder: Path, records: Sequence[Sequence[Line]]) -> tuple[Table, list[int]]:
    """Return a table whose ledger has *records*, and the numbers of these games."""
    table = Table(LiveGame(open_ledger(folder / "ledger.sqlite"), GAMES, time.monotonic, Random(1)))
    return table, [table.importer.import_record(record, IMPORT).game for record in records]
