"""The header of a record: players, rulings and board."""

from __future__ import annotations

import pytest

from companion.games.andromeda import EXAMPLE, Options, board_json
from companion.games.registry import GAMES
from tests.companion.records.run_record import HEADER, fault_of, header, replayed, written

SHELF = ", ".join(GAMES)
BOARD = {"planets": [{"id": f"p{n}", "label": f"Planet {n}", "centres": [4, 9, 14]} for n in range(1, 8)]}


def fault_in(value):
    """Return why a header is refused, after checking that the error is on line 1 and names no command."""
    fault = fault_of(written(value, {"do": "deal"}))
    assert (fault.line, fault.do) == (1, None)
    return fault.reason


def board(**changes):
    """Return a header with changed fields of its first planet; None removes a field."""
    first = {name: value for name, value in {**BOARD["planets"][0], **changes}.items() if value is not None}
    return header(board={"planets": [first, *BOARD["planets"][1:]]})


def test_a_header_alone_is_a_record():
    """Header: a record with only a header is a game before its set-up."""
    assert replayed(written(HEADER)).state.phase == "setup"


def test_what_may_be_left_out():
    """Header: options, board and seed are optional; the defaults are the usual rulings and the example board."""
    state = replayed(written(header(options=None))).state

    assert state.options == Options()
    assert state.setting.board == EXAMPLE


@pytest.mark.parametrize("name", ["record", "version", "game", "players", "first"])
def test_what_may_not_be_left_out(name):
    """Header: all other fields are required."""
    assert fault_in(header(**{name: None})) == f"{name} is missing"


def test_a_header_may_carry_an_envelope_and_a_seed():
    """Header: `at`, `via`, `note` and `seed` change nothing."""
    noted = header(at=0, via="import", note="a windy evening", seed=7)

    assert replayed(written(noted)).state == replayed(written(HEADER)).state


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"record": "PGN"}, "record must be one of table-record, not 'PGN'"),
        ({"record": 1}, "record must be one of table-record, not 1"),
        ({"version": 2}, "version: this record has version 2; the newest known here is 1"),
        ({"version": 0}, "version must be 1 or more, not 0"),
        ({"version": 1.0}, "version must be a whole number, not 1.0"),
        ({"version": True}, "version must be a whole number, not true"),
        ({"version": "1"}, "version must be a whole number, not '1'"),
        ({"game": "chess"}, f"game: this version knows no game 'chess' (only {SHELF})"),
        ({"game": 3}, "game must be text, not 3"),
        ({"game": "x" * 999}, "game: this version knows no game '" + "x" * 39 + f"…' (only {SHELF})"),
        ({"first": "yellow"}, "first must be one of red, blue, green, not 'yellow'"),
        ({"first": 1}, "first must be one of red, blue, green, not 1"),
        ({"players": {}}, "players must be a list, not an object"),
        ({"players": []}, "players: Andromeda is for 3 to 5 players, not 0"),
        ({"players": ["red", "blue", "green"]}, "players[0] must be an object, not 'red'"),
        ({"options": []}, "options must be an object, not a list"),
        ({"options": {"x": 1}}, "options.x isn't a field here"),
        ({"board": {}}, "board.planets is missing"),
        ({"board": []}, "board must be an object, not a list"),
        ({"board": {"planets": []}}, "board: missing planets: p1, p2, p3, p4, p5, p6, p7"),
        ({"board": {**BOARD, "name": "mine"}}, "board.name isn't a field here"),
        ({"seed": "seven"}, "seed must be a whole number, not 'seven'"),
        ({"at": -1}, "at must be 0 to 9007199254740991, not -1"),
        ({"via": "pigeon"}, None),
        ({"note": 5}, "note must be text, not 5"),
        ({"weather": "fine"}, "weather isn't a field here"),
        ({"do": "deal"}, "do isn't a field here"),
    ],
)
def test_wrong_headers(changes, reason):
    """Header: an invalid field is refused with its reason."""
    said = fault_in(header(**changes))

    assert reason is None or said == reason


def seats(*colours, **more):
    return [{"colour": colour, "name": colour.title(), **more} for colour in colours]


@pytest.mark.parametrize("number", [1, 2, 6])
def test_three_to_five_players(number):
    """Header: any number of players other than three to five is refused."""
    colours = ["red", "blue", "green", "yellow", "black", "white"][:number]

    assert fault_in(header(players=seats(*colours))) == f"players: Andromeda is for 3 to 5 players, not {number}"


def test_colours_are_any_names_all_different():
    """Header: colours may have any names, but must differ."""
    assert replayed(written(header(players=seats("räd", "Blau 2", "緑"), first="緑"))).state.starter == "緑"
    assert "their own colour" in fault_in(header(players=seats("red", "blue", "red")))


@pytest.mark.parametrize(
    "seat", [{"colour": "red"}, {"name": "Ana"}, {"colour": "", "name": "Ana"}, {"colour": "red", "name": 5}]
)
def test_a_player_has_a_colour_and_a_name(seat):
    """Header: every player needs a colour and a name, both strings."""
    assert fault_in(header(players=[seat, *HEADER["players"][1:]])).startswith("players[0]")


def test_a_player_has_nothing_else():
    """Header: other fields of a player are refused."""
    reason = fault_in(header(players=seats("red", "blue", "green", age=40)))

    assert reason == "players[0].age isn't a field here"


def test_a_board_of_ones_own():
    """Header: a board may have other values; symbol and colour are optional."""
    state = replayed(written(board(symbol="star", colour="#abc"))).state

    planet = state.setting.board.planets[0]
    assert (planet.label, planet.centres, planet.symbol, planet.colour) == ("Planet 1", (4, 9, 14), "star", "#abc")
    assert not state.setting.board.example


def test_the_example_stays_an_example():
    """Header: a board with the example values is marked as the example, whatever its labels."""
    invented = board_json(EXAMPLE)["planets"]
    labelled = [{**planet, "label": "Mine"} for planet in invented]

    assert replayed(written(header(board={"planets": labelled}))).state.setting.board.example


def test_planets_come_in_any_order():
    """Header: planets are identified by their ids, so their order does not matter."""
    turned = header(board={"planets": BOARD["planets"][::-1]})

    assert replayed(written(turned)).state == replayed(written(header(board=BOARD))).state


@pytest.mark.parametrize("value", [1, 4, 14, 99])
def test_centre_values(value):
    """Header: centres can be worth 1 to 99."""
    assert replayed(written(board(centres=[value] * 3))).state.setting.board.planet("p1").centres == (value,) * 3


@pytest.mark.parametrize("value", [0, 100, -4, 4.0, "4", None, True])
def test_wrong_centre_values(value):
    """Header: other values for centres are refused, and the message names the planet's position."""
    assert fault_in(board(centres=[4, value, 4])).startswith("board.planets[0].centres")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "p8"},
        {"id": "p2"},
        {"id": None},
        {"label": ""},
        {"label": None},
        {"centres": [4, 5]},
        {"centres": [4, 5, 6, 7]},
        {"centres": 4},
        {"symbol": 1},
        {"colour": []},
        {"size": 3},
    ],
)
def test_wrong_planets(changes):
    """Header: a planet is refused unless it has exactly an id, a label and three values."""
    assert fault_in(board(**changes)).startswith("board")
