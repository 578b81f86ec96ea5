"""A damaged game can be shown and exported up to its last valid line, and neither changes it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.kernel.errors import Malformed
from companion.ledger.salvage import PAGE
from tests.companion.app.processes import companion
from tests.companion.live_table import HOST, LiveTable
from tests.generations.opened import unpacked


def hurt(path: Path, chosen: str) -> int:
    """Damage the body of the last row that matches the SQL condition *chosen*, and return its number."""
    with closing(sqlite3.connect(path)) as card:
        (row,) = card.execute(f"SELECT max(id) FROM row WHERE {chosen}").fetchone()  # noqa: S608
        card.execute("DROP TRIGGER row_stays")
        card.execute("UPDATE row SET body = '{}' WHERE id = ?", (row,))
        card.commit()
    return int(row)


@pytest.mark.parametrize("chosen", ["kind = 'line' AND word = 'score'", "word = 'undo'"])
def test_a_damaged_game_is_told_to_its_last_whole_line(tmp_path: Path, chosen: str) -> None:
    """So far: the result has every line before the damaged row, the states, and a sentence that names the row."""
    evening = LiveTable(tmp_path / "l.db").open().score(1).score(2).undo().score(3)
    whole = list(evening.table.archive.record())
    evening.ledger.close()
    row = hurt(evening.path, chosen)
    evening.sit_down()
    game = evening.table.archive.games()[0].id

    found = evening.table.archive.partial(game)

    assert f"row {row} " in found.damage
    assert list(found.record) == whole[: len(found.record)]
    assert 1 < len(found.record) < len(whole)
    assert [told.line["do"] for told in (move.line for move in found.moves)] == [
        line["do"] for line in found.record[1:] if line["do"] != "undo"
    ]
    with pytest.raises(Malformed, match=f"row {row} "):
        evening.table.archive.record(game)
    assert [f"row {row} " in entry.damage for entry in evening.table.archive.games()] == [True]
    evening.ledger.close()


def test_it_can_be_gone_on_with_as_another_game(tmp_path: Path) -> None:
    """So far: the readable record can be imported as a new game, which can be continued."""
    evening = LiveTable(tmp_path / "l.db").open().score(1).score(2).score(3)
    evening.ledger.close()
    hurt(evening.path, "kind = 'line'")
    evening.sit_down()
    game = evening.table.archive.games()[0].id

    new = evening.table.importer.import_record(evening.table.archive.partial(game).record, HOST).game

    assert evening.table.archive.final(new)["scores"] == {"red": 1, "blue": 2}
    evening.ledger.close()


def test_the_command_writes_what_can_be_read(tmp_path: Path) -> None:
    """Export: for a damaged game, the readable lines are printed, with status 2 and one sentence that names the row."""
    data = unpacked("five-games", tmp_path) / "data"
    with closing(sqlite3.connect(data / "ledger.sqlite")) as card:
        (game,) = card.execute("SELECT min(game) FROM row WHERE kind = 'line'").fetchone()
    whole = companion("export", game, "--data", data).stdout.splitlines()
    row = hurt(data / "ledger.sqlite", f"kind = 'line' AND game = {game}")

    done = {form: companion("export", game, "--to", form, "--data", data) for form in ("record", "csv", "json")}

    header, *lines = done["record"].stdout.splitlines()
    assert lines == whole[1:-1]
    assert {**json.loads(whole[0]), "ended": "open"} == json.loads(header)
    assert json.loads(done["json"].stdout)["game"] == "andromeda"
    for each in done.values():
        assert (each.returncode, each.stderr.count("\n"), f"row {row} " in each.stderr) == (2, 1, True)


def test_games_that_cannot_be_listed_are_no_empty_list(tmp_path: Path) -> None:
    """Games: if the list of games cannot be read, the command fails instead of printing an empty list."""
    evening = LiveTable(tmp_path / "ledger.sqlite").open().score()
    evening.table.close()
    with closing(sqlite3.connect(evening.path)) as card:
        (page,) = card.execute("SELECT rootpage FROM sqlite_master WHERE name = 'row_by_game'").fetchone()
    with evening.path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(bytes(PAGE))

    done = companion("games", "--data", tmp_path)

    assert (done.returncode, done.stdout) == (1, "")
    assert "can't be read" in done.stderr
