"""Games as files: a night taken away and brought to another companion, one game in all its forms."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.fairness.export import FILE, PACKAGE
from companion.ledger import Ledger, canonical, verify
from companion.model.snapshot import Who
from tests.web.after_game.evenings import Evening
from tests.web.served_house import Browser


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Yield an evening of which everything is put away in the end."""
    (tmp_path / "one").mkdir()
    evening = Evening(tmp_path / "one")
    yield evening
    evening.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Evening]:
    """Yield the evening of another companion."""
    (tmp_path / "other").mkdir()
    evening = Evening(tmp_path / "other")
    yield evening
    evening.close()


def bring(host: Browser, content: bytes, name: str = "night.sqlite") -> str:
    """Have *host* import a file, and return what is said of it."""
    fields = {"csrf": host.csrf, "file": (io.BytesIO(content), name)}
    return host.client.post("/games/files", data=fields, follow_redirects=True).get_data(as_text=True)


def taken(evening: Evening) -> bytes:
    """Return the night of *evening* as it is downloaded."""
    answer = evening.host().client.get("/games/night.sqlite")
    assert answer.status_code == 200
    return answer.data


def test_a_dead_card_loses_no_night(evening: Evening, another: Evening) -> None:
    """The night: downloaded as one file and imported by another companion it is all there, to the last row."""
    for name in ("hanse", "draws"):
        evening.played(name)

    said = bring(another.host(), taken(evening))

    assert "2 games imported." in said
    assert canonical(another.ledger) == canonical(evening.ledger)
    assert [entry.name for entry in another.table.games()] == [entry.name for entry in evening.table.games()]


def test_a_night_is_a_sound_ledger_of_its_own(evening: Evening, tmp_path: Path) -> None:
    """The night: what is downloaded is a ledger like any other, without a damaged row."""
    evening.played("draws")
    file = tmp_path / "night.sqlite"
    file.write_bytes(taken(evening))

    assert verify(file).findings == ()


def test_nothing_comes_twice(evening: Evening, another: Evening) -> None:
    """Imports: the same night again brings nothing."""
    evening.played("draws")
    night, host = taken(evening), another.host()
    bring(host, night)

    assert "Nothing new in this file." in bring(host, night)
    assert len(another.table.games()) == 1


def test_who_plays_meanwhile_is_not_disturbed(evening: Evening, another: Evening) -> None:
    """Imports: the game on the table stays there, and goes on."""
    evening.played("draws")
    number = another.played("andromeda", most=30)
    before = another.table.snapshot

    bring(another.host(), taken(evening))

    assert another.table.snapshot.game_id == number
    assert another.table.snapshot.state == before.state
    another.table.do({"do": "undo", "note": "x"}, Who("host", "tablet"))


def test_a_torn_backup_is_refused_by_its_row(evening: Evening, another: Evening, tmp_path: Path) -> None:
    """Imports: of a backup with a damaged row nothing comes in, and the row is named."""
    evening.played("draws")
    file = tmp_path / "torn.sqlite"
    file.write_bytes(taken(evening))
    with closing(sqlite3.connect(file)) as card, card:
        card.execute("DROP TRIGGER row_stays")
        (row,) = card.execute("SELECT max(id) FROM row WHERE kind = 'line'").fetchone()
        card.execute("UPDATE row SET body = '{}' WHERE id = ?", (row,))

    said = bring(another.host(), file.read_bytes())

    assert "This backup is damaged, so nothing was imported" in said
    assert str(row) in said.partition("This backup is damaged")[2][:200]
    assert another.table.games() == ()


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TRIGGER t BEFORE INSERT ON row BEGIN SELECT RAISE(IGNORE); END", "a backup that can be read"),
        ("CREATE VIEW v AS SELECT * FROM row", "a backup that can be read"),
        ("DROP TRIGGER row_remains", "a backup that can be read"),
        ("UPDATE sqlite_sequence SET seq = 9223372036854775807", "a backup that can be read"),
    ],
)
def test_a_backup_with_a_part_that_is_not_ours_is_refused(
    evening: Evening, another: Evening, tmp_path: Path, statement: str, why: str
) -> None:
    """Imports: nothing that a file brings along beside its rows is trusted."""
    evening.played("draws")
    file = tmp_path / "theirs.sqlite"
    file.write_bytes(taken(evening))
    with closing(sqlite3.connect(file, isolation_level=None)) as card:
        card.execute(statement)
        card.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    assert why in bring(another.host(), file.read_bytes())
    assert another.table.games() == ()


def test_a_backup_without_games_is_named(another: Evening, tmp_path: Path) -> None:
    """Imports: an empty ledger is not taken for a backup of which everything is here."""
    Ledger.open(tmp_path / "fresh.sqlite").close()

    assert "This backup holds no games" in bring(another.host(), (tmp_path / "fresh.sqlite").read_bytes())
    assert "this file is empty" in bring(another.host(), b"")


@pytest.mark.parametrize("content", [b"SQLite format 3\0 and no more", b"hello", b"", b"{}\n"])
def test_what_is_no_game_changes_nothing(another: Evening, content: bytes) -> None:
    """Imports: any other file is refused with a sentence."""
    assert "Nothing changed" in bring(another.host(), content, "x.jsonl")
    assert another.table.games() == ()


def test_a_record_is_imported(evening: Evening, another: Evening) -> None:
    """Imports: the record of one game becomes a game here."""
    number = evening.played("hanse")
    record = evening.host().client.get(f"/games/{number}/record").data

    assert "1 game imported." in bring(another.host(), record, "game.jsonl")
    assert len(another.table.games()) == 1


def test_files_are_the_hosts(evening: Evening) -> None:
    """Files: they show everything, so an onlooker gets none of them, but the play's link."""
    number = evening.played("andromeda")
    visitor = evening.app.test_client()
    paths = ("/games/night.sqlite", f"/games/{number}/state.json", f"/games/{number}/draws.zip")

    refused = [visitor.get(path).status_code for path in paths]
    page = visitor.get(f"/games/{number}/files").get_data(as_text=True)

    assert refused == [403, 403, 403]
    assert visitor.post("/games/files").status_code == 403
    assert "https://app.bgstatsapp.com/createPlay.html?data=" in page
    assert "draws.zip" not in page


def test_one_game_in_all_its_forms(evening: Evening) -> None:
    """Files: final state, draws with their dictionary, and the play that an app takes in, as link and code."""
    number, host = evening.played("andromeda"), evening.host()
    state = json.loads(host.get(f"/games/{number}/state.json"))
    packed = zipfile.ZipFile(io.BytesIO(host.client.get(f"/games/{number}/draws.zip").data))
    page = host.get(f"/games/{number}/files")
    link = page.partition("createPlay.html?data=")[2].partition('"')[0]

    assert state["finished"]
    assert set(packed.namelist()) == {FILE, PACKAGE}
    assert packed.read(FILE).count(b"\n") > 10
    assert json.loads(unquote(link.replace("&#34;", '"')))["durationMin"] > 30
    assert "<svg" in page.partition('class="code"')[2][:300]
    assert len(page.encode()) < 150_000


def test_a_game_that_goes_on_is_no_play(evening: Evening) -> None:
    """Files: a play has its end; before, there is none to log."""
    number = evening.played("andromeda", most=30)

    assert "BG Stats" not in evening.host().get(f"/games/{number}/files")
