"""Games as files: all games of a night are exported and imported by another companion; one game has all formats."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.fairness.export import FILE, PACKAGE
from companion.ledger import Ledger, canonical, verify
from companion.model.snapshot import Who
from companion.session.commands import Abandon, Resume, Switch
from tests.web.after_game.evenings import Evening
from tests.web.served_house import HOST, Browser

VIRTUAL = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}],
    "contents": {"red": 30, "blue": 30},
    "virtual": True,
}
"""A table whose draws are made by the companion, with a sealed seed."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Yield an evening that only this test uses, and close it afterwards."""
    (tmp_path / "one").mkdir()
    evening = Evening(tmp_path / "one")
    yield evening
    evening.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Evening]:
    """Yield an evening on another companion."""
    (tmp_path / "other").mkdir()
    evening = Evening(tmp_path / "other")
    yield evening
    evening.close()


def bring(host: Browser, content: bytes, name: str = "night.sqlite") -> str:
    """Have *host* import a file, and return the page with the result."""
    fields = {"csrf": host.csrf, "file": (io.BytesIO(content), name)}
    return host.client.post("/games/files", data=fields, follow_redirects=True).get_data(as_text=True)


def taken(evening: Evening) -> bytes:
    """Return the file with all games of *evening*, as it is downloaded."""
    answer = evening.host().client.get("/games/night.sqlite")
    assert answer.status_code == 200
    return answer.data


def test_a_dead_card_loses_no_night(evening: Evening, another: Evening) -> None:
    """The night: the file downloaded from one companion contains every row when it is imported by another."""
    for name in ("hanse", "draws"):
        evening.played(name, most=40)

    said = bring(another.host(), taken(evening))

    assert "2 games imported." in said
    assert canonical(another.ledger) == canonical(evening.ledger)
    assert [entry.name for entry in another.table.archive.games()] == [
        entry.name for entry in evening.table.archive.games()
    ]


def test_a_night_is_a_sound_ledger_of_its_own(evening: Evening, tmp_path: Path) -> None:
    """The night: the downloaded file is a valid ledger without a damaged row."""
    evening.played("draws", most=12)
    file = tmp_path / "night.sqlite"
    file.write_bytes(taken(evening))

    assert verify(file).findings == ()


def test_nothing_comes_twice(evening: Evening, another: Evening) -> None:
    """Imports: importing the same file again adds nothing."""
    evening.played("draws", most=12)
    night, host = taken(evening), another.host()
    bring(host, night)

    assert "Nothing new in this file." in bring(host, night)
    assert len(another.table.archive.games()) == 1


def test_who_plays_meanwhile_is_not_disturbed(evening: Evening, another: Evening) -> None:
    """An import doesn't replace the game on the table, which continues."""
    evening.played("draws", most=12)
    number = another.played("andromeda", most=30)
    before = another.table.snapshot

    bring(another.host(), taken(evening))

    assert another.table.snapshot.game_id == number
    assert another.table.snapshot.state == before.state
    another.table.do({"do": "undo", "note": "x"}, Who("host", "tablet"))


def test_a_torn_backup_is_refused_by_its_row(evening: Evening, another: Evening, tmp_path: Path) -> None:
    """Imports: a backup with a damaged row is not imported, and the message names the row."""
    evening.played("draws", most=12)
    file = tmp_path / "torn.sqlite"
    file.write_bytes(taken(evening))
    with closing(sqlite3.connect(file)) as card, card:
        card.execute("DROP TRIGGER row_stays")
        (row,) = card.execute("SELECT max(id) FROM row WHERE kind = 'line'").fetchone()
        card.execute("UPDATE row SET body = '{}' WHERE id = ?", (row,))

    said = bring(another.host(), file.read_bytes())

    assert "This backup is damaged, so nothing was imported" in said
    assert str(row) in said.partition("This backup is damaged")[2][:200]
    assert another.table.archive.games() == ()


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
    """Imports: a file with triggers, views or other additions to its rows is refused."""
    evening.played("draws", most=12)
    file = tmp_path / "theirs.sqlite"
    file.write_bytes(taken(evening))
    with closing(sqlite3.connect(file, isolation_level=None)) as card:
        card.execute(statement)
        card.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    assert why in bring(another.host(), file.read_bytes())
    assert another.table.archive.games() == ()


def test_a_backup_without_games_is_named(another: Evening, tmp_path: Path) -> None:
    """Imports: an empty ledger is reported as a backup without games."""
    Ledger.open(tmp_path / "fresh.sqlite").close()

    assert "This backup holds no games" in bring(another.host(), (tmp_path / "fresh.sqlite").read_bytes())
    assert "this file is empty" in bring(another.host(), b"")


@pytest.mark.parametrize("content", [b"SQLite format 3\0 and no more", b"hello", b"", b"{}\n"])
def test_what_is_no_game_changes_nothing(another: Evening, content: bytes) -> None:
    """A file that is neither a ledger nor a record is refused with a sentence, and nothing is imported."""
    assert "Nothing changed" in bring(another.host(), content, "x.jsonl")
    assert another.table.archive.games() == ()


def test_a_record_is_imported(evening: Evening, another: Evening) -> None:
    """Imports: the record of one game is imported as a game."""
    number = evening.played("hanse", most=40)
    record = evening.host().client.get(f"/games/{number}/record").data

    assert "1 game imported." in bring(another.host(), record, "game.jsonl")
    assert len(another.table.archive.games()) == 1


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Evening, int]]:
    """Yield an evening with a finished game, and the game's number."""
    evening = Evening(tmp_path_factory.mktemp("over"))
    yield evening, evening.played("andromeda")
    evening.close()


def test_files_are_the_hosts(over: tuple[Evening, int]) -> None:
    """Files show everything, so a visitor gets none of them except the BG Stats link."""
    evening, number = over
    visitor = evening.app.test_client()
    paths = ("/games/night.sqlite", f"/games/{number}/state.json", f"/games/{number}/draws.zip")

    refused = [visitor.get(path).status_code for path in paths]
    page = visitor.get(f"/games?show=files&game={number}").get_data(as_text=True)

    assert refused == [403, 403, 403]
    assert visitor.post("/games/files").status_code == 403
    assert "https://app.bgstatsapp.com/createPlay.html?data=" in page
    assert "draws.zip" not in page


def test_one_game_in_all_its_forms(over: tuple[Evening, int]) -> None:
    """Files: a game's final state, its draws and its BG Stats play (link and QR code) are offered."""
    number, host = over[1], over[0].host()
    state = json.loads(host.get(f"/games/{number}/state.json"))
    packed = zipfile.ZipFile(io.BytesIO(host.client.get(f"/games/{number}/draws.zip").data))
    page = host.get(f"/games?show=files&game={number}")
    link = page.partition("createPlay.html?data=")[2].partition('"')[0]

    assert state["finished"]
    assert set(packed.namelist()) == {FILE, PACKAGE}
    assert packed.read(FILE).count(b"\n") > 10
    assert json.loads(unquote(link.replace("&#34;", '"')))["durationMin"] > 30
    assert "<svg" in page.partition('class="code"')[2][:300]
    assert len(page.encode()) < 150_000


def test_a_game_that_goes_on_is_no_play(evening: Evening) -> None:
    """Files: an unfinished game has no BG Stats play."""
    number = evening.played("andromeda", most=30)

    assert "BG Stats" not in evening.host().get(f"/games?show=files&game={number}")


def sealed_seed(evening: Evening) -> str:
    """Return the sealed seed of *evening*'s companion, which only its own ledger contains."""
    with closing(sqlite3.connect(evening.ledger.path)) as card:
        (body,) = card.execute("SELECT body FROM row WHERE word = 'sealed'").fetchone()
    return str(json.loads(body)["seed"])


def virtual(evening: Evening, most: int) -> int:
    """Play *most* virtual draws at a table, and return the game's number."""
    evening.table.open(VIRTUAL, HOST)
    for _ in range(most):
        evening.table.do({"do": "draw", "player": "red"}, HOST)
    number = evening.table.snapshot.game_id
    assert number is not None
    return number


def test_the_seed_leaves_the_house_when_the_game_is_over(evening: Evening) -> None:
    """An unfinished game is exported with only its seed's hash; the seed is exported after it has ended."""
    virtual(evening, 2)
    seed = sealed_seed(evening)
    before = taken(evening)
    evening.table.execute(Abandon("late"), HOST)

    assert seed.encode() not in before
    assert sha256(bytes.fromhex(seed)).hexdigest().encode() in before
    assert seed.encode() in taken(evening)


def test_a_game_taken_along_before_its_end_goes_on_in_both_houses(evening: Evening, another: Evening) -> None:
    """Imports: a copy without the seed continues with other draws; the finished game is recognised as the same game."""
    number = virtual(evening, 2)
    host = another.host()
    bring(host, taken(evening))
    evening.table.do({"do": "draw", "player": "red"}, HOST)
    evening.table.execute(Abandon("late"), HOST)

    assert "1 game goes on." in bring(host, taken(evening))
    assert len(another.table.archive.games()) == 1
    another.table.execute(Switch(another.table.archive.games()[0].id), HOST)
    another.table.execute(Resume(), HOST)
    another.table.do({"do": "draw", "player": "red"}, HOST)
    assert (
        next(another.table.archive.record())["sealed"]["seal"]
        == next(evening.table.archive.record(number))["sealed"]["seal"]
    )


def test_names_of_ours_change_only_with_a_tick(evening: Evening, another: Evening) -> None:
    """Imports: if a name was removed in the file, the page says which names would change here, and asks to confirm."""
    evening.played("draws", most=12)
    host = another.host()
    bring(host, taken(evening))
    gone = next(iter(evening.table.archive.people()))
    evening.table.rename(gone, None)
    night = taken(evening)

    said = bring(host, night)
    assert f"Names here would change: {gone} would go" in said
    assert 'name="names"' in said
    assert gone in another.table.archive.people()
    fields = {"csrf": host.csrf, "names": "1", "file": (io.BytesIO(night), "night.sqlite")}
    assert host.client.post("/games/files", data=fields).status_code == 303
    assert gone not in another.table.archive.people()


def test_a_record_that_is_here_already_changes_nothing(evening: Evening) -> None:
    """Imports: a record that was downloaded here is recognised, and the message names its game."""
    evening.played("draws", most=12)
    host = evening.host()
    record = host.client.get("/api/v1/record").data

    assert "This is game 1 already. Nothing changed." in bring(host, record, "game.jsonl")
    assert "with other lines" in bring(host, record[: record.rindex(b"\n", 0, -1) + 1], "game.jsonl")
    assert evening.table.archive.game_count == 1
