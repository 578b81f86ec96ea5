"""Several games in one ledger: making one of them live, listing, exporting and importing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.ledger import Ledger
from companion.model.snapshot import ImportFault, Status, Who
from companion.session.commands import Abandon, Pause, Switch
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.live_table import HOST, LiveTable
from tests.companion.toy import HEADER, Toy, ToyState

IMPORT = Who("host", "import")


def test_games_lie_side_by_side(live_table: LiveTable) -> None:
    """Games: a new game does not change the old one, and either can be made live, even after a restart."""
    live_table.open().score(5)
    first = live_table.snapshot.game_id
    live_table.open().score(7)
    second = live_table.snapshot.game_id
    assert first is not None

    live_table.table.execute(Switch(first), HOST)
    assert live_table.view["scores"] == {"red": 5, "blue": 0}
    live_table.restart().score(1)
    assert live_table.view["scores"] == {"red": 5, "blue": 1}

    assert [(entry.id, entry.lines, entry.live) for entry in live_table.table.archive.games()] == [
        (second, 1, False),
        (first, 2, True),
    ]


def test_a_list_of_games_tells_how_they_stand(live_table: LiveTable) -> None:
    """Games: the list shows each game's name, header, rules, status and number of lines that are not undone."""
    live_table.open(goal=1).score()
    live_table.open().score().undo().table.execute(Pause(), HOST)
    live_table.open().table.execute(Abandon("late"), HOST)
    live_table.open()

    listed = live_table.table.archive.games()

    fates = [Status.LIVE, Status.ABANDONED, Status.PAUSED, Status.FINISHED]
    assert [entry.status for entry in listed] == fates
    assert [entry.lines for entry in listed] == [0, 0, 0, 1]
    assert {(entry.name, entry.rules) for entry in listed} == {("toy", "toy-1")}
    assert all(1.7e9 < entry.began <= entry.last for entry in listed)


def test_a_game_that_is_not_there_cannot_come_on_the_table(live_table: LiveTable) -> None:
    """Games: switching to an unknown number is refused and changes nothing."""
    live_table.open().score()
    before = live_table.snapshot

    for number in (0, 2, 99):
        with pytest.raises(Malformed, match="no game"):
            live_table.table.execute(Switch(number), HOST)
        with pytest.raises(Malformed, match="no game"):
            live_table.table.archive.record(number)

    assert live_table.snapshot == before


def played(live_table: LiveTable) -> LiveTable:
    """Play a game with every kind of line that a record can have."""
    live_table.open().score(2)
    live_table.time += 61.5
    live_table.dig(3).slide("red").slide("blue").undo("misread").answer("green").draw("red").score().undo()
    return live_table


def test_a_record_is_the_whole_game(live_table: LiveTable) -> None:
    """A record has the header, then every line with its time and source, including undone lines and undos."""
    header, *lines = list(played(live_table).table.archive.record())

    assert header == HEADER
    assert [line["do"] for line in lines] == ["score", "dig", "draw", "draw", "undo", "draw", "draw", "score", "undo"]
    assert lines[4] == {"do": "undo", "at": 61500, "via": "tablet", "note": "misread"}
    assert [line["via"] for line in lines[2:6]] == ["ring", "ring", "tablet", "tablet"]


def test_a_record_taken_in_gives_the_same_game(live_table: LiveTable) -> None:
    """Record: an exported and imported game has the same state and the same record."""
    record = list(played(live_table).table.archive.record())
    view, live = live_table.view, live_table.snapshot

    number = live_table.table.importer.import_record(record, IMPORT).game
    assert live_table.snapshot == live

    live_table.table.execute(Switch(number), HOST)
    assert live_table.view == view
    assert list(live_table.table.archive.record(number)) == record
    assert live_table.restart().view == view


def test_an_imported_game_does_not_come_on_the_table_by_itself(live_table: LiveTable) -> None:
    """Record: an imported game does not become the live game, even if there is none."""
    live_table.table.importer.import_record([HEADER, {"do": "skip", "player": "red"}], IMPORT)

    assert live_table.restart().snapshot.status is Status.NONE
    assert [(entry.lines, entry.live) for entry in live_table.table.archive.games()] == [(1, False)]


def test_undo_in_a_record_takes_back_one_line(live_table: LiveTable) -> None:
    """Record: an `undo` line takes back the last line not yet undone, even one that the companion added."""
    lines: list[Line] = [
        HEADER,
        {"do": "skip", "player": "red"},
        {"do": "skip", "player": "blue", "via": "companion"},
        {"do": "undo"},
    ]
    live_table.table.execute(Switch(live_table.table.importer.import_record(lines, IMPORT).game), HOST)

    assert live_table.view["turn"] == 1


def test_an_imported_ring_draw_still_asks_for_a_reason(live_table: LiveTable) -> None:
    """Record: undoing an imported ring draw needs a reason, but the question cannot be asked again."""
    lines: list[Line] = [
        HEADER,
        {"do": "dig", "player": "red", "draws": 2},
        {"do": "draw", "colour": "red", "via": "ring"},
    ]
    live_table.table.execute(Switch(live_table.table.importer.import_record(lines, IMPORT).game), HOST)

    assert live_table.snapshot.undoable is not None
    assert live_table.snapshot.undoable.by_ring
    assert live_table.undo("misread").snapshot.questions == ()


@pytest.mark.parametrize(
    ("wrong", "index", "reason"),
    [
        ([], 1, "empty"),
        ([{**HEADER, "game": "chess"}], 1, "no game called"),
        ([{**HEADER, "version": 2}], 1, "version"),
        ([{"game": "chess"}], 1, "record is missing"),
        (["header"], 1, "object"),
        ([HEADER, {"do": "skip", "player": "red"}, {"do": "skip", "player": "red"}], 3, "blue's turn"),
        ([HEADER, {"do": "dance"}], 2, "unknown command"),
        ([HEADER, {"do": "skip", "player": "red", "colour": "blue"}], 2, "unknown fields"),
        ([HEADER, 7], 2, "object"),
        ([HEADER, {"do": "undo"}], 2, "nothing to undo"),
        ([HEADER, {"do": "skip", "player": "red"}, {"do": "undo", "player": "red"}], 3, "player isn't a field"),
        ([HEADER, {"do": "skip", "player": "red", "at": -1}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "at": True}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "at": 1 << 60}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "note": 7}], 2, "note"),
    ],
)
def test_a_bad_record_leaves_nothing(live_table: LiveTable, wrong: list[Any], index: int, reason: str) -> None:
    """Record: an invalid record is refused with the wrong line's number, and nothing of it is stored."""
    with pytest.raises(ImportFault, match=reason) as fault:
        live_table.table.importer.import_record(wrong, IMPORT)

    assert fault.value.index == index
    assert live_table.ledger.last == 0
    assert live_table.table.archive.games() == ()


def test_a_game_of_other_rules_goes_on(live_table: LiveTable) -> None:
    """Rules: a game begun under other rules continues from its stored events, and a notice says so."""
    live_table.open().score(5)

    live_table.restart(Toy("toy-2"))

    assert live_table.view["scores"]["red"] == 5
    assert live_table.notices == ["rules"]
    assert "toy-1" in live_table.snapshot.notices[0].text
    assert live_table.score().restart().view["scores"] == {"red": 5, "blue": 1}


class Forgetful(Toy):
    """Rules that no longer know the event of a score."""

    def unpack(self, line: Line, state: ToyState) -> Line:
        if line["is"] == "scored":
            raise Malformed("these rules know no scores")
        return super().unpack(line, state)


def test_a_game_that_cannot_be_read_stops_no_other(live_table: LiveTable) -> None:
    """Rules: a game whose events the rules no longer know is reported in a notice, and other games can be played."""
    live_table.open().do("skip", player="red")
    readable = live_table.snapshot.game_id
    live_table.open().score(5)
    broken = live_table.snapshot.game_id
    assert readable is not None
    assert broken is not None

    live_table.restart(Forgetful("toy-2"))

    assert live_table.snapshot.status is Status.NONE
    assert live_table.notices == ["unreadable"]
    assert f"Game {broken}" in live_table.snapshot.notices[0].text
    with pytest.raises(Malformed, match="know no scores"):
        live_table.table.execute(Switch(broken), HOST)
    live_table.table.execute(Switch(readable), HOST)
    assert live_table.view["turn"] == 1
    assert len(list(live_table.table.archive.record(broken))) == 2


def test_a_game_that_is_not_on_the_shelf_stops_no_other(live_table: LiveTable) -> None:
    """Rules: a game whose rules are no longer registered is still in the list."""
    live_table.open()
    other = Toy()
    other.name = "other"

    live_table.restart(other)

    assert live_table.notices == ["unreadable"]
    assert [entry.name for entry in live_table.table.archive.games()] == ["toy"]


def test_a_table_can_stand_on_a_ledger_that_is_only_read(live_table: LiveTable) -> None:
    """Record: a table that only reads a ledger in use by another can list and export games, and writes nothing."""
    played(live_table)
    looking = Table(LiveGame(Ledger.read_only(live_table.path), {"toy": Toy()}, lambda: 0.0, Random(1)))

    assert list(looking.archive.record()) == list(live_table.table.archive.record())
    assert [entry.lines for entry in looking.archive.games()] == [5]
    last = live_table.ledger.last
    looking.close()
    assert live_table.ledger.last == last
    assert live_table.score().ledger.row(last + 1).word == "score"
