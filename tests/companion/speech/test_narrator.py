"""The sentences that every table speaks: turns, questions of the ring, pauses, and what a correction changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.model.snapshot import Who
from companion.ports.ring import RingEventKind
from companion.session.commands import Answer, Inventory, Mend, Pause, Resume, Switch, Undo
from companion.session.live_game import HAPPENINGS
from companion.speech import narrated
from tests.dice_game.house import DiceHouse
from tests.web.games.andromeda.room import HOST, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A table for four, with the real rules."""
    made = Room(tmp_path)
    yield made
    made.table.close()


def heard(room: Room | DiceHouse, deed: Callable[[], object]) -> list[str]:
    """Return the sentences that are spoken when *deed* is called."""
    before = room.snapshot.version
    deed()
    return [str(one.text) for happening in room.table.happened(before) for one in narrated(happening)]


def test_a_draw_is_said_with_what_it_did_and_whose_turn_it_is_then(room: Room) -> None:
    """Table: a draw gives a sentence for the station and one for its result, then the next turn is announced."""
    room.in_actions().attempt(4)

    assert heard(room, lambda: room.out("red")) == ["Ana takes the 9 at Ringworld.", "Ana earns a silver credit."]
    assert heard(room, lambda: room.do("end_turn", player="red")) == ["Ben's turn: 2 actions."]


def test_a_draw_taken_back_says_that_alone(room: Room) -> None:
    """Correction: an undone draw is announced by only one sentence, which says what is taken back."""
    room.in_actions().attempt(6).do("draw", colour="blue")

    assert heard(room, lambda: room.table.execute(Undo("misread"), HOST)) == ["Taken back: Ben's station flies home."]


def test_a_draw_of_the_ring_that_is_taken_back_is_asked_about(room: Room) -> None:
    """Correction: undoing a ring draw as misread also asks the question aloud."""
    room.in_actions().attempt(6).out("blue")

    said = heard(room, lambda: room.table.execute(Undo("misread"), HOST))
    assert said[0] == "Taken back: Ben's station flies home."
    assert said[1].startswith("Which one came out")


def test_a_mended_draw_says_only_what_has_changed(room: Room) -> None:
    """Correction: if one draw of an attempt is corrected, only that draw is spoken."""
    room.in_actions().attempt(4).do("draw", colour="blue").do("draw", colour="green")
    left = room.snapshot.left_over
    assert left is not None
    counted = {**left.stations, "green": left.stations["green"] + 1, "yellow": left.stations["yellow"] - 1}
    room.table.execute(Inventory(left.id, counted), HOST)
    doubts = room.snapshot.left_over.doubts if room.snapshot.left_over else ()
    cause = next(one.word for doubt in doubts for one in doubt.causes if one.again_from and one.really == "yellow")

    said = heard(room, lambda: room.table.execute(Mend(left.id, cause), HOST))
    assert said == ["Correction.", "Dora's station flies home."]


@pytest.mark.parametrize("card", ["p3", "p7"])
def test_a_card_face_down_is_not_named_when_it_is_laid_nor_when_it_is_taken_back(room: Room, card: str) -> None:
    """Hiding: laying or taking back a face-down card is spoken without its name."""
    room.in_trading().do("lay", player="red", card="p1")

    assert heard(room, lambda: room.do("lay", player="blue", card=card)) == ["Ben has played."]
    assert heard(room, lambda: room.do("undo")) == []


def test_a_question_of_the_ring_is_asked_aloud(room: Room) -> None:
    """Ring: for an uncertain colour, the question names the two likeliest players, and the answer is spoken."""
    room.in_actions().attempt(6)

    asked = heard(room, lambda: room.out(None, ("blue", 0.5), ("green", 0.4), why="close"))
    assert asked == ["Which one came out: Ben or Cem?"]
    answer = Answer(room.snapshot.questions[0].id, "green")
    assert heard(room, lambda: room.table.execute(answer, HOST))[0] == "Cem's station flies home."


def test_two_at_once_are_asked_about(room: Room) -> None:
    """Ring: two stations at once give a question without names."""
    room.in_actions().attempt(6)

    assert heard(room, lambda: room.out(None, kind=RingEventKind.PAIR)) == ["Two came out at once. Which two?"]


def test_pauses_are_said(room: Room) -> None:
    """Table: the beginning and the end of a pause are announced."""
    room.in_actions()

    assert heard(room, lambda: room.table.execute(Pause(), HOST)) == ["Pause."]
    assert heard(room, lambda: room.table.execute(Resume(), HOST)) == ["On we go."]


def test_another_game_begins_with_whose_turn_it_is(room: Room) -> None:
    """Table: when another game becomes live, only its turn is announced."""
    room.in_actions()
    first = room.snapshot.game_id
    assert first is not None
    room.table.open(room.snapshot.header or {}, HOST)

    assert heard(room, lambda: room.table.execute(Switch(first), Who("host", "tablet"))) == ["Ana's turn: 3 actions."]


def test_a_game_without_a_voice_of_its_own_has_turns_and_a_result(tmp_path: Path) -> None:
    """Any game: if it has no sentences of its own, its turns are announced in general words."""
    race = DiceHouse(tmp_path)
    host = race.host()
    race.opened(host)

    assert heard(race, lambda: race.throw(host, "roll 4", "hold")) == ["It's Ben's turn."]
    race.table.close()


def test_only_the_newest_is_kept_for_those_who_say_it(room: Room) -> None:
    """Queue: only a limited number of events is stored for listeners."""
    room.in_actions()
    for _ in range(HAPPENINGS):
        room.table.execute(Pause(), HOST)
        room.table.execute(Resume(), HOST)

    assert len(room.table.happened(0)) == HAPPENINGS
    assert room.table.happened(room.snapshot.version) == ()
