"""The history as a timeline: rounds as headings, what each move gave, corrections and undo told apart."""

from __future__ import annotations

from companion.session.commands import Undo
from tests.web.games.andromeda.room import HOST, Room


def test_a_round_is_a_chapter(room: Room) -> None:
    """History: the set-up and each round have a part of their own, the newest is shown first, the others by a tap."""
    page = room.in_actions().look("/history")

    assert "Round 1" in page.text and "Ana swaps with Ben" in page.text
    assert "set-up cards are face up" not in page.text
    assert "set-up cards are face up" in room.look(page.find("Set-up").address).text


def test_a_draw_says_what_it_gave(room: Room) -> None:
    """History: a foreign station flies home for a point, one's own takes the best centre."""
    room.in_actions().attempt().do("draw", colour="blue").do("draw", colour="red")

    page = room.look("/history").text

    assert "Ben's station comes out and flies home Ben +1" in page
    assert "Ana's station comes out and takes the 9 Ana +9" in page


def test_a_correction_says_what_was_there_before(room: Room) -> None:
    """History: a number that was put right stands beside the old one."""
    room.in_actions().do("correct", player="blue", hand=7, reason="miscounted")

    assert "hand corrected to 7 before: 9" in room.look("/history").text


def test_what_was_taken_back_gives_nothing(room: Room) -> None:
    """History: a line that was taken back is struck through and counts no points."""
    room.in_actions().attempt().do("draw", colour="blue")
    room.table.execute(Undo("misread"), HOST)

    page = room.look("/history").text

    assert "flies home undone: misread" in page
    assert "+1" not in page


def test_a_players_cards_share_a_row(room: Room) -> None:
    """History: the cards that somebody plays in a round share one row; each has its own sentence for ears."""
    seats = room.in_actions().state.colours

    rows = [row for row in _rows(room) if "plays a" in row]

    assert [row.count("plays a") for row in rows] == [2] * len(seats)


def test_an_answer_is_told_with_its_swap(room: Room) -> None:
    """History: whether the new cards are kept stands under the swap that it answers."""
    room.in_actions()

    assert [row for row in _rows(room) if "swaps with Ben" in row and "the new cards" in row]


def test_what_everybody_does_alike_is_one_row(room: Room) -> None:
    """History: transport cards that are kept one after the other share a row of tokens, a lone one has a sentence."""
    room.in_actions()

    kept = [row for row in _rows(room) if "keep the transport card" in row or "keeps the transport card" in row]

    assert len(kept) == 1


def _rows(room: Room) -> list[str]:
    page = room.look("/history").html
    return page.partition('class="timeline')[2].split("<li")
