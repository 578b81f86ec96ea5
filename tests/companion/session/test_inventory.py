"""Inventory: the stations left after an attempt are compared with a count, and differences become questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import broken, command
from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MISREAD, NOT_A_DRAW, MovedOn
from companion.records import RECORD, VERSION
from companion.session.commands import Agree, Inventory, LeaveOpen, Mend, Pause
from companion.session.line_reducer import DEPTH
from tests.companion.live_table import HOST, LiveTable
from tests.companion.session.test_andromeda import andromeda as random_game
from tests.companion.session.test_andromeda import finished
from tests.effort import seeds


def test_after_an_attempt_it_is_said_what_must_be_left(live_table: LiveTable) -> None:
    """Inventory: after an attempt, the snapshot has the attempt's place, the stations left there and its draws."""
    live_table.open().dig(2).slide("blue").slide("red")

    left = live_table.left_over
    assert (left.seat, left.place, left.label) == ("red", "bag", "the bag")
    assert left.stations == {"red": 2, "blue": 2, "green": 2}
    assert [line.line["colour"] for line in left.draws] == ["blue", "red"]
    assert (left.counted, left.doubts, left.left_open) == (None, (), False)


def test_nothing_is_left_over_before_and_during_an_attempt(live_table: LiveTable) -> None:
    """Inventory: there is no inventory before the first draw or during an attempt."""
    assert live_table.open().snapshot.left_over is None
    assert live_table.dig(2).snapshot.left_over is None
    assert live_table.slide("blue").snapshot.left_over is None
    assert live_table.slide("blue").left_over is not None
    assert live_table.dig(2).snapshot.left_over is None


def test_it_stays_while_play_goes_on(live_table: LiveTable) -> None:
    """An inventory continues through other moves and a restart, with the stations that must be there now."""
    live_table.open().dig(1).slide("blue").score().do("fix", colour="green", count=5)

    assert live_table.left_over.stations["green"] == 5
    assert live_table.restart().left_over.stations["green"] == 5


def test_agreed_is_put_on_record(live_table: LiveTable) -> None:
    """Agreeing to an inventory stores a row with the stations and ends the inventory."""
    live_table.open().dig(1).slide("blue")
    left = live_table.left_over.id

    live_table.agree()

    assert live_table.snapshot.left_over is None
    assert live_table.restart().snapshot.left_over is None
    (row,) = [row for row in live_table.rows("moment") if row.word == "agreed"]
    assert row.body == {"left": left, "stations": {"red": 3, "blue": 2, "green": 2}}
    with pytest.raises(MovedOn):
        live_table.table.execute(Agree(left), HOST)


def test_it_takes_nobodys_page_away(live_table: LiveTable) -> None:
    """Inventory: a page from before the table agreed may still send a command."""
    live_table.open().dig(1).slide("blue")
    version = live_table.snapshot.version

    live_table.count(red=4).agree()

    live_table.table.do({"do": "score", "player": "blue", "points": 1}, HOST, version)
    assert live_table.view["scores"]["blue"] == 1


def test_counting_what_must_lie_there_agrees(live_table: LiveTable) -> None:
    """Inventory: a count that equals the expected stations counts as agreeing."""
    live_table.open().dig(1).slide("blue").count()

    assert live_table.snapshot.left_over is None
    assert [row.word for row in live_table.rows("moment")] == ["agreed"]


@pytest.mark.parametrize(
    "counted",
    [{"pink": 1}, {"red": -1}, {"red": 100}, {"red": True}, {"red": "3"}, {"red": 2.0}],
    ids=str,
)
def test_a_count_has_nothing_odd(live_table: LiveTable, counted: Mapping[str, int]) -> None:
    """Inventory: a count that is not a whole number for each colour is refused and changes nothing."""
    live_table.open().dig(1).slide("blue")
    left = live_table.left_over

    with pytest.raises(Malformed):
        live_table.table.execute(Inventory(left.id, {**left.stations, **counted}), HOST)
    with pytest.raises(Malformed, match="how many red"):
        live_table.table.execute(Inventory(left.id, {"blue": 2, "green": 2}), HOST)

    assert live_table.left_over == left


def test_one_colour_for_another_is_asked_draw_by_draw(live_table: LiveTable) -> None:
    """Inventory: for one too many and one missing, misread draws (newest first) and swapped stations are offered."""
    live_table.open().dig(3).slide("blue").slide("green").slide("blue").count(blue=2, red=2)

    (doubt,) = live_table.left_over.doubts
    assert doubt.text == "One blue station too many, one red missing."
    assert [cause.word for cause in doubt.causes] == ["draw-3-red", "draw-1-red", "swapped-blue-red"]
    assert doubt.causes[0].ask == "Was draw 3 not blue, but red?"


def test_a_misread_draw_is_drawn_anew(live_table: LiveTable) -> None:
    """Inventory: a misread draw is undone with the later ones, and all are repeated with the right colour."""
    live_table.open().dig(3).slide("blue").slide("green").slide("blue")
    raw = live_table.left_over.draws[0].ring

    live_table.count(blue=2, red=2).mend("draw-1-red")

    assert live_table.view["bag"] == {"red": 2, "blue": 2, "green": 1}
    assert live_table.snapshot.left_over is None
    lines = live_table.lines()
    assert [line["do"] for line in lines[4:]] == ["undo"] * 3 + ["draw"] * 3
    assert {line["note"] for line in lines[4:7]} == {MISREAD}
    assert [(line["colour"], line["via"]) for line in lines[7:]] == [
        *(("red", "tablet"), ("green", "ring"), ("blue", "ring")),
    ]
    assert [entry.ring for entry in live_table.table.archive.history() if not entry.undone][2] == raw
    assert [row.word for row in live_table.rows("moment")][-1] == "agreed"


def test_a_draw_that_was_none_is_to_be_made_again(live_table: LiveTable) -> None:
    """Inventory: if nothing came out at the last draw, the draw is undone and the attempt is open again."""
    live_table.open().dig(2).slide("blue").slide("green").count(green=2).mend("draw-2-nothing")

    assert live_table.view["left"] == 1
    assert live_table.snapshot.left_over is None
    assert live_table.lines()[-1]["note"] == NOT_A_DRAW


def test_after_other_moves_the_books_are_put_right_instead(live_table: LiveTable) -> None:
    """Inventory: after other moves nothing is undone; corrections change the state instead."""
    live_table.open().dig(1).slide("blue").score().count(blue=3, red=2).mend("draw-1-red")

    assert live_table.deeds() == ["dig", "draw", "score", "fix", "fix"]
    assert live_table.view["bag"] == {"red": 2, "blue": 3, "green": 2}
    assert live_table.snapshot.left_over is None


def test_a_missing_station_was_lost_or_left_unseen(live_table: LiveTable) -> None:
    """Inventory: a missing station can be put back; if it came out unnoticed, the state is corrected."""
    live_table.open().dig(1).slide("blue").count(green=1)
    assert live_table.left_over.doubts[0].text == "One green station missing."
    assert live_table.causes() == ["back-green", "unseen-green"]

    live_table.mend("unseen-green")

    assert live_table.view["bag"]["green"] == 1
    assert live_table.snapshot.left_over is None


def test_what_the_table_puts_right_by_hand_changes_no_books(live_table: LiveTable) -> None:
    """Inventory: a station put back by hand changes the count, but adds no line."""
    live_table.open().dig(1).slide("blue").count(green=0)
    assert live_table.left_over.doubts[0].text == "2 green stations missing."

    live_table.mend("back-green")
    assert live_table.restart().left_over.counted == {"red": 3, "blue": 2, "green": 1}
    live_table.mend("back-green")

    assert live_table.snapshot.left_over is None
    assert live_table.deeds() == ["dig", "draw"]


def test_one_too_many_was_put_back_or_never_drawn(live_table: LiveTable) -> None:
    """Inventory: one station too many of a drawn colour may have been put back, or was never drawn."""
    live_table.open().dig(1).slide("blue").count(blue=3)

    assert live_table.causes() == ["put-back-1-blue", "draw-1-nothing"]
    assert live_table.mend("put-back-1-blue").snapshot.left_over is None


def test_one_too_many_that_was_never_drawn_came_from_elsewhere(live_table: LiveTable) -> None:
    """Inventory: one too many of a colour that wasn't drawn may have come unrecorded, or may belong elsewhere."""
    live_table.open().dig(1).slide("blue").count(green=3)

    assert live_table.causes() == ["came-green", "off-green"]
    assert live_table.mend("came-green").view["bag"]["green"] == 3


def test_several_differences_are_several_questions(live_table: LiveTable) -> None:
    """Inventory: each difference is a separate question, and mending one leaves the others open."""
    live_table.open().dig(1).slide("blue").count(blue=3, red=2, green=1)
    assert [doubt.text for doubt in live_table.left_over.doubts] == [
        "One blue station too many, one red missing.",
        "One green station missing.",
    ]

    live_table.mend("draw-1-red")

    assert [doubt.text for doubt in live_table.left_over.doubts] == ["One green station missing."]


def test_a_difference_may_be_left_open(live_table: LiveTable) -> None:
    """Inventory: a difference can be left open, which is stored and shown in the snapshot."""
    live_table.open().dig(1).slide("blue").count(green=1)

    live_table.table.execute(LeaveOpen(live_table.left_over.id), HOST)

    assert live_table.left_over.left_open
    assert live_table.score().restart().left_over.left_open
    assert [row.word for row in live_table.rows("moment")] == ["counted", "left open"]
    assert live_table.dig(1).snapshot.left_over is None


def test_what_was_counted_follows_moves_but_not_repairs(tmp_path: Path) -> None:
    """Inventory: a correction that moves a station does not change what was counted."""
    live_table = andromeda(tmp_path)
    left = live_table.left_over
    live_table.count(blue=left.stations["blue"] + 1)
    more = {"do": "correct", "player": "blue", "reason": "found", "move": {"from": "earth", "to": "p1", "count": 1}}

    live_table.table.do(more, HOST)

    assert live_table.left_over.doubts == ()
    live_table.ledger.close()


def test_undo_brings_back_what_was_left_over(live_table: LiveTable) -> None:
    """Inventory: undoing a new attempt brings back the inventory before it, unless that was agreed."""
    live_table.open().dig(1).slide("blue")
    left = live_table.left_over

    assert live_table.dig(1).undo().left_over == left
    live_table.agree().dig(1).undo()
    assert live_table.snapshot.left_over is None
    assert live_table.undo(MISREAD).snapshot.left_over is None


def test_undo_past_what_is_kept_in_memory_knows_it_too(live_table: LiveTable) -> None:
    """Inventory: undo brings the inventory back even for an attempt that is no longer in memory."""
    live_table.open().dig(1).slide("blue")
    left = live_table.left_over
    times = DEPTH // 3 + 1
    for _ in range(times):
        live_table.dig(1).draw("red").do("fix", colour="red", count=3)
    for _ in range(3 * times):
        live_table.undo()

    assert live_table.left_over == left
    assert live_table.restart().left_over == left


def test_a_cause_that_is_none_any_more_is_not_mended(live_table: LiveTable) -> None:
    """Inventory: mending a cause that is unknown or already mended raises MovedOn."""
    live_table.open().dig(1).slide("blue")
    left = live_table.left_over.id
    with pytest.raises(MovedOn):
        live_table.mend("draw-1-red")

    live_table.count(blue=3, red=2)

    with pytest.raises(MovedOn):
        live_table.mend("draw-7-red")
    live_table.mend("draw-1-red")
    with pytest.raises(MovedOn):
        live_table.table.execute(Mend(left, "draw-1-red"), HOST)


def test_a_game_that_stands_still_is_not_mended(live_table: LiveTable) -> None:
    """Inventory: a paused game allows counting, but refuses to mend a line."""
    live_table.open().dig(1).slide("blue").table.execute(Pause(), HOST)
    live_table.count(blue=3, red=2)

    with pytest.raises(Refused, match="paused"):
        live_table.mend("draw-1-red")


@pytest.fixture
def won(tmp_path: Path) -> Iterator[LiveTable]:
    """Andromeda, after red has won the best centre of p1 with the second draw."""
    made = andromeda(tmp_path)
    yield made
    made.ledger.close()


def andromeda(folder: Path) -> LiveTable:
    """Play until red has drawn blue, then red, at p1."""
    live_table = LiveTable(folder / "andromeda.db", GAME)
    players = [{"colour": colour, "name": colour.capitalize()} for colour in ("red", "blue", "green")]
    header = {"record": RECORD, "version": VERSION, "game": GAME.name, "players": players, "first": "red"}
    live_table.table.open(header, HOST)
    cards = {"p1": 1, "p2": 1, "p3": 1, "p4": 1, "p5": 1, "p6": 1}
    for colour in ("red", "blue", "green"):
        live_table.do("setup", player=colour, cards=cards)
    live_table.do("deal")
    for colour in ("red", "blue", "green"):
        live_table.do("transport", player=colour, move="pass")
    for card in ("p1", "p2"):
        live_table.do("lay", player="red", card=card)
        for colour in ("blue", "green"):
            live_table.do("lay", player=colour, card="p3")
    live_table.do("swap", player="red", **{"with": "blue"}).do("leave", player="blue").do("take_back", player="blue")
    live_table.do("establish", player="red", planet="p1", cards=4, jokers=[])
    return live_table.slide("blue").slide("red")


def test_a_win_that_was_none_is_put_right(won: LiveTable) -> None:
    """Inventory, Andromeda: if a winning draw was another colour, the centre is taken back."""
    assert won.view["players"]["red"]["centres"] == [{"planet": "p1", "value": 9}]
    stations = won.left_over.stations

    won.count(red=stations["red"] + 1, green=stations["green"] - 1).mend("draw-2-green")

    assert won.view["players"]["red"]["centres"] == []
    assert won.view["players"]["green"]["planets"]["p1"] == stations["green"] - 1
    assert won.snapshot.left_over is None


def test_a_win_that_was_none_is_put_right_after_play_went_on(won: LiveTable) -> None:
    """Inventory, Andromeda: if play went on, corrections take back the centre and send the other station to Earth."""
    stations = won.left_over.stations
    earth = won.view["players"]["green"]["earth"]
    won.do("end_turn", player="red")

    won.count(red=stations["red"] + 1, green=stations["green"] - 1).mend("draw-2-green")

    assert won.view["players"]["red"]["centres"] == []
    assert won.view["players"]["green"]["earth"] == earth + 1
    assert won.deeds()[-2:] == ["correct", "correct"]
    assert won.snapshot.left_over is None


def test_a_win_that_nobody_saw_takes_the_centre(won: LiveTable) -> None:
    """Inventory, Andromeda: if an earlier draw was red's own, it takes the best free centre and ends the attempt."""
    stations = won.left_over.stations
    won.count(blue=stations["blue"] + 1, red=stations["red"] - 1).mend("draw-1-red")

    assert [line.line["colour"] for line in won.left_over.draws] == ["red"]
    assert won.view["players"]["red"]["centres"] == [{"planet": "p1", "value": 9}]
    assert won.left_over.doubts[0].text == "One red station missing."


@pytest.mark.parametrize("seed", seeds(8))
def test_every_difference_can_be_mended(tmp_path: Path, seed: int) -> None:
    """Inventory: whatever was counted, each offered cause can be chosen, and all differences can be mended."""
    lots = Random(seed)
    live_table = LiveTable(tmp_path / "ledger.db").open(bag={"red": 4, "blue": 4, "green": 4}).dig(3)
    for _ in range(3):
        live_table.slide(lots.choice(("red", "blue", "green")))
    if seed % 2:
        live_table.score()
    live_table.count(
        **{colour: max(0, count + lots.randrange(-2, 3)) for colour, count in live_table.left_over.stations.items()}
    )

    for _ in range(12):
        if live_table.snapshot.left_over is None:
            break
        assert live_table.left_over.doubts
        live_table.mend(lots.choice(live_table.causes())).restart()

    assert live_table.snapshot.left_over is None
    live_table.ledger.close()


@pytest.mark.parametrize("seed", seeds(4))
def test_taking_stock_never_breaks_a_game(tmp_path: Path, seed: int) -> None:
    """Inventory, Andromeda: random counts and mending break no invariant, and the game can be resumed."""
    lots = Random(seed)
    live_table = random_game(tmp_path / "ledger.db", 3 + seed % 3, lots)
    over = finished(live_table)
    for _ in range(150):
        with suppress(Refused):
            take_stock(live_table, lots)
        if over():
            break
        live_table.table.do(GAME.line(command(live_table.snapshot.state, lots)), HOST)
        assert broken(live_table.snapshot.state) == ()

    before = live_table.snapshot
    assert live_table.restart().running == before
    live_table.ledger.close()


def take_stock(live_table: LiveTable, lots: Random) -> None:
    """Count random numbers, and choose random causes, up to three times."""
    for _ in range(3):
        left = live_table.snapshot.left_over
        if left is None:
            return
        if left.doubts:
            live_table.mend(lots.choice(live_table.causes()))
        else:
            live_table.count(
                **{colour: max(0, count + lots.randrange(-1, 2)) for colour, count in left.stations.items()}
            )
