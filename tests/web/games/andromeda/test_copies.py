"""Starting a new game from a saved copy of the box, and saving a new copy."""

from __future__ import annotations

from companion.model.boxes import Copy
from tests.web.games.andromeda.room import HOST, Room
from tests.web.markup import flat

FIVE = {colour: colour for colour in ("red", "blue", "green", "yellow", "black")}


def board(room: Room, value: int) -> dict[str, object]:
    """Return the example board with *value* as its first centre."""
    planets = room.state.setting.board.planets
    rows = [{"id": one.id, "label": one.label, "centres": list(one.centres)} for one in planets]
    rows[0] = {**rows[0], "label": "Old", "centres": [value, 5, 4]}
    return {"planets": rows}


def test_a_kept_copy_fills_the_board_in(room: Room) -> None:
    """New game: the copy that was used last is preselected, with its board."""
    room.table.save_copy(Copy("Attic", "andromeda", board(room, 12), FIVE), HOST)

    page = room.look("/new")

    assert 'name="label_p1" value="Old"' in flat(page.html)
    assert 'name="value_p1_0" value="12"' in flat(page.html)
    assert 'name="copy" value="Attic"' in page.html


def test_another_copy_is_one_tap_and_loses_nothing(room: Room) -> None:
    """New game: choosing a copy changes the board and keeps entered values; the URL leaves out the form's token."""
    room.table.save_copy(Copy("Attic", "andromeda", board(room, 12), FIVE), HOST)
    room.table.save_copy(Copy("Cellar", "andromeda", None, FIVE), HOST)

    answer = room.client.get("/new?game=andromeda&name1=Zo%C3%AB&csrf=secret&take=Attic&copy=Cellar&value_p1_0=7")
    address = answer.headers["Location"]
    page = room.look(address)

    assert "secret" not in address
    assert 'value="Zoë"' in page.html
    assert 'name="value_p1_0" value="12"' in flat(page.html)
    assert 'name="copy" value="Attic"' in page.html
    bare = room.look(room.client.get("/new?game=andromeda&take=").headers["Location"])
    assert 'name="copy" value=""' in bare.html


def test_a_game_knows_the_copy_it_is_played_with(room: Room) -> None:
    """New game: the game is started with the copy that is chosen in the form."""
    room.table.save_copy(Copy("Attic", "andromeda", None, FIVE), HOST)
    room.table.save_copy(Copy("Cellar", "andromeda", None, FIVE), HOST)
    room.look("/new?copy=Attic")
    room.tap("Start game")

    assert room.snapshot.copy == "Attic"


def test_a_board_is_kept_under_a_name(room: Room) -> None:
    """New game: a name in the field for copies saves board and cubes for the next time."""
    room.look("/new?keep=Attic&value_p1_0=12")
    room.tap("Start game")
    (kept,) = room.table.archive.copies()

    assert (kept.name, kept.game) == ("Attic", "andromeda")
    assert kept.board is not None
    assert kept.board["planets"][0]["centres"][0] == 12
    assert set(FIVE) <= set(kept.colours)
    assert room.snapshot.copy == "Attic"


def test_a_copy_that_is_not_there_is_refused(room: Room) -> None:
    """New game: an outdated page may name a copy that was deleted; the form is shown again with the reason."""
    before = room.snapshot.game_id
    page = room.look("/new?copy=Nowhere")
    room.tap("Start game")

    assert page.find("Start game")
    assert "no copy called" in room.page.text
    assert room.snapshot.game_id == before
