"""The commands that read many games: fairness, luck, draws and merge, and the input they refuse."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.data_folder import LEDGER
from companion.ledger.row import name_digest
from tests.companion.app.processes import companion
from tests.fairness.nights import Nights, Ring

RECORD = Path(__file__).parents[2] / "games" / "andromeda" / "records" / "won-by-technology.jsonl"


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a short game with a ring, and some draws at an open draw table."""
    folder = tmp_path_factory.mktemp("nights")
    made = Nights(folder)
    made.play(Ring("ring-7"), most=250)
    made.play(Ring("mock", simulated=True), name="draws", most=40)
    made.close()
    return folder


@pytest.fixture(scope="module")
def with_a_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder into which one finished game was imported."""
    folder = tmp_path_factory.mktemp("imported") / "house"
    assert companion("import", RECORD, "--data", folder).returncode == 0
    return folder


@pytest.fixture
def imported(with_a_game: Path, tmp_path: Path) -> Path:
    """A copy of the data folder with the imported game."""
    return Path(shutil.copytree(with_a_game, tmp_path / "house"))


@pytest.mark.parametrize("words", [("fairness",), ("draws", "out"), ("luck", "1")])
def test_where_nothing_was_played_there_is_nothing_to_tell(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Without a ledger, each of these commands is refused with status 2 and one line."""
    refused = companion(*words, "--data", tmp_path / "nobody")

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1
    assert "no ledger" in refused.stderr


def test_each_ring_has_its_odds_and_what_was_left_out(nights: Path) -> None:
    """Fairness: text and JSON show each ring's odds with bounds; the draws counted and left out add up to all draws."""
    said = companion("fairness", "--data", nights)
    told = json.loads(companion("fairness", "--json", "--data", nights).stdout)

    assert said.returncode == 0
    assert said.stdout.startswith("Ring ring-7: ")
    assert [ring["source"] for ring in told][:2] == ["ring", "simulated"]
    assert told[0]["own"]["within"][0] < told[0]["own"]["odds"] < told[0]["own"]["within"][1]
    assert told[0]["draws"] == told[0]["own"]["draws"] + sum(told[0]["left_out"].values())


def test_a_ledger_without_a_draw_says_so(imported: Path) -> None:
    """Fairness: a ledger without draws by a ring gives status 0 and lists no ring."""
    said = companion("fairness", "--data", imported)

    assert said.returncode == 0
    assert "Ring " not in said.stdout


def test_every_draw_is_a_row_with_a_dictionary_beside(nights: Path, tmp_path: Path) -> None:
    """`companion draws` writes a row per draw and a data package with all columns; running it again replaces both."""
    for _ in range(2):
        assert companion("draws", tmp_path / "out", "--data", nights).returncode == 0
    rows = list(csv.DictReader((tmp_path / "out" / "draws.csv").read_text(encoding="utf-8").splitlines()))
    package = json.loads((tmp_path / "out" / "datapackage.json").read_text(encoding="utf-8"))

    assert {"ring", "simulated"} <= {row["source"] for row in rows}
    assert [field["name"] for field in package["resources"][0]["schema"]["fields"]] == list(rows[0])
    assert len({row["row"] for row in rows}) == len(rows)


def test_draws_that_cannot_be_written_are_bad_use(nights: Path, tmp_path: Path) -> None:
    """Draws: a file in place of the output folder is reported and not replaced."""
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    refused = companion("draws", tmp_path / "out", "--data", nights)

    assert refused.returncode == 2
    assert "can't be written" in refused.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


def test_luck_and_the_rest_are_the_result(imported: Path) -> None:
    """Luck prints text for each seat, and JSON in which luck plus skill is the final value minus the initial one."""
    said = companion("luck", 1, "--data", imported)
    told = json.loads(companion("luck", 1, "--json", "--data", imported).stdout)

    assert said.returncode == 0
    assert "the rest" in said.stdout
    for seat in told["seats"].values():
        assert seat["luck"] + seat["skill"] == pytest.approx(seat["final"] - seat["initial"], abs=1e-9)


def test_luck_of_an_unknown_game_is_bad_use(imported: Path) -> None:
    """Luck: an unknown game number is refused with status 2."""
    refused = companion("luck", 999, "--data", imported)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no game 999" in refused.stderr


def test_luck_of_a_game_that_does_not_tell_it_is_bad_use(nights: Path) -> None:
    """Luck: a game of open draws has no result, so its luck cannot be computed."""
    games = json.loads(companion("games", "--json", "--data", nights).stdout)
    number = next(game["id"] for game in games if game["game"] == "draws")
    refused = companion("luck", number, "--data", nights)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "luck can't be computed for this kind of game" in refused.stderr


def test_a_merge_brings_games_once(nights: Path, imported: Path) -> None:
    """Merge: new games are counted; merging the same file again adds nothing."""
    first = companion("merge", nights / LEDGER, "--data", imported)
    again = companion("merge", nights / LEDGER, "--data", imported)

    assert (first.returncode, again.returncode) == (0, 0)
    assert "new games: 2" in first.stdout
    assert again.stdout == f"{nights / LEDGER}: nothing new.\n"


def test_a_damaged_file_is_refused_with_its_row_and_nothing_is_merged(nights: Path, imported: Path) -> None:
    """Merge: all files are checked first; a damaged row is named and no file is merged."""
    torn = imported.parent / "torn.sqlite"
    shutil.copy(nights / LEDGER, torn)
    with closing(sqlite3.connect(torn)) as ledger, ledger:
        ledger.execute("DROP TRIGGER row_stays")
        (row,) = ledger.execute("SELECT max(id) FROM row WHERE kind = 'line' AND game = 1").fetchone()
        ledger.execute("UPDATE row SET at_ms = at_ms + 1 WHERE id = ?", (row,))
    before = companion("games", "--data", imported).stdout

    refused = companion("merge", nights / LEDGER, torn, "--data", imported)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert str(row) in refused.stderr
    assert "nothing was merged" in refused.stderr
    assert companion("games", "--data", imported).stdout == before


@pytest.mark.parametrize("file", ["nothing.sqlite", "letter.sqlite"])
def test_what_is_no_ledger_is_not_merged(imported: Path, file: str) -> None:
    """Merge: a missing file, or a file that is not a ledger, is refused in one line."""
    (imported.parent / "letter.sqlite").write_text("Dear all", encoding="utf-8")
    refused = companion("merge", imported.parent / file, "--data", imported)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1


def test_names_here_change_only_when_somebody_says_so(imported: Path) -> None:
    """Merge: names that would be removed here are listed first; without a terminal, this needs --yes."""
    other = imported.parent / "other.sqlite"
    assert companion("backup", other, "--data", imported).returncode == 0
    name = json.loads(companion("names", "list", "--json", "--data", imported).stdout)[0]["name"]
    with closing(sqlite3.connect(other)) as ledger, ledger:
        ledger.execute("UPDATE name SET text = NULL, digest = NULL WHERE text = ?", (json.dumps(name),))

    refused = companion("merge", other, "--data", imported)
    kept = companion("names", "list", "--data", imported).stdout
    agreed = companion("merge", other, "--yes", "--data", imported)

    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"{other}: Names here would change: {name} would go (game 1)" in refused.stderr
    assert "--yes" in refused.stderr
    assert name in kept
    assert agreed.returncode == 0
    assert name not in companion("names", "list", "--data", imported).stdout


def test_what_no_program_of_ours_wrote_is_not_merged(nights: Path, imported: Path) -> None:
    """Merge: a name that the companion could not have written is refused with file, game and row; no file is merged."""
    odd, text = imported.parent / "odd.sqlite", json.dumps("Ana\ud800")
    name = (text, name_digest(1, 0, text))
    shutil.copy(nights / LEDGER, odd)
    with closing(sqlite3.connect(odd)) as ledger, ledger:
        ledger.execute("UPDATE name SET text = ?, digest = ? WHERE game = 1 AND place = 0", name)
    before = companion("games", "--data", imported).stdout

    refused = companion("merge", nights / LEDGER, odd, "--data", imported)

    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert (
        f"{odd}: nothing was merged. Game 1: row 1, name 0: A name can't have the character U+D800." in refused.stderr
    )
    assert companion("games", "--data", imported).stdout == before
