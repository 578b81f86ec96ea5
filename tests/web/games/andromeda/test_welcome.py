"""The first evening: the set-up steps of a new server, which can be left and resumed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.games.andromeda.room import Page, Room
from tests.web.markup import flat

VALUES = {f"value_p{planet}_{at}": str(4 + (planet + at) % 9) for planet in range(1, 8) for at in range(3)}


class NewHouse(Room):
    """A server that nobody has set up yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, first=False)
        self.be_host((folder / "pin").read_text(encoding="utf-8").split()[0])

    def type_in(self, button: str, **fields: str) -> Page:
        """Fill in the form of the board and press a button."""
        send = self.look("/welcome?step=board").find(button)
        assert send.fields is not None
        answer = self.client.post(send.address, data={**send.fields, **fields}, follow_redirects=True)
        return Page(answer.get_data(as_text=True))


@pytest.fixture
def new_house(tmp_path: Path) -> Iterator[NewHouse]:
    """Open a server that has not been set up."""
    found = NewHouse(tmp_path)
    yield found
    found.table.close()
    found.ledger.close()


def test_the_first_evening_is_one_tap_from_home_and_can_be_skipped(new_house: NewHouse) -> None:
    """Home: a server that is not set up offers the set-up, and also a new game."""
    page = new_house.look("/")

    assert page.find("Set up").address == "/welcome"
    assert page.find("New game").address == "/new"


def test_a_house_that_knows_something_does_not_ask_again(new_house: NewHouse) -> None:
    """Home: after a copy was saved, the start page still links to the set-up."""
    new_house.type_in("Save", **VALUES)
    page = new_house.look("/")

    assert page.find("Set up").address == "/welcome"


@pytest.mark.parametrize(
    ("typed", "says", "field"),
    [
        ({"value_p1_0": "", "value_p3_1": "x"}, "Stripes, centre 2: a number from 1 to 99, not x.", "value_p3_1"),
        ({"value_p1_0": "", "value_p3_1": "77"}, "Really Stripes 77?", "value_p3_1"),
    ],
)
def test_a_wrong_value_is_named_before_a_missing_one(
    new_house: NewHouse, typed: dict[str, str], says: str, field: str
) -> None:
    """Board: the message names the wrong cell, which is marked, rather than an empty row."""
    page = new_house.type_in("Save", **{**VALUES, **typed})

    assert says in page.text
    assert re.search(rf'name="{field}"[^>]*aria-invalid="true" aria-describedby="wrong"', flat(page.html))


def test_whoever_only_watches_reads_whom_to_ask(new_house: NewHouse) -> None:
    """Welcome: a visitor is told who can continue, and sees no form."""
    visitor = new_house.app.test_client()
    page = visitor.get("/welcome").get_data(as_text=True)

    assert "Whoever has the PIN" in page
    assert 'action="/welcome/board"' not in visitor.get("/welcome?step=board").get_data(as_text=True)


def test_the_board_is_typed_in_once(new_house: NewHouse) -> None:
    """Board: the 21 values are saved with the copy, and fill in the next new game."""
    new_house.type_in("Save", **VALUES, keep="Our copy", label_p1="Saturn")
    (copy,) = new_house.table.archive.copies()
    assert copy.board is not None
    row = copy.board["planets"][0]

    assert (copy.name, row["label"], row["centres"]) == ("Our copy", "Saturn", [5, 6, 7])
    assert 'name="value_p1_0" value="5"' in flat(new_house.client.get("/new").get_data(as_text=True))


def test_nothing_is_invented(new_house: NewHouse) -> None:
    """Board: the fields are empty at first, and the page does not contain the example's values."""
    page = new_house.client.get("/welcome?step=board").get_data(as_text=True)

    assert page.count('inputmode="numeric"') == 21
    assert 'name="value_p1_0" value=""' in flat(page)


def test_half_a_board_waits(new_house: NewHouse) -> None:
    """Board: "Later" saves the values entered so far, and the first page says how many there are."""
    page = new_house.type_in("Later", value_p1_0="12", value_p1_1="8", label_p2="Two moons")

    assert "2 values so far" in page.text
    again = new_house.client.get("/welcome?step=board").get_data(as_text=True)
    assert 'name="value_p1_0" value="12"' in flat(again)
    assert 'value="Two moons"' in again
    assert new_house.table.archive.copies() == ()


def test_a_missing_value_is_named_and_loses_nothing(new_house: NewHouse) -> None:
    """Board: if it is saved too early, the page names the missing value and keeps all other values."""
    page = new_house.type_in("Save", **{**VALUES, "value_p3_1": ""})

    assert "Stripes, centre 2 is missing." in page.text
    assert re.search(r'name="value_p3_1"[^>]*aria-describedby="wrong"', flat(page.html))
    assert 'name="value_p7_2" value=' in flat(page.html)
    assert new_house.table.archive.copies() == ()


def test_an_unusual_value_is_asked_again(new_house: NewHouse) -> None:
    """Board: a value outside 4 to 14 needs a confirmation."""
    odd = {**VALUES, "value_p1_0": "17"}
    page = new_house.type_in("Save", **odd)

    assert "4 to 14" in page.text
    assert 'aria-invalid="true"' in page.html
    assert new_house.table.archive.copies() == ()
    new_house.type_in("Save", **odd, sure="on")
    assert new_house.table.archive.copies()[0].board is not None


def test_the_cubes_are_kept_with_the_copy(new_house: NewHouse) -> None:
    """Cubes: the colours in the box are saved, and the board that was entered before is kept."""
    new_house.type_in("Save", **VALUES)
    send = new_house.look("/welcome?step=cubes").find("Save")
    assert send.fields is not None
    fields = {**send.fields, "colour": ["red", "blue", "wood"]}
    answer = new_house.client.post(send.address, data=fields, follow_redirects=True)

    (copy,) = new_house.table.archive.copies()
    assert list(copy.colours) == ["red", "blue", "wood"]
    assert copy.board is not None
    assert answer.status_code == 200


def test_too_few_colours_are_told_kindly(new_house: NewHouse) -> None:
    """Cubes: one colour is not enough; the page says so and is shown again."""
    send = new_house.look("/welcome?step=cubes").find("Save")
    assert send.fields is not None
    answer = new_house.client.post(send.address, data={**send.fields, "colour": "red"}, follow_redirects=True)

    assert "2 to 12 colours" in answer.get_data(as_text=True)


def test_what_is_refused_is_said_in_the_language_of_the_device(new_house: NewHouse) -> None:
    """Welcome: a sentence of the game's rules is translated like any other."""
    send = new_house.look("/welcome?step=cubes").find("Save")
    assert send.fields is not None
    new_house.client.set_cookie("language", "nl")
    answer = new_house.client.post(send.address, data={**send.fields, "colour": "red"}, follow_redirects=True)

    assert "2 tot 12 kleuren" in answer.get_data(as_text=True)


def test_each_step_is_ticked_when_it_is_settled(new_house: NewHouse) -> None:
    """Welcome: one tap on "Use it as it is" completes the step for the ring."""
    new_house.look("/welcome?step=ring")
    new_house.tap("Use it as it is")

    assert "#ic-tick" in new_house.page.html


def test_a_device_remembers_no_more_than_a_cookie_holds(new_house: NewHouse) -> None:
    """Board: over-long text is refused with one sentence, and all other values are kept."""
    page = new_house.type_in("Save", **{**VALUES, "label_p1": "x" * 3000, "keep": "y" * 3000, "more": "z" * 3000})

    assert "up to 16 letters" in page.text
    assert f'name="value_p7_2" value="{VALUES["value_p7_2"]}"' in flat(page.html)
    assert new_house.table.archive.copies() == ()
