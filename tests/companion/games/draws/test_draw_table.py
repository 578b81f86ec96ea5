"""The rules of an open draw table: which cubes can come out, where they go, and what is refused."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.autoplay.simulate import simulate
from companion.games.draws import GAME
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed, Refused
from companion.records import RecordError, replay

PLAYERS = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
HEADER = {"players": PLAYERS, "contents": {"red": 2, "blue": 3}}


def after(*lines, **header):
    """Return the table after *lines*."""
    state = GAME.start({**HEADER, **header})
    for line in lines:
        for event in GAME.decide(state, GAME.parse(line)):
            state = GAME.evolve(state, event)
    return state


def refused(state, line):
    """Return the sentence with which the table refuses *line*."""
    with pytest.raises(Refused) as refusal:
        GAME.decide(state, GAME.parse(line))
    return str(refusal.value.reason)


def draw(colour, **more):
    """Return the line that draws one cube."""
    return {"do": "draw", "colour": colour, **more}


# Lines


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ((), draw("green"), "There's no green cube inside."),
        ((), {"do": "draw", "cubes": {"red": 3}}, "Inside: red, only 2."),
        ((), draw("red", player="green"), "Nobody at this table plays green."),
        ((), {"do": "return"}, "Everything is back inside."),
        ((), {"do": "return", "player": "red"}, "Ana has nothing to put back."),
        ((draw("red"),), {"do": "return", "cubes": {"red": 2}}, "Drawn and not back: red, only 1."),
        (({"do": "throw", "cubes": {"red": 1}},), {"do": "out", "cubes": {"red": 2}}, "In the tower: red, only 1."),
        ((), {"do": "put", "cubes": {"red": 998}}, "Up to 999 cubes of a colour."),
        ((), {"do": "put", "cubes": {f"c{n}": 1 for n in range(11)}}, "Up to 12 colours fit on one table."),
        ((), {"do": "take"}, "The ring is there already."),
        ((), {"do": "correct", "reason": " ", "inside": {"red": 1}}, "Say what changes, and why."),
        ((), {"do": "correct", "reason": "so", "inside": {"red": 2}}, "That's what is counted already."),
        (({"do": "finish"},), draw("red"), "This table is closed. Undo to go on."),
    ],
)
def test_what_cannot_be_is_refused(lines, line, reason):
    """Rules: a cube can come out only if it is inside, and go back only if it is out; refusals say so."""
    assert refused(after(*lines), line) == reason


@pytest.mark.parametrize(
    "line",
    [
        {"do": "draw"},
        {"do": "draw", "colour": ""},
        {"do": "draw", "cubes": {}},
        {"do": "draw", "cubes": {"red": 0}},
        {"do": "draw", "cubes": {"red": True}},
        {"do": "draw", "colour": "red", "cubes": {"red": 1}},
        {"do": "put", "cubes": {f"c{n}": 1 for n in range(13)}},
        {"do": "correct", "reason": "so"},
        {"do": "correct", "reason": "so", "inside": {}, "tower": {}},
        {"do": "swap"},
    ],
)
def test_what_cannot_be_meant_is_malformed(line):
    """Lines: missing, extra or invalid fields raise Malformed."""
    with pytest.raises(Malformed):
        GAME.parse(line)


@pytest.mark.parametrize(
    "header",
    [
        {"players": PLAYERS},
        {"players": [*PLAYERS, PLAYERS[0]], "contents": {}},
        {"players": [{"colour": f"c{n}", "name": "Ana"} for n in range(9)], "contents": {}},
        {"players": [], "contents": {f"c{n}": 1 for n in range(13)}},
        {"players": [], "contents": {f"c{n}": 1 for n in range(12)}, "tower": {"red": 1}},
        {"players": [], "contents": {"red": 1000}},
        {"players": [], "contents": {}, "first": "red"},
    ],
)
def test_a_header_is_for_up_to_eight_and_twelve(header):
    """Header: more than 8 players, repeated colours, more than 12 colours or more than 999 cubes are refused."""
    with pytest.raises(Malformed):
        GAME.start(header)


def test_a_line_reads_back():
    """Lines: each command is written as a line and read back as the same command; one cube is written as its colour."""
    lots = Random(5)
    for seed in range(4):
        played = simulate(GAME, GAME.random_play, 3, Random(seed), lambda: 0.0, True)
        assert [GAME.line(GAME.parse(line)) for line in played.record[1:]] == list(played.record[1:])

    assert GAME.line(GAME.parse({"do": "draw", "cubes": {"red": 1}})) == draw("red")
    assert GAME.cast_lots(after(), {"do": "draw"}, lots)["colour"] in HEADER["contents"]


# The drawing player, and where cubes go


def test_whoever_has_the_ring_draws():
    """Draws: a draw without a player counts for the player who has the ring, or for the table if nobody has it."""
    state = after(draw("red"), {"do": "take", "player": "blue"}, draw("blue"), draw("red", player="red"))

    assert {seat: dict(counts) for seat, counts in state.holds.items()} == {
        "": {"red": 1},
        "blue": {"blue": 1},
        "red": {"red": 1},
    }


def test_a_tower_lets_go_of_what_was_thrown_before():
    """Tower: cubes that come out may be from earlier throws, and each throw records the cubes still stuck after it."""
    state = after({"do": "throw", "cubes": {"red": 3}}, {"do": "throw", "cubes": {"blue": 1}})
    state = GAME.evolve(state, GAME.decide(state, GAME.parse({"do": "out", "cubes": {"red": 2, "blue": 1}}))[0])

    assert [dict(fall.stuck) for fall in state.falls] == [{"red": 3, "blue": 0}, {"red": 1, "blue": 0}]
    assert dict(state.falls[-1].out) == {"red": 2, "blue": 1}


# The game interface


def test_the_registry_has_it():
    """The registry has the game under the name that records use, and the game has no optional parts."""
    assert GAMES["draws"] is GAME
    assert (GAME.reveal, GAME.step(after()), GAME.pace.limits) == (None, None, {})
    assert GAME.by_itself(after(), frozenset({"red"})) is None


def test_the_ring_is_wanted_while_something_is_inside():
    """Ring: any cube inside can be drawn, and two at once both count; an empty or closed table asks for no draw."""
    wanted = GAME.ring.wanted(after({"do": "take", "player": "red"}))

    assert (wanted.seat, dict(wanted.under), wanted.left) == ("red", {"red": 2, "blue": 3}, 5)
    assert GAME.ring.wanted(after({"do": "finish"})) is None
    assert GAME.ring.wanted(after(contents={"red": 0})) is None
    assert GAME.ring.two_out(after(), ("red", "red")) == {"do": "draw", "cubes": {"red": 2}}
    assert GAME.ring.out({"do": "draw", "cubes": {"red": 2, "blue": 1}}) == ("red", "red", "blue")
    assert GAME.ring.out({"do": "put", "cubes": {"red": 2}}) == ()
    assert (GAME.ring.stations(after(), "ring"), GAME.ring.redrawn(after(), "", "ring", "red", "")) == ({}, ())


def test_a_phone_acts_for_its_own_seat():
    """A draw belongs to the player it names, otherwise to the player with the ring; other lines belong to nobody."""
    state = after({"do": "take", "player": "blue"})

    assert GAME.actor(state, draw("red")) == "blue"
    assert GAME.actor(state, draw("red", player="red")) == "red"
    assert GAME.actor(after(), draw("red")) is None
    assert GAME.actor(state, {"do": "finish"}) is None
    assert GAME.waited_for(state) == ("red", "blue")


def test_a_button_takes_the_ring():
    """Console: a player's own button gives them the ring, and does nothing if they have it."""
    state = after({"do": "take", "player": "blue"})

    assert GAME.console.by_button(state, "red") == {"do": "take", "player": "red"}
    assert GAME.console.by_button(state, "blue") is None
    assert GAME.console.by_button(state, None) is None


def test_an_event_reads_back():
    """Ledger: packed events are unpacked to the same events, and an event about cubes that are not there is refused."""
    played = simulate(GAME, GAME.random_play, 4, Random(7), lambda: 0.0, True)
    state = GAME.start(played.record[0])
    for line in played.record[1:]:
        for event in GAME.decide(state, GAME.parse(line)):
            assert GAME.unpack(json.loads(json.dumps(GAME.pack(event))), state) == event
            state = GAME.evolve(state, event)

    with pytest.raises(Malformed):
        GAME.unpack({"event": "Drawn", "player": "", "cubes": {"red": 9}, "back": False}, after())


@pytest.mark.parametrize("players", [0, 1, 8])
def test_random_tables_break_nothing(players):
    """Simulation: random tables reach their end without broken counts, and their records replay."""
    for seed in range(4):
        played = simulate(GAME, GAME.random_play, players, Random(seed), lambda: 0.0, True)

        assert played.broken == ()
        assert replay({"draws": GAME}, enumerate(played.record, 1)).state.finished


def test_a_fault_names_its_line():
    """Records: an error names the first impossible line and its command."""
    header = {"record": "table-record", "version": 1, "game": "draws", **HEADER}

    with pytest.raises(RecordError) as fault:
        replay({"draws": GAME}, enumerate([header, draw("red"), draw("green")], 1))
    assert (fault.value.line, fault.value.do) == (3, "draw")


def test_it_tells_how_it_stands_and_ends():
    """A terminal shows the cubes inside, each player's draws and the cubes stuck in the tower; nobody wins."""
    state = after(draw("red", player="red"), {"do": "throw", "cubes": {"blue": 2}}, {"do": "finish"})

    assert GAME.standing(state) == (
        "Open draw table, 1 draws",
        "  inside: 1 red, 3 blue",
        "  Ana (red): drew 1 red; holds 1 red",
        "  Ben (blue): drew nothing; holds nothing",
        "  stuck in the tower: 2 blue",
        "Closed after 1 draw.",
    )
    assert GAME.result(state).winners == ()


def test_what_happens_is_said():
    """Speech announces who has the ring, each draw, cubes put back, and cubes thrown into and out of the tower."""
    state = after()
    lines = (
        {"do": "take", "player": "red"},
        draw("blue"),
        {"do": "draw", "cubes": {"red": 2, "blue": 1}, "player": "blue"},
        {"do": "return"},
        {"do": "put", "cubes": {"red": 1}},
        {"do": "throw", "cubes": {"red": 2}},
        {"do": "out", "cubes": {"red": 1}},
        {"do": "take"},
        draw("red"),
        {"do": "put", "cubes": {"wood": 1}},
        draw("wood"),
    )
    told = []
    for line in lines:
        for event in GAME.decide(state, GAME.parse(line)):
            told += [str(one.text) for one in GAME.speech.uttered(state, event)]
            state = GAME.evolve(state, event)

    assert told == [
        "Ana has the ring.",
        "Ana draws blue.",
        "Ben draws 2 red and 1 blue.",
        "1 cube goes back in.",
        "3 cubes go back in.",
        "1 cube goes in.",
        "Into the tower: 2 red.",
        "Out of the tower: 1 red.",
        "Drawn: red.",
        "1 cube goes in.",
        "Drawn: bare wood.",
    ]
    assert GAME.speech.turn(after()) is None
    assert str(GAME.speech.turn(after({"do": "take", "player": "red"})).text) == "Ana draws."
