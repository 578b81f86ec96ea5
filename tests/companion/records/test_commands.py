"""Commands in a record: their fields, which of these are optional, and invalid commands."""

from __future__ import annotations

import pytest

from companion.games.andromeda import GAME
from companion.kernel.errors import Malformed
from tests.companion.records.run_record import OPENING, fault_of, replayed, written

SET = {"player": "red", "planet": "p1", "cards": 3}
COMMANDS = [
    {"do": "setup", "player": "red", "cards": {"p1": 6}},
    {"do": "deal"},
    {"do": "transport", "player": "red", "move": "to_planet", "planet": "p1"},
    {"do": "transport", "player": "red", "move": "to_earth", "planet": "p7"},
    {"do": "transport", "player": "red", "move": "pass"},
    {"do": "lay", "player": "red", "card": "p1"},
    {"do": "lay", "player": "red", "card": "gold"},
    {"do": "lay", "player": "red", "card": None},
    {"do": "excuse", "player": "red"},
    {"do": "swap", "player": "red", "with": "blue"},
    {"do": "keep", "player": "red"},
    {"do": "leave", "player": "red"},
    {"do": "take_back", "player": "red"},
    {"do": "end_trading"},
    {"do": "exchange", "player": "red", "cards": 1},
    {"do": "move", **SET, "stations": 1},
    {"do": "move", **SET, "stations": 0, "jokers": ["gold", "gold"], "bonus": False},
    {"do": "establish", **SET},
    {"do": "establish", **SET, "jokers": ["silver"]},
    {"do": "draw", "colour": "red"},
    {"do": "double_exit", "colours": ["red", "blue"], "out": "red"},
    {"do": "double_exit", "colours": ["red", "red"]},
    {"do": "stop_drawing", "player": "red"},
    {"do": "ship", **SET},
    {"do": "technology", **SET, "bonus": False},
    {"do": "end_turn", "player": "red"},
    {"do": "correct", "player": "red", "reason": "r", "move": {"from": "earth", "to": "p1/2", "count": 1}},
    {"do": "correct", "player": "red", "reason": "r", "ship": 4},
    {"do": "correct", "player": "red", "reason": "r", "technology": 1},
    {"do": "correct", "player": "red", "reason": "r", "transport": 0},
    {"do": "correct", "player": "red", "reason": "r", "hand": 11},
    {"do": "correct", "player": "red", "reason": "r", "bonus": {"silver": 6, "diamond": 0}},
]
OPTIONAL = {"jokers", "bonus", "out"}
"""Optional fields (`out` is required under one ruling; a pass needs no planet, which is left out above)."""
WRONG = [None, True, 2.0, -1, "", "p8", "earth", [], {}, ["red"], {"p1": 1.0}, 10**30]


def named(line):
    """Return the id of a line's test case."""
    return "-".join(str(value) for value in line.values() if isinstance(value, str))


@pytest.mark.parametrize("line", COMMANDS, ids=named)
def test_commands_are_read_and_written(line):
    """Each command can be parsed and is written back unchanged."""
    assert GAME.line(GAME.parse(line)) == line


@pytest.mark.parametrize("line", COMMANDS, ids=named)
def test_fields_may_not_be_left_out(line):
    """Commands: a line without a required field is refused."""
    for name in set(line) - OPTIONAL:
        with pytest.raises(Malformed):
            GAME.parse({field: value for field, value in line.items() if field != name})


@pytest.mark.parametrize("line", COMMANDS, ids=named)
def test_unknown_fields_are_refused(line):
    """Commands: an unknown field is refused with a message that names it."""
    with pytest.raises(Malformed, match="weather isn't a field here"):
        GAME.parse({**line, "weather": "fine"})


@pytest.mark.parametrize("line", COMMANDS, ids=named)
def test_wrong_types_are_refused(line):
    """Commands: a value of a wrong type is refused, or is written back unchanged."""
    for name in line:
        for value in WRONG:
            try:
                command = GAME.parse({**line, name: value})
            except Malformed as fault:
                assert fault.reason.isprintable()
            else:
                again = {**line, name: value}
                defaults = {"jokers": [], "bonus": True}
                again = {field: what for field, what in again.items() if defaults.get(field, ...) != what}
                if again.get("move") == "pass":
                    again.pop("planet", None)
                if again["do"] == "setup":
                    again["cards"] = {planet: count for planet, count in again["cards"].items() if count}
                assert GAME.line(command) == again


def test_what_is_left_out_has_its_default():
    """By default, a command has no jokers, and the bonus is taken."""
    spelled = {"do": "ship", **SET, "jokers": [], "bonus": True}

    assert GAME.parse(spelled) == GAME.parse({"do": "ship", **SET})


@pytest.mark.parametrize("planet", [None, "p1", "p7"])
def test_a_pass_goes_nowhere(planet):
    """Commands: a pass's planet is optional and ignored."""
    passing = {"do": "transport", "player": "red", "move": "pass"}

    assert GAME.parse({**passing, "planet": planet}) == GAME.parse(passing)


@pytest.mark.parametrize("do", ["fly", "", "Deal", "deal ", "undo2", None, 3, ["deal"], {}])
def test_unknown_commands_are_refused(do):
    """Commands: an unknown command is refused, and the error contains the command's word if it is a string."""
    fault = fault_of(written(*OPENING[:4], {"do": do}))

    assert fault.line == 5
    assert fault.do == (do if isinstance(do, str) else None)
    assert fault.reason.startswith("do")


def test_a_line_without_a_command_is_refused():
    """Commands: a line without `do` is refused."""
    fault = fault_of(written(*OPENING[:4], {"at": 5}))

    assert (fault.do, fault.reason) == (None, "do is missing")


def test_a_card_is_written_even_if_unnamed():
    """Commands: `card` is required, even if it is null."""
    fault = fault_of(written(*OPENING, {"do": "lay", "player": "blue"}))

    assert (fault.line, fault.do, fault.reason) == (10, "lay", "card is missing")
    assert replayed(written(*OPENING, {"do": "lay", "player": "blue", "card": None})).state.trading.sets["blue"]


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"ship": 1, "technology": 1},
        {"ship": 0},
        {"ship": 5},
        {"technology": 5},
        {"transport": 3},
        {"transport": -1},
        {"hand": -1},
        {"hand": 1000},
        {"bonus": {}},
        {"bonus": {"copper": 1}},
        {"bonus": {"silver": 7}},
        {"bonus": {"silver": True}},
        {"move": {"from": "earth", "to": "p1"}},
        {"move": {"from": "earth", "to": "p1", "count": 0}},
        {"move": {"from": "earth", "to": "p8", "count": 1}},
        {"move": {"from": "p1/3", "to": "earth", "count": 1}},
        {"move": {"from": "Earth", "to": "p1", "count": 1}},
        {"move": {"from": "earth", "to": "p1", "count": 1, "why": ""}},
    ],
)
def test_wrong_corrections(what):
    """Commands: a correction must have exactly one valid change."""
    fault = fault_of(written(*OPENING, {"do": "correct", "player": "red", "reason": "r", **what}))

    assert (fault.line, fault.do) == (10, "correct")


def test_a_correction_has_a_reason():
    """Commands: a correction needs a reason."""
    assert fault_of(written(*OPENING, {"do": "correct", "player": "red", "reason": "", "hand": 9})).do == "correct"


@pytest.mark.parametrize("blank", [" ", "\t \n", "\u00a0\u2003", "\u3000"])
def test_a_reason_of_blanks_is_none(blank):
    """Commands: a reason made only of blanks, of any kind, is refused like a missing one."""
    fault = fault_of(written(*OPENING, {"do": "correct", "player": "red", "reason": blank, "hand": 9}))

    assert (fault.line, fault.do) == (10, "correct")
    assert fault.reason == "Give a reason for the correction."


# The envelope


@pytest.mark.parametrize(
    "extra",
    [
        {"at": 0},
        {"at": 3_600_000},
        *({"via": via} for via in ("tablet", "phone", "ring", "button", "virtual", "companion", "import")),
        {"note": ""},
        {"note": "so it was"},
        {"at": 5, "via": "tablet", "note": "all three"},
    ],
)
def test_every_line_may_carry_an_envelope(extra):
    """Envelope: `at`, `via` and `note` are allowed on any line, and change nothing."""
    noted = [{**line, **extra} for line in OPENING]

    assert replayed(written(*noted)).state == replayed(written(*OPENING)).state


@pytest.mark.parametrize(
    ("extra", "name"),
    [
        ({"at": -1}, "at"),
        ({"at": 1.5}, "at"),
        ({"at": "now"}, "at"),
        ({"at": None}, "at"),
        ({"at": True}, "at"),
        ({"at": 2**53}, "at"),
        ({"via": "pigeon"}, "via"),
        ({"via": None}, "via"),
        ({"note": 1}, "note"),
        ({"note": None}, "note"),
    ],
)
def test_wrong_envelopes_are_refused(extra, name):
    """Envelope: invalid values are refused, both on commands and on undo."""
    for line in ({"do": "deal"}, {"do": "undo"}):
        fault = fault_of(written(*OPENING[:4], {**line, **extra}))
        assert (fault.line, fault.do) == (5, line["do"])
        assert fault.reason.startswith(name)
