"""Restore, merge and backup print the contents first, and change nothing if a file is not a ledger."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.ledger_aside import old_ledger_in
from companion.ledger import Ledger
from tests.companion.app.processes import companion
from tests.damage.hostile_files import sound_ledger

LEDGER = "ledger.sqlite"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a ledger of three games."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / LEDGER).write_bytes(sound_ledger())
    return tmp_path / "data"


@pytest.fixture
def without_games(tmp_path: Path) -> Path:
    """A ledger without any games."""
    Ledger.open(tmp_path / "fresh.sqlite").close()
    return tmp_path / "fresh.sqlite"


@pytest.mark.parametrize("word", ["restore", "merge"])
def test_an_empty_file_is_no_ledger(data: Path, tmp_path: Path, word: str) -> None:
    """Restore and merge: an empty file is refused in one line, and the ledger stays unchanged."""
    empty = tmp_path / "empty.sqlite"
    empty.touch()

    refused = companion(word, empty, "--data", data)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"companion: {empty} can't be taken over: this file is empty: it holds no ledger.\n"
    assert (data / LEDGER).read_bytes() == sound_ledger()
    assert not list(data.glob("ledger-*.sqlite"))


@pytest.mark.parametrize("word", ["restore", "merge"])
def test_a_ledger_without_games_is_asked_about(data: Path, without_games: Path, word: str) -> None:
    """Restore and merge refuse a ledger without games if there is no terminal to ask at, except with `--yes`."""
    before = (data / LEDGER).read_bytes()

    refused = companion(word, without_games, "--data", data)
    kept = (data / LEDGER).read_bytes()
    taken = companion(word, without_games, "--yes", "--data", data)

    assert (refused.returncode, refused.stdout, kept) == (2, "", before)
    assert "contains no games, and there's no terminal to ask at: add --yes" in refused.stderr
    assert (taken.returncode, taken.stderr) == (0, "")


def test_a_restore_says_what_it_takes(data: Path, tmp_path: Path) -> None:
    """Restore prints the backup's games, rows and newest day, then the old ledger's path, which rollback parses."""
    companion("backup", tmp_path / "copy.sqlite", "--data", data)

    texts = companion("restore", tmp_path / "copy.sqlite", "--data", data).stdout.splitlines()

    assert texts[0].startswith(f"{tmp_path / 'copy.sqlite'} contains 3 games in 338 rows, the newest of 2")
    assert texts[1].startswith(f"{tmp_path / 'copy.sqlite'} is the ledger now. The old one is saved as {data}/ledger-")
    saved = old_ledger_in("\n".join(texts))
    assert saved is not None and saved.exists()


def test_a_missing_trigger_is_made_again_by_a_restore_and_refused_by_a_merge(data: Path, tmp_path: Path) -> None:
    """If a trigger is missing, a restore recreates it, and a merge refuses the file."""
    torn = tmp_path / "torn.sqlite"
    torn.write_bytes(sound_ledger())
    with closing(sqlite3.connect(torn)) as file:
        file.execute("DROP TRIGGER row_stays")

    merged = companion("merge", torn, "--data", data)
    looked = companion("doctor", "--data", data)
    restored = companion("restore", torn, "--data", data)

    assert (merged.returncode, merged.stdout) == (2, "")
    assert "nothing was merged: its trigger row_stays is missing." in merged.stderr
    assert "row_stays" not in looked.stdout
    assert restored.returncode == 0
    assert "note  The ledger's trigger row_stays was missing. The companion made it again." in restored.stdout
    with closing(sqlite3.connect(data / LEDGER)) as file, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        file.execute("UPDATE row SET word = 'x'")


def test_a_ledger_with_somebody_else_s_trigger_is_not_read(data: Path) -> None:
    """Doctor and all readers: a ledger with an unknown trigger is refused, and doctor names the trigger."""
    with closing(sqlite3.connect(data / LEDGER)) as file:
        file.execute("CREATE TRIGGER theirs BEFORE INSERT ON row BEGIN SELECT RAISE(IGNORE); END")

    looked = companion("doctor", "--data", data)
    others = [companion(*words, "--data", data) for words in (["games"], ["export", 1], ["backup", data / "copy"])]

    assert (looked.returncode, "CARE" in looked.stdout) == (1, True)
    assert "a trigger named 'theirs', which the companion never makes" in looked.stdout
    assert [(each.returncode, each.stderr.count("\n")) for each in others] == [(1, 1)] * 3
    assert not (data / "copy").exists()


@pytest.mark.parametrize("place", ["/proc/x", "{data}/no/copy", "{data}/ledger.sqlite/copy"])
def test_a_backup_without_a_place_names_the_place_and_makes_nothing(data: Path, place: str) -> None:
    """Backup: a path that cannot be written is named in one line, and nothing is created."""
    before = sorted(data.rglob("*"))
    target = place.format(data=data)

    failed = companion("backup", target, "--data", data)

    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)
    assert failed.stderr.startswith(f"companion: {target} can't be written: ")
    assert "[Errno" not in failed.stderr
    assert sorted(data.rglob("*")) == before


@pytest.mark.parametrize("name", ["ledger.sqlite-wal", "copy.sqlite-journal", "x.newest", "ledger.sqlite.lock"])
def test_a_backup_never_passes_for_a_part_of_a_ledger(data: Path, name: str) -> None:
    """A backup can't have a name that SQLite or the companion uses next to a ledger."""
    refused = companion("backup", data / name, "--data", data)

    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert not (data / name).exists()


def test_there_is_nothing_to_copy_of_an_empty_ledger(without_games: Path) -> None:
    """Backup: an empty ledger is refused in one line, and no copy is made."""
    data = without_games.parent
    without_games.rename(data / LEDGER)

    refused = companion("backup", data / "copy.sqlite", "--data", data)

    assert refused.returncode == 2
    assert refused.stderr == f"companion: the ledger in {data} is empty: there's nothing to copy yet\n"
    assert not (data / "copy.sqlite").exists()


MAKES_NOTHING = (
    *(["pin"], ["pin", "--renew"], ["backup", "copy"], ["games"], ["export", 1], ["share", 1, "-o", "page"]),
    *(["draws", "out"], ["luck", 1], ["fairness"], ["statistics"], ["names", "list"], ["names", "remove", "Ana"]),
    *(["names", "rename", "Ana", "Ann"], ["calibration", "export", "c"], ["restore", "copy"], ["merge", "copy"]),
)


@pytest.mark.parametrize("words", MAKES_NOTHING, ids=lambda words: " ".join(map(str, words)))
def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, words: list[object]) -> None:
    """Commands: a missing data folder is reported in one line and not created."""
    refused = companion(*words, "--data", tmp_path / "none" / "data", cwd=tmp_path)

    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_pin_is_shown_where_a_service_has_one(tmp_path: Path) -> None:
    """If no service ever ran, `pin` neither prints nor creates a PIN."""
    refused = companion("pin", "--data", tmp_path)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"companion: there's no PIN in {tmp_path} yet: companion serve makes one at its first start. "
        "If the games are elsewhere, name their folder: --data DIR\n"
    )
    assert list(tmp_path.iterdir()) == []
