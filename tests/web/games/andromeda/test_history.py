"""A game's history: headings for rounds, each move's points, corrections, and, on request, undone lines."""

from __future__ import annotations

import re
from html import unescape

from companion.session.commands import Undo
from tests.web.games.andromeda.room import HOST, Room


def story(room: Room, query: str = "") -> list[str]:
    """Return the lines of the history, with its headings."""
    page = unescape(room.look(f"/games/{room.snapshot.game_id}/replay{query}").html)
    lines = page.partition("data-lines")[2].partition("</ol>")[0].split("<li")[1:]
    return [" ".join(re.sub(r"<[^>]*>|^[^>]*>", " ", line).split()) for line in lines]


def test_a_story_has_headings_and_begins_at_the_beginning(room: Room) -> None:
    """History: lines are listed oldest first, with a heading for each phase of a round."""
    lines = story(room.in_actions())

    assert lines[0] == "Set-up"
    assert lines.index("Round 1, Transport") < lines.index("Round 1, Trading")
    assert any(line.endswith("set-up cards are face up") for line in lines)


def test_the_filled_line_is_what_the_board_shows(room: Room) -> None:
    """History: exactly one line is marked as current, the last one up to the step of the board."""
    number = room.in_actions().snapshot.game_id

    for at in (5, 9999):
        page = room.look(f"/games/{number}/replay?at={at}").html.partition("data-lines")[2]
        assert page.count('aria-current="step"') == 1
    assert "aria-current" not in room.look(f"/games/{number}/replay?at=0").html.partition("data-lines")[2]


def test_a_draw_says_what_it_gave(room: Room) -> None:
    """History: another player's station flies home for a point; the player's own station takes the best centre."""
    room.in_actions().attempt().do("draw", colour="blue").do("draw", colour="red")

    lines = story(room)

    assert "Ben's station comes out and flies home +1" in lines
    assert "Ana's station comes out and takes the 9 +9" in lines


def test_a_correction_says_what_was_there_before(room: Room) -> None:
    """History: a corrected number is shown together with the old one."""
    room.in_actions().do("correct", player="blue", hand=7, reason="miscounted")

    assert any("hand corrected to 7" in line and "before: 9" in line for line in story(room))


def test_what_was_taken_back_is_left_out_or_struck_through(room: Room) -> None:
    """History: an undone line is only shown on request, with its reason, and shows no points."""
    room.in_actions().attempt().do("draw", colour="blue")
    room.table.execute(Undo("misread"), HOST)

    assert not any("flies home" in line for line in story(room))
    assert any("flies home undone: misread" in line for line in story(room, "?undone=1"))
    assert not any("+1" in line for line in story(room, "?undone=1"))


def test_a_players_cards_share_a_line(room: Room) -> None:
    """History: all cards that a player plays in a round are in one line."""
    seats = room.in_actions().state.colours

    lines = [line for line in story(room) if re.search(r" plays .+, .+", line)]

    assert len(lines) == len(seats)


def test_an_answer_is_told_with_its_swap(room: Room) -> None:
    """History: whether the new cards are kept is shown below the swap that gave them."""
    room.in_actions()

    assert [line for line in story(room) if "swaps with Ben" in line and "the new cards" in line]


def test_what_everybody_does_alike_is_one_line(room: Room) -> None:
    """History: several kept transport cards in a row share one line; a single one has its own sentence."""
    room.in_actions()

    kept = [line for line in story(room) if "keep the transport card" in line or "keeps the transport card" in line]

    assert len(kept) == 1
