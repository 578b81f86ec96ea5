"""Records with an id: each game is imported only once, with its date and its ending."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.model.snapshot import ImportFault, Status, Who
from companion.records import Origin, origin_of, read_file
from tests.companion.live_table import LiveTable

IMPORT = Who("host", "import")
ID, DAY = "0123456789abcdef" * 2, "2024-02-29T19:30:00.250Z"
DAY_S = 1_709_235_000.25


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[LiveTable, LiveTable]]:
    """Two independent ledgers; the first one has a game."""
    one, other = LiveTable(tmp_path / "one.db"), LiveTable(tmp_path / "other.db")
    one.open().score(2).score(3)
    yield one, other
    one.ledger.close()
    other.ledger.close()


def exported(house: LiveTable, game: int | None = None, **header: object) -> list[dict[str, Any]]:
    """Return the exported record of a game, with changed fields in its header."""
    first, *lines = house.table.archive.exported(game)
    return [{**first, **header}, *map(dict, lines)]


def test_a_record_is_taken_in_once(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a record of a game already in the ledger changes nothing and returns that game."""
    one, other = tables
    record = exported(one)
    here, first, second = (house.table.importer.import_record(record, IMPORT) for house in (one, other, other))

    assert (here.game, here.new, here.differs) == (one.snapshot.game_id, False, False)
    assert (first.new, second.new, second.game) == (True, False, first.game)
    assert (one.table.archive.game_count, other.table.archive.game_count) == (1, 1)
    assert exported(other, first.game) == record


def test_another_record_of_a_known_game_changes_nothing(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a changed record of a known game is not imported, and is reported as different."""
    one, _ = tables
    record = exported(one)
    shorter, older = (
        one.table.importer.import_record(record[:-1], IMPORT),
        one.table.importer.import_record([record[0]], IMPORT),
    )

    assert (shorter.new, shorter.differs, older.differs) == (False, True, True)
    assert one.table.archive.game_count == 1


def test_a_record_without_an_id_is_a_new_game(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a record without an id always becomes a new game."""
    one, _ = tables
    record = [{name: value for name, value in each.items() if name != "id"} for each in exported(one)]

    assert [one.table.importer.import_record(record, IMPORT).new for _ in range(2)] == [True, True]
    assert one.table.archive.game_count == 3


@pytest.mark.parametrize(("ended", "status"), [("abandoned", Status.ABANDONED), ("open", Status.LIVE)])
def test_a_game_has_its_day_and_its_end(tables: tuple[LiveTable, LiveTable], ended: str, status: Status) -> None:
    """Import: the game has its original date and status, and does not become the live game."""
    one, other = tables
    number = other.table.importer.import_record(exported(one, id=ID, started=DAY, ended=ended), IMPORT).game
    (entry,) = other.table.archive.games()

    assert (entry.began, entry.status, entry.live, entry.identity) == (DAY_S, status, False, ID)
    assert exported(other, number)[0].items() >= {"id": ID, "started": DAY, "ended": ended}.items()


def test_an_end_that_the_lines_do_not_lead_to_is_refused(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a header that says finished is refused if the lines do not end the game."""
    one, other = tables
    with pytest.raises(ImportFault, match="ended says finished"):
        other.table.importer.import_record(exported(one, id=ID, ended="finished"), IMPORT)

    assert other.table.archive.game_count == 0


@pytest.mark.parametrize(
    "wrong",
    [
        *({"id": value} for value in ("", "x" * 32, ID[:-1], 5, None, [])),
        *(
            {"started": value}
            for value in ("yesterday", "2024-02-30T00:00:00Z", "2024-02-29T19:30:00", 5, "1960-01-01T00:00:00Z")
        ),
        *(
            {"started": value}
            for value in ("2024-02-29T19:30:00+01:00", "99999-01-01T00:00:00Z", "\uff12024-02-29T19:30:00Z")
        ),
        *({"ended": value} for value in ("won", "", None, True)),
    ],
)
def test_what_cannot_be_meant_is_refused(tables: tuple[LiveTable, LiveTable], wrong: dict[str, object]) -> None:
    """Header: an invalid id, time or end is refused with a message that names the field."""
    one, other = tables
    (name,) = wrong
    with pytest.raises(Malformed, match=f"^{name} must be"):
        origin_of(wrong)
    with pytest.raises(ImportFault, match=f"line 1: {name} must be"):
        other.table.importer.import_record(exported(one, **wrong), IMPORT)


def test_an_origin_is_written_as_it_is_read() -> None:
    """Header: an origin is written and read back to the millisecond; capitals and missing fractions are accepted."""
    origin = Origin(ID, 1_709_235_000_250, "open")

    assert origin_of(origin.line()) == origin
    assert origin_of({"id": ID.upper(), "started": "2024-02-29T19:30:00+00:00"}) == Origin(ID, 1_709_235_000_000)


def test_a_name_that_was_removed_stays_away(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a game older than the removal of a name is imported without that name."""
    one, other = tables
    other.open(players=[{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Zoe"}])
    other.table.rename("Ana", None)
    number = other.table.importer.import_record(exported(one, id=ID, started="2020-01-01T00:00:00Z"), IMPORT).game

    assert "Ana" not in other.table.archive.people()
    assert exported(other, number)[0]["players"][0]["name"] != "Ana"


def test_names_are_looked_at_on_their_way_in(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a record with an invalid player name is refused."""
    one, other = tables
    players = [{"colour": "red", "name": "Ana\u202e"}, {"colour": "blue", "name": "Ben"}]
    with pytest.raises(ImportFault, match=r"players\[0\].name: A name can't have the character U\+202E"):
        other.table.importer.import_record(exported(one, players=players), IMPORT)
    with pytest.raises(Malformed, match=r"players\[0\].name"):
        other.open(players=players)


def test_a_record_may_begin_with_a_byte_order_mark(tables: tuple[LiveTable, LiveTable]) -> None:
    """Import: a byte order mark at the beginning is ignored."""
    one, other = tables
    raw = "".join(json.dumps(each) + "\r\n" for each in exported(one)).encode("utf-8-sig")

    assert other.table.importer.import_record((line for _, line in read_file(BytesIO(raw))), IMPORT).new
