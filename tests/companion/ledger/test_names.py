"""Players' names are stored apart from the rows, which refer to them; readers of the ledger get full rows."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.ledger import Ledger, Row, RowKind, verify
from companion.ledger.row import name_digest
from companion.model.snapshot import Who
from companion.session.commands import Abandon
from tests.companion.ledger.test_file import row
from tests.companion.live_table import LiveTable

SEATS = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben \udc80 🎲"}]
HEADER = {"header": {"players": SEATS, "note": "Ana's birthday"}, "rules": "1"}


ANNA = '"Anna"'


def header(**more: object) -> Row:
    """Return the row that begins game 1."""
    return row(1, kind=RowKind.GAME, word="opened", body=HEADER, **more)


def by(who: str, number: int = 2) -> Row:
    """Return a row of game 1 whose actor is *who*."""
    return Row(number, 1, RowKind.MOMENT, "beat", who, "tablet", 0, 0, 0, {})


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger with a game of two players."""
    ledger = Ledger.open(tmp_path / "l.db")
    ledger.append([header()])
    return ledger


def asked(ledger: Ledger, query: str) -> list[tuple[Any, ...]]:
    """Return the result of an SQL query on the file itself."""
    with closing(sqlite3.connect(ledger.path)) as file:
        return file.execute(query).fetchall()


def change(ledger: Ledger, deed: str, *values: object) -> None:
    """Run an SQL statement on the file."""
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as file:
        file.execute(deed, values)


def test_a_header_refers_to_names(ledger: Ledger) -> None:
    """Names: no row contains a player's name, but every reader gets the exact name."""
    held = json.loads(asked(ledger, "SELECT body FROM row")[0][0])

    assert held["header"]["players"] == [{"colour": "red", "name": 0}, {"colour": "blue", "name": 1}]
    assert ledger.row(1) == header()
    assert list(next(iter(ledger.rows(1, 2))).body) == ["header", "rules"]
    ledger.close()


@pytest.mark.parametrize("who", ["Dora", "#0", "#7", "ßçš \ud800", "Ana", ""])
def test_who_is_neither_house_nor_seat_is_a_person(ledger: Ledger, who: str) -> None:
    """An actor who is neither a seat nor a part of the system is stored as a reference, also by a restarted service."""
    ledger.append([by(who)])
    ledger.close()
    again = Ledger.open(ledger.path)
    again.append([by(who, 3)])

    assert [again.row(number) for number in (2, 3)] == [by(who), by(who, 3)]
    assert asked(again, "SELECT DISTINCT substr(who, 1, 1) FROM row WHERE id > 1") == [("#",)]
    assert asked(again, "SELECT count(DISTINCT who) FROM row WHERE id > 1") == [(1,)]
    again.close()


@pytest.mark.parametrize("who", ["host", "companion", "ring", "script", "red", "blue"])
def test_the_house_and_its_seats_are_no_persons(ledger: Ledger, who: str) -> None:
    """Names: host, ring, script, companion and a seat's colour are stored in the row itself."""
    ledger.append([by(who)])

    assert asked(ledger, "SELECT who FROM row WHERE id = 2") == [(who,)]
    assert ledger.row(2) == by(who)
    ledger.close()


def test_who_belongs_to_no_game_may_be_a_person_too(ledger: Ledger) -> None:
    """Names: rows that belong to no game have separate names."""
    alone = Row(2, None, RowKind.COPY, "used", "Dora", "phone", 0, 0, 0, {"name": "The red box"})
    ledger.append([alone])

    assert ledger.row(2) == alone
    assert asked(ledger, "SELECT game, text FROM name ORDER BY game, place")[0] == (0, '"Dora"')
    ledger.close()


def test_a_name_can_be_changed_and_removed(ledger: Ledger) -> None:
    """Names: a changed name is read in every row, a removed one is read as the seat's colour; checksums still match."""
    ledger.append([by("Dora")])
    change(ledger, "UPDATE name SET text = ?, digest = ? WHERE place = 0", ANNA, name_digest(1, 0, ANNA))
    change(ledger, "UPDATE name SET text = NULL, digest = NULL WHERE place > 0")

    (first, second) = ledger.rows(1, 3)

    assert [seat["name"] for seat in first.body["header"]["players"]] == ["Anna", "blue"]
    assert second.who == "somebody"
    assert ledger.misnamed == ()
    assert verify(ledger.path).findings == ()
    ledger.close()
    again = Ledger.open(ledger.path)
    again.append([by("Eva", 3)])
    assert [again.row(number) for number in (2, 3)] == [second, by("Eva", 3)]
    again.close()


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE name SET text = '\"Bna\"'",
        "UPDATE name SET digest = NULL",
        "UPDATE name SET text = NULL",
        "DELETE FROM name",
    ],
)
def test_a_name_that_something_else_changed_is_not_read(ledger: Ledger, deed: str) -> None:
    """Names: a name that is missing or doesn't match its checksum is read like a removed one and is reported."""
    change(ledger, f"{deed} WHERE place = 0")

    players = next(iter(ledger.rows(1, 2))).body["header"]["players"]

    assert [seat["name"] for seat in players] == ["red", SEATS[1]["name"]]
    assert list(map(str, ledger.misnamed)) == ["Something other than the companion changed a name in game 1."]
    assert [str(each.sentence) for each in verify(ledger.path).findings] == [
        "Something other than the companion changed a name in game 1."
    ]
    ledger.close()


def test_names_go_in_with_their_rows_or_not_at_all(tmp_path: Path) -> None:
    """Names: a transaction that fails stores no names, and the next one gives its names the same places."""
    ledger = Ledger.open(tmp_path / "l.db")
    with pytest.raises(sqlite3.IntegrityError):
        ledger.append([header(), by("Dora"), by("Dora")])
    assert asked(ledger, "SELECT * FROM name") == []

    ledger.append([header(), by("Dora")])

    assert asked(ledger, "SELECT place FROM name ORDER BY place") == [(0,), (1,), (2,)]
    assert (ledger.row(2), verify(ledger.path).findings) == (by("Dora"), ())
    ledger.close()


def test_a_whole_evening_leaves_no_name_in_its_rows(live_table: LiveTable) -> None:
    """Names: after a game with phones and corrections, no row contains a player's name."""
    players = [{"colour": "red", "name": "Anneliese"}, {"colour": "blue", "name": "Benedikt"}]
    live_table.open(players=players).dig().slide("red").slide("green").undo("misread")
    live_table.table.execute(Abandon("late"), Who("Dorothea", "phone"))

    rows = asked(live_table.ledger, "SELECT who || body FROM row")

    assert not any(name in text for (text,) in rows for name in ("Anneliese", "Benedikt", "Dorothea"))
    assert next(iter(live_table.table.archive.record()))["players"] == players


def test_identities_are_drawn_once(tmp_path: Path) -> None:
    """Identities: each ledger and each game once gets 128 random bits, which readers of rows do not see."""
    ledger, other = Ledger.open(tmp_path / "l.db"), Ledger.open(tmp_path / "o.db")
    ledger.append([header(), row(2, game=2, kind=RowKind.GAME, word="opened", body=HEADER)])
    found = [ledger.identity, other.identity, ledger.game_identity(1), ledger.game_identity(2)]
    ledger.close()
    again = Ledger.open(tmp_path / "l.db")

    assert len(set(found)) == 4
    assert all(len(bytes.fromhex(each)) == 16 for each in found)
    assert (again.identity, again.game_identity(1)) == (found[0], found[2])
    assert (again.game_identity(7), "id" in next(again.rows(1, 2)).body) == ("", False)
    again.close()
    other.close()


def test_a_changed_name_is_told_on_the_tablet(live_table: LiveTable) -> None:
    """A name that another program changed is shown as a notice only once, at the next tick after it was read."""
    live_table.open()
    change(live_table.ledger, "UPDATE name SET text = ? WHERE place = 0", ANNA)
    live_table.table.tick()
    before = live_table.snapshot.notices

    live_table.table.archive.games()
    live_table.table.tick()
    live_table.table.archive.games()
    live_table.table.tick()

    assert before == ()
    (notice,) = live_table.snapshot.notices
    assert (notice.kind, notice.text) == ("damaged", str(live_table.table.archive.misnamed[0]))
