"""The stations left over after an attempt: shown on the page, agreed with one tap, or counted and corrected."""

from __future__ import annotations

import pytest

from companion.session.commands import Inventory
from tests.web.games.andromeda.room import HOST, Page, Room


@pytest.fixture
def ended(room: Room) -> Room:
    """A room where red has drawn blue and green at p1, and the attempt is over."""
    room.in_actions().attempt(cards=4).out("blue").out("green")
    assert room.state.attempt is None
    return room


def under(room: Room) -> dict[str, int]:
    assert room.snapshot.left_over is not None
    return dict(room.snapshot.left_over.stations)


def test_after_an_attempt_the_page_says_what_must_be_left(ended: Room) -> None:
    """Left over: the next page shows how many stations of each colour should be there, and the game can go on."""
    page = ended.look()

    assert "Should be left on Ringworld" in page.text
    for colour, count in under(ended).items():
        assert (f'aria-label="{count} {colour}"' in page.html) is bool(count)
    assert page.find("Exchange cards")


def test_one_tap_agrees(ended: Room) -> None:
    """After the table has agreed, the strip about left-over stations disappears."""
    ended.look()
    ended.tap("That's right")

    assert ended.taps == 1
    assert ended.snapshot.left_over is None
    assert "Should be left" not in ended.page.text


def test_a_count_is_tapped_colour_by_colour(ended: Room) -> None:
    """Left over: plus and minus start from the expected counts; the counted values are in the URL."""
    must = under(ended)
    ended.look()
    ended.tap("Recount", "Ben: one more", "Ben: one more", "Cem: one less" if must["green"] else "Cem: one more")

    assert "Doesn't match." in ended.page.text
    assert ended.taps == 4
    ended.tap("Save this count")
    left = ended.snapshot.left_over
    assert left is not None
    assert left.counted is not None
    assert left.counted["blue"] == must["blue"] + 2


def test_a_count_that_is_right_after_all_agrees(ended: Room) -> None:
    """Left over: no count is called correct before a change; if it matches again, the page offers to agree."""
    ended.look()
    ended.tap("Recount")
    assert "All correct." not in ended.page.text
    ended.tap("Ben: one more", "Ben: one less")

    assert "All correct." in ended.page.text
    ended.tap("That's right")
    assert ended.snapshot.left_over is None


def counted(room: Room, **more: int) -> Page:
    must = under(room)
    left = room.snapshot.left_over
    assert left is not None
    room.table.execute(Inventory(left.id, {colour: must[colour] + more.get(colour, 0) for colour in must}), HOST)
    return room.look("/table/left")


def test_a_difference_is_asked_about_and_mended_by_one_tap(ended: Room) -> None:
    """Mismatch: one blue too many and one yellow missing means yellow came out; one tap corrects the draw."""
    page = counted(ended, blue=1, yellow=-1)

    assert "One blue station too many, one yellow missing." in page.text
    ended.tap("Yes, it was yellow")
    assert {"do": "draw", "colour": "yellow"} in [line.line for line in ended.snapshot.recent]
    assert ended.snapshot.left_over is None


def test_a_difference_may_be_left(ended: Room) -> None:
    """Mismatch: "Leave it" hides the strip while the game goes on; the menu still links to it."""
    counted(ended, blue=1)
    assert "What happened?" in ended.look().text
    ended.look("/table/left")
    ended.tap("Leave it")

    assert "is off" not in ended.look().text
    assert "What's on" in ended.look("/table/menu").text


def test_counting_again_begins_at_what_was_counted(ended: Room) -> None:
    """Mismatch: counting again starts from the first count."""
    counted(ended, blue=1)
    ended.tap("Recount")
    blue = next(pile for pile in ended.scene("left", again="1")["piles"] if pile.face.name == "Ben")

    assert (blue.count, blue.must) == (under(ended)["blue"] + 1, under(ended)["blue"])


def test_a_page_that_is_too_late_leads_back(ended: Room) -> None:
    """After the table has agreed, the mismatch page is gone, and an outdated button is refused with a reason."""
    left = ended.snapshot.left_over
    assert left is not None
    page = ended.look()
    old = page.find("That's right")
    ended.tap("That's right")

    assert "What can Ana do?" in ended.look("/table/left").text
    assert old.fields is not None
    answer = ended.client.post(old.address, data=old.fields, follow_redirects=True)
    assert "moved on" in answer.get_data(as_text=True)


@pytest.mark.parametrize("stations", ["", "[]", "{", '{"blue":-1}', '{"pink":1}', '{"red":true}'])
def test_a_count_that_is_none_is_refused(ended: Room, stations: str) -> None:
    """Mismatch: a form with an invalid value is refused, and no count is stored."""
    page = ended.look("/table/left?blue=9")
    send = page.find("Save this count")
    assert send.fields is not None
    answer = ended.client.post(send.address, data={**send.fields, "stations": stations}, follow_redirects=True)

    assert "refusal" in answer.get_data(as_text=True)
    assert ended.snapshot.left_over is not None
    assert ended.snapshot.left_over.counted is None


def test_who_only_watches_sees_what_must_be_left(ended: Room) -> None:
    """Left over: a visitor can read the page, but its button is disabled."""
    page = Page(ended.app.test_client().get("/table/left").get_data(as_text=True))

    assert "What's on Ringworld?" in page.text
    assert page.rests("That's right")
