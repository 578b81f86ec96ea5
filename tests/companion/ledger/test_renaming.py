"""Names are changed and removed in all games at once, and no merge adds a removed name again."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from hashlib import blake2b
from itertools import permutations
from pathlib import Path

import pytest

from companion.kernel.errors import Refused
from companion.ledger import Ledger, canonical, merge, verify
from companion.ledger.row import name_digest
from tests.companion.live_table import LiveTable

ANA: Mapping[str, object] = {"players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]}
LATER = 2**50
JUERGENS = ("J\u00fcrgen", "Ju\u0308rgen ")


def house(folder: Path, name: str, *headers: Mapping[str, object]) -> Path:
    """Return the path of a ledger with a game for each of *headers*."""
    table = LiveTable(folder / f"{name}.sqlite")
    for header in headers:
        table.open(**header).score(2)
    table.ledger.close()
    return table.path


def copy_of(path: Path, name: str) -> Path:
    """Return the path of a copy of a ledger."""
    return Path(shutil.copy(path, path.with_name(f"{name}.sqlite")))


def renamed(path: Path, old: str, new: str | None, wall_ms: int = LATER) -> int:
    """Change a name in the ledger at *path*."""
    ledger = Ledger.open(path)
    try:
        return ledger.rename(old, new, wall_ms)
    finally:
        ledger.close()


def merged(*paths: Path) -> Path:
    """Merge all other ledgers into the first, and return its path."""
    ledger = Ledger.open(paths[0])
    for path in paths[1:]:
        other = Ledger.read_only(path)
        merge(ledger, other, other.last)
        other.close()
    ledger.close()
    return paths[0]


def people(path: Path) -> dict[str, int]:
    """Return each name with the number of its games."""
    ledger = Ledger.read_only(path)
    try:
        return {name: len(games) for name, games in ledger.people().items()}
    finally:
        ledger.close()


def told(path: Path) -> str:
    """Return the canonical export of a ledger."""
    ledger = Ledger.read_only(path)
    try:
        return canonical(ledger)
    finally:
        ledger.close()


def test_a_name_is_changed_in_all_games_at_once(tmp_path: Path) -> None:
    """Renaming: every spelling of the name is changed in all games, and the checksums of all rows still match."""
    ana = {"players": [{"colour": "red", "name": " ana"}, {"colour": "green", "name": "Cem"}]}
    path = house(tmp_path, "one", ANA, ana)

    assert renamed(path, "Ana", "Anna") == 2
    assert people(path) == {"Anna": 2, "Ben": 1, "Cem": 1}
    assert not verify(path).findings


def test_of_a_removed_name_nothing_is_left_in_the_file(tmp_path: Path) -> None:
    """Renaming: neither the file nor its -wal contains the removed name, even in a free page."""
    players = [{"colour": "red", "name": "Xanthippe"}, {"colour": "blue", "name": "Ben"}]
    path = house(tmp_path, "one", {"players": players})
    renamed(path, "Xanthippe", None)

    assert people(path) == {"Ben": 1}
    assert not any(b"Xanthippe" in each.read_bytes() for each in tmp_path.iterdir() if each.is_file())
    assert not verify(path).findings


def test_the_game_goes_on_under_the_new_name(tmp_path: Path) -> None:
    """Renaming: at a running table, state and record are unchanged, and the header has the new name."""
    table = LiveTable(tmp_path / "one.sqlite").open(**ANA).score(3)
    before = table.view
    table.table.rename("Ana", "Anna")

    assert table.snapshot.header is not None
    assert [seat["name"] for seat in table.snapshot.header["players"]] == ["Anna", "Ben"]
    assert table.view == before
    assert next(iter(table.table.archive.record()))["players"][0]["name"] == "Anna"
    table.score(1).undo("misread")
    assert table.restart().snapshot.header["players"][0]["name"] == "Anna"
    table.ledger.close()


@pytest.mark.parametrize("name", ["", "  "])
def test_a_name_needs_a_letter(tmp_path: Path, name: str) -> None:
    """Renaming: an empty new name is refused."""
    table = LiveTable(tmp_path / "one.sqlite").open(**ANA)

    with pytest.raises(Refused, match="letter"):
        table.table.rename("Ana", name)
    table.ledger.close()


def test_a_merge_brings_no_removed_name_back(tmp_path: Path) -> None:
    """Renaming: a merge does not add a removed name again, neither in a shared game nor in an older game."""
    one = house(tmp_path, "one", ANA)
    other = copy_of(one, "other")
    merged(other, house(tmp_path, "third", ANA))
    renamed(one, "Ana", None)

    assert people(merged(one, other)) == {"Ben": 2}


def test_whoever_was_removed_may_play_again(tmp_path: Path) -> None:
    """Renaming: a game that began after the removal keeps the name, even after a merge."""
    one = house(tmp_path, "one", ANA)
    renamed(one, "Ana", None, wall_ms=1)
    younger = house(tmp_path, "younger", ANA)

    assert people(merged(one, younger)) == {"Ana": 1, "Ben": 2}


def test_a_removed_name_is_not_given_to_others(tmp_path: Path) -> None:
    """Renaming: a removed name cannot be given to another player, since the next merge would remove it again."""
    path = house(tmp_path, "one", ANA)
    renamed(path, "Ana", None)

    with pytest.raises(Refused, match="was removed"):
        renamed(path, "Ben", "ana")
    assert people(path) == {"Ben": 1}


def test_the_name_that_was_given_last_stays(tmp_path: Path) -> None:
    """Renaming: if ledgers changed a name differently, the newest change wins in any order of merging."""
    one = house(tmp_path, "one", ANA)
    other, third = copy_of(one, "other"), copy_of(one, "third")
    renamed(one, "Ana", "Anna", LATER)
    renamed(other, "Ana", "Annie", LATER + 1)
    renamed(third, "Ben", None, LATER)

    found = set()
    for order in permutations((one, other, third)):
        copies = [copy_of(path, f"copy-{number}") for number, path in enumerate(order)]
        found.add(told(merged(*copies)))
        assert people(copies[0]) == {"Annie": 1}
    assert len(found) == 1


def test_after_a_change_the_next_row_of_a_person_refers_to_the_new_name(tmp_path: Path) -> None:
    """Renaming: a player who joins later under the old name is another person."""
    path = house(tmp_path, "one", ANA)
    renamed(path, "Ana", "Anna")
    LiveTable(path).open(**ANA).ledger.close()

    assert people(path) == {"Ana": 1, "Anna": 1, "Ben": 2}


NOW = 2**43


def merged_at(path: Path, other: Path, now_ms: int = NOW) -> dict[str, int]:
    """Merge *other* into the ledger at *path* at *now_ms*, and return each name with the number of its games."""
    ledger, theirs = Ledger.open(path), Ledger.read_only(other)
    try:
        merge(ledger, theirs, theirs.last, now_ms=now_ms)
    finally:
        theirs.close()
        ledger.close()
    return people(path)


def test_another_ledger_removes_names_from_games_of_both_alone(tmp_path: Path) -> None:
    """Renaming: a removal in another ledger does not change games that the other ledger never had."""
    one = house(tmp_path, "one", ANA)
    other = copy_of(one, "other")
    merged(one, house(tmp_path, "own", ANA))
    renamed(other, "Ana", None, NOW)

    assert merged_at(one, other) == {"Ana": 1, "Ben": 2}
    assert merged_at(other, one) == {"Ben": 2}


@pytest.mark.parametrize("new", [None, "Anna"])
def test_a_change_of_the_future_is_never_obeyed(tmp_path: Path, new: str | None) -> None:
    """Renaming: a change in another ledger that is later than now is ignored."""
    one = house(tmp_path, "one", ANA)
    other = copy_of(one, "other")
    renamed(other, "Ana", new, NOW + 1)

    assert merged_at(one, other) == {"Ana": 1, "Ben": 1}
    assert merged_at(one, other, NOW + 1) == ({"Ben": 1} if new is None else {"Anna": 1, "Ben": 1})


def test_what_a_merge_would_change_can_be_said_before(tmp_path: Path) -> None:
    """Renaming: the names and games that a merge would change are listed before it, without changes in the future."""
    one = house(tmp_path, "one", ANA, ANA)
    other = copy_of(one, "other")
    renamed(other, "Ana", None, NOW)
    renamed(other, "Ben", "Benno", NOW)
    ledger, theirs = Ledger.open(one), Ledger.read_only(other)
    games = ledger.games()[::-1]

    assert ledger.names_changed_by(theirs, NOW) == {"Ana": (None, games), "Ben": ("Benno", games)}
    assert ledger.names_changed_by(theirs, NOW - 1) == {}
    theirs.close()
    ledger.close()


def test_removing_one_spelling_removes_all(tmp_path: Path) -> None:
    """Renaming: removing a composed or decomposed spelling also removes the other one, even in merged ledgers."""
    headers = [{"players": [{"colour": "red", "name": each}, {"colour": "blue", "name": "Ben"}]} for each in JUERGENS]
    path = house(tmp_path, "one", *headers)

    assert renamed(path, JUERGENS[0], None, 2**45) == 2
    assert people(merged(path, house(tmp_path, "other", headers[1]))) == {"Ben": 3}


@pytest.mark.parametrize("name", ["J\u00fcrgen", "Ju\u0308rgen"])
def test_a_removal_by_an_older_program_is_obeyed(tmp_path: Path, name: str) -> None:
    """Renaming: removals stored by older programs, which hashed the letters as typed, still apply."""
    older = blake2b(" ".join(name.split()).casefold().encode(), digest_size=16, person=b"name").hexdigest()
    path = house(tmp_path, "one", ANA)
    changes = json.dumps({"removed": {older: 2**45}, "given": []})
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT OR REPLACE INTO meta VALUES ('names', ?)", (changes,))
    header = {"players": [{"colour": "red", "name": name}, {"colour": "blue", "name": "Ben"}]}

    assert people(merged(path, house(tmp_path, "other", header))) == {"Ana": 1, "Ben": 2}


def test_a_name_that_no_page_shows_can_be_changed_by_its_spelling(tmp_path: Path) -> None:
    """Renaming: a stored name that is invalid now is listed with escapes, and can be renamed by that spelling."""
    path = house(tmp_path, "one", ANA)
    text = json.dumps("Ana\ud800")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE name SET text = ?, digest = ? WHERE text = ?", (text, name_digest(1, 0, text), '"Ana"'))

    assert people(path) == {"Ana\\ud800": 1, "Ben": 1}
    assert renamed(path, "Ana\\ud800", "Anna") == 1
    assert people(path) == {"Anna": 1, "Ben": 1}
