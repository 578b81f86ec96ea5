"""Inventory: the stations under the ring are a closed set, and the table is asked when something else lies there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.invariants import broken
from companion.games.andromeda.random_policy import command
from companion.kernel.errors import Malformed, Refused
from companion.model.snapshot import MISREAD, NOT_A_DRAW, MovedOn
from companion.records import RECORD, VERSION
from tests.companion.live_table import HOST, Evening
from tests.companion.session.test_andromeda import andromeda as random_game
from tests.companion.session.test_andromeda import finished


def test_after_an_attempt_it_is_said_what_must_be_left(evening: Evening) -> None:
    """Inventory: when an attempt is over, its place, what must lie there and its draws are told."""
    evening.open().dig(2).slide("blue").slide("red")

    left = evening.left_over
    assert (left.seat, left.place, left.label) == ("red", "bag", "the bag")
    assert left.stations == {"red": 2, "blue": 2, "green": 2}
    assert [told.line["colour"] for told in left.draws] == ["blue", "red"]
    assert (left.counted, left.doubts, left.left_open) == (None, (), False)


def test_nothing_is_left_over_before_and_during_an_attempt(evening: Evening) -> None:
    """Inventory: while nothing was drawn, or an attempt is open, nothing is asked of the table."""
    assert evening.open().sight.left_over is None
    assert evening.dig(2).sight.left_over is None
    assert evening.slide("blue").sight.left_over is None
    assert evening.slide("blue").left_over is not None
    assert evening.dig(2).sight.left_over is None


def test_it_stays_while_play_goes_on(evening: Evening) -> None:
    """Inventory: other moves leave it standing, with what must lie there by then; so does a restart."""
    evening.open().dig(1).slide("blue").score().do("fix", colour="green", count=5)

    assert evening.left_over.stations["green"] == 5
    assert evening.restart().left_over.stations["green"] == 5


def test_agreed_is_put_on_record(evening: Evening) -> None:
    """Inventory: a tap agrees; that is a row with what must lie there, and the question is gone for good."""
    evening.open().dig(1).slide("blue")
    left = evening.left_over.id

    evening.agree()

    assert evening.sight.left_over is None
    assert evening.restart().sight.left_over is None
    (row,) = [row for row in evening.rows("moment") if row.word == "agreed"]
    assert row.body == {"left": left, "stations": {"red": 3, "blue": 2, "green": 2}}
    with pytest.raises(MovedOn):
        evening.table.agree(left, HOST)


def test_it_takes_nobodys_page_away(evening: Evening) -> None:
    """Inventory: a page that was made before the table agreed may still act."""
    evening.open().dig(1).slide("blue")
    version = evening.sight.version

    evening.count(red=4).agree()

    evening.table.do({"do": "score", "player": "blue", "points": 1}, HOST, version)
    assert evening.view["scores"]["blue"] == 1


def test_counting_what_must_lie_there_agrees(evening: Evening) -> None:
    """Inventory: who counts and finds what must be there has agreed."""
    evening.open().dig(1).slide("blue").count()

    assert evening.sight.left_over is None
    assert [row.word for row in evening.rows("moment")] == ["agreed"]


@pytest.mark.parametrize(
    "counted",
    [{"pink": 1}, {"red": -1}, {"red": 100}, {"red": True}, {"red": "3"}, {"red": 2.0}],
    ids=str,
)
def test_a_count_has_nothing_odd(evening: Evening, counted: Mapping[str, int]) -> None:
    """Inventory: a count names each colour of the game once with a whole number; anything else changes nothing."""
    evening.open().dig(1).slide("blue")
    left = evening.left_over

    with pytest.raises(Malformed):
        evening.table.inventory(left.id, {**left.stations, **counted}, HOST)
    with pytest.raises(Malformed, match="how many red"):
        evening.table.inventory(left.id, {"blue": 2, "green": 2}, HOST)

    assert evening.left_over == left


def test_one_colour_for_another_is_asked_draw_by_draw(evening: Evening) -> None:
    """Inventory: one too many, one missing: a draw of the one was the other, the newest first; or they got swapped."""
    evening.open().dig(3).slide("blue").slide("green").slide("blue").count(blue=2, red=2)

    (doubt,) = evening.left_over.doubts
    assert doubt.text == "One blue station too many, one red missing."
    assert [cause.word for cause in doubt.causes] == ["draw-3-red", "draw-1-red", "swapped-blue-red"]
    assert doubt.causes[0].ask == "Was draw 3 not blue, but red?"


def test_a_misread_draw_is_drawn_anew(evening: Evening) -> None:
    """Inventory: said to be another colour, a draw is taken back as misread, made anew, and the later ones with it."""
    evening.open().dig(3).slide("blue").slide("green").slide("blue")
    raw = evening.left_over.draws[0].ring

    evening.count(blue=2, red=2).mend("draw-1-red")

    assert evening.view["bag"] == {"red": 2, "blue": 2, "green": 1}
    assert evening.sight.left_over is None
    lines = evening.lines()
    assert [line["do"] for line in lines[4:]] == ["undo"] * 3 + ["draw"] * 3
    assert {line["note"] for line in lines[4:7]} == {MISREAD}
    assert [(line["colour"], line["via"]) for line in lines[7:]] == [
        *(("red", "tablet"), ("green", "ring"), ("blue", "ring")),
    ]
    assert [told.ring for told in evening.table.history() if not told.undone][2] == raw
    assert [row.word for row in evening.rows("moment")][-1] == "agreed"


def test_a_draw_that_was_none_is_to_be_made_again(evening: Evening) -> None:
    """Inventory: when nothing came out at the last draw it is taken back, and the attempt is open once more."""
    evening.open().dig(2).slide("blue").slide("green").count(green=2).mend("draw-2-nothing")

    assert evening.view["left"] == 1
    assert evening.sight.left_over is None
    assert evening.lines()[-1]["note"] == NOT_A_DRAW


def test_after_other_moves_the_books_are_put_right_instead(evening: Evening) -> None:
    """Inventory: when play has gone on nothing is taken back: a correction brings the books to the table."""
    evening.open().dig(1).slide("blue").score().count(blue=3, red=2).mend("draw-1-red")

    assert evening.deeds() == ["dig", "draw", "score", "fix", "fix"]
    assert evening.view["bag"] == {"red": 2, "blue": 3, "green": 2}
    assert evening.sight.left_over is None


def test_a_missing_station_was_lost_or_left_unseen(evening: Evening) -> None:
    """Inventory: a missing one is looked for first; else it came out unseen, and the books follow."""
    evening.open().dig(1).slide("blue").count(green=1)
    assert evening.left_over.doubts[0].text == "One green station missing."
    assert evening.causes() == ["back-green", "unseen-green"]

    evening.mend("unseen-green")

    assert evening.view["bag"]["green"] == 1
    assert evening.sight.left_over is None


def test_what_the_table_puts_right_by_hand_changes_no_books(evening: Evening) -> None:
    """Inventory: a station put back where it belongs is one difference less, and no line."""
    evening.open().dig(1).slide("blue").count(green=0)
    assert evening.left_over.doubts[0].text == "2 green stations missing."

    evening.mend("back-green")
    assert evening.restart().left_over.counted == {"red": 3, "blue": 2, "green": 1}
    evening.mend("back-green")

    assert evening.sight.left_over is None
    assert evening.deeds() == ["dig", "draw"]


def test_one_too_many_was_put_back_or_never_drawn(evening: Evening) -> None:
    """Inventory: one too many of a drawn colour lies where it does not belong, or nothing had come out."""
    evening.open().dig(1).slide("blue").count(blue=3)

    assert evening.causes() == ["put-back-1-blue", "draw-1-nothing"]
    assert evening.mend("put-back-1-blue").sight.left_over is None


def test_one_too_many_that_was_never_drawn_came_from_elsewhere(evening: Evening) -> None:
    """Inventory: one too many of a colour that was not drawn was put there untold, or belongs elsewhere."""
    evening.open().dig(1).slide("blue").count(green=3)

    assert evening.causes() == ["came-green", "off-green"]
    assert evening.mend("came-green").view["bag"]["green"] == 3


def test_several_differences_are_several_questions(evening: Evening) -> None:
    """Inventory: each difference has its own question, and mending one leaves the others."""
    evening.open().dig(1).slide("blue").count(blue=3, red=2, green=1)
    assert [doubt.text for doubt in evening.left_over.doubts] == [
        "One blue station too many, one red missing.",
        "One green station missing.",
    ]

    evening.mend("draw-1-red")

    assert [doubt.text for doubt in evening.left_over.doubts] == ["One green station missing."]


def test_a_difference_may_be_left_open(evening: Evening) -> None:
    """Inventory: play goes on with a difference that is left open; that is on record, and stays in sight."""
    evening.open().dig(1).slide("blue").count(green=1)

    evening.table.leave_open(evening.left_over.id, HOST)

    assert evening.left_over.left_open
    assert evening.score().restart().left_over.left_open
    assert [row.word for row in evening.rows("moment")] == ["counted", "left open"]
    assert evening.dig(1).sight.left_over is None


def test_what_was_counted_follows_moves_but_not_repairs(tmp_path: Path) -> None:
    """Inventory: stations that move to the place after the count are there as well; a repair moves no station."""
    evening = andromeda(tmp_path)
    left = evening.left_over
    evening.count(blue=left.stations["blue"] + 1)
    more = {"do": "correct", "player": "blue", "reason": "found", "move": {"from": "earth", "to": "p1", "count": 1}}

    evening.table.do(more, HOST)

    assert evening.left_over.doubts == ()
    evening.ledger.close()


def test_undo_brings_back_what_was_left_over(evening: Evening) -> None:
    """Inventory: when a new attempt is taken back, the one before it is over again; agreed stays agreed."""
    evening.open().dig(1).slide("blue")
    left = evening.left_over

    assert evening.dig(1).undo().left_over == left
    evening.agree().dig(1).undo()
    assert evening.sight.left_over is None
    assert evening.undo(MISREAD).sight.left_over is None


def test_undo_past_what_is_kept_in_memory_knows_it_too(evening: Evening) -> None:
    """Inventory: taken back further than memory goes, the attempt that was over then is found in the ledger."""
    evening.open().dig(1).slide("blue")
    left = evening.left_over
    for _ in range(150):
        evening.dig(1).draw("red").do("fix", colour="red", count=3)
    for _ in range(450):
        evening.undo()

    assert evening.left_over == left
    assert evening.restart().left_over == left


def test_a_cause_that_is_none_any_more_is_not_mended(evening: Evening) -> None:
    """Inventory: who mends what is mended, or never was wrong, is told that the table has moved on."""
    evening.open().dig(1).slide("blue")
    left = evening.left_over.id
    with pytest.raises(MovedOn):
        evening.mend("draw-1-red")

    evening.count(blue=3, red=2)

    with pytest.raises(MovedOn):
        evening.mend("draw-7-red")
    evening.mend("draw-1-red")
    with pytest.raises(MovedOn):
        evening.table.mend(left, "draw-1-red", HOST)


def test_a_game_that_stands_still_is_not_mended(evening: Evening) -> None:
    """Inventory: while the game is paused, lines cannot be mended; counting can."""
    evening.open().dig(1).slide("blue").table.pause(HOST)
    evening.count(blue=3, red=2)

    with pytest.raises(Refused, match="paused"):
        evening.mend("draw-1-red")


@pytest.fixture
def won(tmp_path: Path) -> Iterator[Evening]:
    """Andromeda, where the player of red has just won the best centre of p1 with the second draw."""
    made = andromeda(tmp_path)
    yield made
    made.ledger.close()


def andromeda(folder: Path) -> Evening:
    """Play until red has drawn blue, then red, at p1."""
    evening = Evening(folder / "andromeda.db", GAME)
    players = [{"colour": colour, "name": colour.capitalize()} for colour in ("red", "blue", "green")]
    header = {"record": RECORD, "version": VERSION, "game": GAME.name, "players": players, "first": "red"}
    evening.table.open(header, HOST)
    cards = {"p1": 1, "p2": 1, "p3": 1, "p4": 1, "p5": 1, "p6": 1}
    for colour in ("red", "blue", "green"):
        evening.do("setup", player=colour, cards=cards)
    evening.do("deal")
    for colour in ("red", "blue", "green"):
        evening.do("transport", player=colour, move="pass")
    for card in ("p1", "p2"):
        evening.do("lay", player="red", card=card)
        for colour in ("blue", "green"):
            evening.do("lay", player=colour, card="p3")
    evening.do("swap", player="red", **{"with": "blue"}).do("leave", player="blue").do("take_back", player="blue")
    evening.do("establish", player="red", planet="p1", cards=4, jokers=[])
    return evening.slide("blue").slide("red")


def test_a_win_that_was_none_is_put_right(won: Evening) -> None:
    """Inventory, Andromeda: a winning draw that was another colour gives the centre back."""
    assert won.view["players"]["red"]["centres"] == [{"planet": "p1", "value": 9}]
    stations = won.left_over.stations

    won.count(red=stations["red"] + 1, green=stations["green"] - 1).mend("draw-2-green")

    assert won.view["players"]["red"]["centres"] == []
    assert won.view["players"]["green"]["planets"]["p1"] == stations["green"] - 1
    assert won.sight.left_over is None


def test_a_win_that_was_none_is_put_right_after_play_went_on(won: Evening) -> None:
    """Inventory, Andromeda: later, corrections take the centre back and send the other station to Earth."""
    stations = won.left_over.stations
    earth = won.view["players"]["green"]["earth"]
    won.do("end_turn", player="red")

    won.count(red=stations["red"] + 1, green=stations["green"] - 1).mend("draw-2-green")

    assert won.view["players"]["red"]["centres"] == []
    assert won.view["players"]["green"]["earth"] == earth + 1
    assert won.deeds()[-2:] == ["correct", "correct"]
    assert won.sight.left_over is None


def test_a_win_that_nobody_saw_takes_the_centre(won: Evening) -> None:
    """Inventory, Andromeda: a draw that was really one's own takes the best free centre, and ends the attempt there."""
    stations = won.left_over.stations
    won.count(blue=stations["blue"] + 1, red=stations["red"] - 1).mend("draw-1-red")

    assert [told.line["colour"] for told in won.left_over.draws] == ["red"]
    assert won.view["players"]["red"]["centres"] == [{"planet": "p1", "value": 9}]
    assert won.left_over.doubts[0].text == "One red station missing."


@pytest.mark.parametrize("seed", range(8))
def test_every_difference_can_be_mended(tmp_path: Path, seed: int) -> None:
    """Inventory: whatever was counted, each cause that is offered can be chosen and leads a step nearer to an end."""
    lots = Random(seed)
    evening = Evening(tmp_path / "ledger.db").open(bag={"red": 4, "blue": 4, "green": 4}).dig(3)
    for _ in range(3):
        evening.slide(lots.choice(("red", "blue", "green")))
    if seed % 2:
        evening.score()
    evening.count(
        **{colour: max(0, count + lots.randrange(-2, 3)) for colour, count in evening.left_over.stations.items()}
    )

    for _ in range(12):
        if evening.sight.left_over is None:
            break
        assert evening.left_over.doubts
        evening.mend(lots.choice(evening.causes())).restart()

    assert evening.sight.left_over is None
    evening.ledger.close()


@pytest.mark.parametrize("seed", range(4))
def test_taking_stock_never_breaks_a_game(tmp_path: Path, seed: int) -> None:
    """Inventory, Andromeda: counted and mended at random, a game keeps all its stations, and can be resumed."""
    lots = Random(seed)
    evening = random_game(tmp_path / "ledger.db", 3 + seed % 3, lots)
    over = finished(evening)
    for _ in range(300):
        with suppress(Refused):
            take_stock(evening, lots)
        if over():
            break
        evening.table.do(GAME.line(command(evening.sight.state, lots)), HOST)
        assert broken(evening.sight.state) == ()

    before = evening.sight
    assert evening.restart().running == before
    evening.ledger.close()


def take_stock(evening: Evening, lots: Random) -> None:
    """Count what is left at random, and choose among the causes at random, until nothing is open or enough is."""
    for _ in range(3):
        left = evening.sight.left_over
        if left is None:
            return
        if left.doubts:
            evening.mend(lots.choice(evening.causes()))
        else:
            evening.count(**{colour: max(0, count + lots.randrange(-1, 2)) for colour, count in left.stations.items()})
