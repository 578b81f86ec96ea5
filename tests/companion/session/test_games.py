"""Several games in one ledger: on the table, off it, out of it and into it again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.kernel.errors import Malformed
from companion.kernel.validation import Line
from companion.ledger import Ledger
from companion.model.snapshot import ImportFault, Status, Who
from companion.session.table import Table
from tests.companion.live_table import HOST, Evening
from tests.companion.toy import HEADER, Toy, ToyState

IMPORT = Who("host", "import")


def test_games_lie_side_by_side(evening: Evening) -> None:
    """Games: a new game leaves the old one as it is; either can be on the table, over a restart too."""
    evening.open().score(5)
    first = evening.sight.game_id
    evening.open().score(7)
    second = evening.sight.game_id
    assert first is not None

    evening.table.switch(first, HOST)
    assert evening.view["scores"] == {"red": 5, "blue": 0}
    evening.restart().score(1)
    assert evening.view["scores"] == {"red": 5, "blue": 1}

    assert [(entry.id, entry.lines, entry.live) for entry in evening.table.games()] == [
        (second, 1, False),
        (first, 2, True),
    ]


def test_a_list_of_games_tells_how_they_stand(evening: Evening) -> None:
    """Games: the list shows name, header, rules, fate and how many lines count."""
    evening.open(goal=1).score()
    evening.open().score().undo().table.pause(HOST)
    evening.open().table.abandon("late", HOST)
    evening.open()

    listed = evening.table.games()

    fates = [Status.LIVE, Status.ABANDONED, Status.PAUSED, Status.FINISHED]
    assert [entry.status for entry in listed] == fates
    assert [entry.lines for entry in listed] == [0, 0, 0, 1]
    assert {(entry.name, entry.rules) for entry in listed} == {("toy", "toy-1")}
    assert all(1.7e9 < entry.began <= entry.last for entry in listed)


def test_a_game_that_is_not_there_cannot_come_on_the_table(evening: Evening) -> None:
    """Games: an unknown number, or one of a row that is no game, is refused and changes nothing."""
    evening.open().score()
    before = evening.sight

    for number in (0, 2, 99):
        with pytest.raises(Malformed, match="no game"):
            evening.table.switch(number, HOST)
        with pytest.raises(Malformed, match="no game"):
            evening.table.record(number)

    assert evening.sight == before


def played(evening: Evening) -> Evening:
    """An evening with everything a record may hold."""
    evening.open().score(2)
    evening.time += 61.5
    evening.dig(3).slide("red").slide("blue").undo("misread").answer("green").draw("red").score().undo()
    return evening


def test_a_record_is_the_whole_game(evening: Evening) -> None:
    """Record: header first, then every line with its time and hand, undone ones and undos included."""
    header, *lines = list(played(evening).table.record())

    assert header == HEADER
    assert [line["do"] for line in lines] == ["score", "dig", "draw", "draw", "undo", "draw", "draw", "score", "undo"]
    assert lines[4] == {"do": "undo", "at": 61500, "via": "tablet", "note": "misread"}
    assert [line["via"] for line in lines[2:6]] == ["ring", "ring", "tablet", "tablet"]


def test_a_record_taken_in_gives_the_same_game(evening: Evening) -> None:
    """Record: what is exported and imported is the same game, and the same record again."""
    record = list(played(evening).table.record())
    view, live = evening.view, evening.sight

    number = evening.table.import_record(record, IMPORT)
    assert evening.sight == live

    evening.table.switch(number, HOST)
    assert evening.view == view
    assert list(evening.table.record(number)) == record
    assert evening.restart().view == view


def test_an_imported_game_does_not_come_on_the_table_by_itself(evening: Evening) -> None:
    """Record: taking a record in disturbs no game, nor does it fill an empty table."""
    evening.table.import_record([HEADER, {"do": "skip", "player": "red"}], IMPORT)

    assert evening.restart().sight.status is Status.NONE
    assert [(entry.lines, entry.live) for entry in evening.table.games()] == [(1, False)]


def test_undo_in_a_record_takes_back_one_line(evening: Evening) -> None:
    """Record: an `undo` line takes back the last line that counts, whoever made it."""
    lines: list[Line] = [
        HEADER,
        {"do": "skip", "player": "red"},
        {"do": "skip", "player": "blue", "via": "companion"},
        {"do": "undo"},
    ]
    evening.table.switch(evening.table.import_record(lines, IMPORT), HOST)

    assert evening.view["turn"] == 1


def test_an_imported_ring_draw_still_asks_for_a_reason(evening: Evening) -> None:
    """Record: a draw that a ring made elsewhere really happened, but cannot be asked about again as misread."""
    lines: list[Line] = [
        HEADER,
        {"do": "dig", "player": "red", "draws": 2},
        {"do": "draw", "colour": "red", "via": "ring"},
    ]
    evening.table.switch(evening.table.import_record(lines, IMPORT), HOST)

    assert evening.sight.undoable is not None
    assert evening.sight.undoable.by_ring
    assert evening.undo("misread").sight.questions == ()


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
        ([HEADER, {"do": "undo"}], 2, "nothing to take back"),
        ([HEADER, {"do": "skip", "player": "red"}, {"do": "undo", "player": "red"}], 3, "player is not a field"),
        ([HEADER, {"do": "skip", "player": "red", "at": -1}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "at": True}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "at": 1 << 60}], 2, "at"),
        ([HEADER, {"do": "skip", "player": "red", "note": 7}], 2, "note"),
    ],
)
def test_a_bad_record_leaves_nothing(evening: Evening, wrong: list[Any], index: int, reason: str) -> None:
    """Record: a record goes in whole or not at all, and the fault names its line."""
    with pytest.raises(ImportFault, match=reason) as fault:
        evening.table.import_record(wrong, IMPORT)

    assert fault.value.index == index
    assert evening.ledger.last == 0
    assert evening.table.games() == ()


def test_a_game_of_other_rules_goes_on(evening: Evening) -> None:
    """Rules: a game begun by other rules is still the fold of its stored events, and the table says so."""
    evening.open().score(5)

    evening.restart(Toy("toy-2"))

    assert evening.view["scores"]["red"] == 5
    assert evening.notices == ["rules"]
    assert "toy-1" in evening.sight.notices[0].text
    assert evening.score().restart().view["scores"] == {"red": 5, "blue": 1}


class Forgetful(Toy):
    """Rules that no longer know what a score was."""

    def unpack(self, line: Line, state: ToyState) -> Line:
        if line["is"] == "scored":
            raise Malformed("these rules know no scores")
        return super().unpack(line, state)


def test_a_game_that_cannot_be_read_stops_no_other(evening: Evening) -> None:
    """Rules: when a game's events are not understood any more the table says which, and plays the others."""
    evening.open().do("skip", player="red")
    readable = evening.sight.game_id
    evening.open().score(5)
    broken = evening.sight.game_id
    assert readable is not None
    assert broken is not None

    evening.restart(Forgetful("toy-2"))

    assert evening.sight.status is Status.NONE
    assert evening.notices == ["unreadable"]
    assert f"Game {broken}" in evening.sight.notices[0].text
    with pytest.raises(Malformed, match="know no scores"):
        evening.table.switch(broken, HOST)
    evening.table.switch(readable, HOST)
    assert evening.view["turn"] == 1
    assert len(list(evening.table.record(broken))) == 2


def test_a_game_that_is_not_on_the_shelf_stops_no_other(evening: Evening) -> None:
    """Rules: a game whose rules are not there any more stays in the list."""
    evening.open()
    other = Toy()
    other.name = "other"

    evening.restart(other)

    assert evening.notices == ["unreadable"]
    assert [entry.name for entry in evening.table.games()] == ["toy"]


def test_a_table_can_stand_on_a_ledger_that_is_only_read(evening: Evening) -> None:
    """Record: beside the running owner another table may list and tell the games, and writes nothing."""
    played(evening)
    looking = Table(Ledger.read_only(evening.path), {"toy": Toy()}, lambda: 0.0, Random(1))

    assert list(looking.record()) == list(evening.table.record())
    assert [entry.lines for entry in looking.games()] == [5]
    last = evening.ledger.last
    looking.close()
    assert evening.ledger.last == last
    assert evening.score().ledger.row(last + 1).word == "score"
