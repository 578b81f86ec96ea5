"""The wreck through the game interface: clock, who acts, the roll, automatic lines, refused events."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.registry import GAMES
from companion.games.wreck import GAME
from companion.kernel.errors import Malformed
from tests.companion.games.wreck.evening import Evening, header


def by_itself(evening, *absent):
    """Return the line that the companion does automatically now."""
    command = GAME.by_itself(evening.game, frozenset(absent))
    return None if command is None else GAME.line(command)


def test_the_shelf_knows_the_game():
    """The registry has the game under the name that records use, for two to four players."""
    assert GAMES["wreck"] is GAME
    assert GAME.random_play.players == (2, 3, 4)


def test_each_part_of_a_round_has_its_step():
    """The set-up, offer, answer, turn and clean-up each have a step name of their own."""
    evening = Evening()
    names = [GAME.step(evening.game).name]
    names.append(GAME.step(evening.rolled().game).name)
    names.append(GAME.step(evening.do("offer", player="red", dice=["move"]).game).name)
    evening.do("accept", player="blue", die=None)
    names.append(GAME.step(evening.game).name)
    names.append(GAME.step(evening.round_over().game).name)

    assert names == ["setup", "offer", "answer", "turn", "cleanup"]
    assert set(GAME.pace.limits) == {"offer", "answer", "turn", "cleanup"}


def test_a_turn_has_one_clock(evening):
    """Actions and missions of a turn are the same step of the clock, and the next turn is a new one."""
    first = GAME.step(evening.holding("red", training=1).game)
    assert GAME.step(evening.do("train", player="red", die="training", count=1).game) == first

    assert GAME.step(evening.do("end_turn", player="red").game) != first


def test_who_acts(evening):
    """A line belongs to its player, opening a mission to the starting player, and a correction to nobody."""
    assert GAME.actor(evening.game, {"do": "train", "player": "blue"}) == "blue"
    assert GAME.actor(evening.game, {"do": "open"}) == "red"
    assert GAME.actor(evening.game, {"do": "correct", "player": "red"}) is None


def test_the_companion_can_roll():
    """A roll without dice gets random ones, with rerolls as needed; given dice are not changed."""
    evening, lots = Evening(4).do("open", card=None), Random(3)
    seen = set()
    for _ in range(40):
        line = GAME.cast_lots(evening.game, {"do": "roll", "player": "red"}, lots)
        assert GAME.decide(evening.game, GAME.parse(line))
        seen |= {*line["dice"]}

    assert len(seen) == 6
    named = {"do": "roll", "player": "red", "dice": ["move"]}
    assert GAME.cast_lots(evening.game, named, lots) == named


def test_nothing_goes_by_itself_where_there_is_a_choice(evening):
    """For a player who is present, only contamination with nobody aboard is automatic."""
    assert by_itself(evening.holding("red", contamination=1)) is None

    evening.standing("airlock", blue=1)
    assert by_itself(evening) == {"do": "contaminate", "player": "red", "vaccines": 0, "remove": []}


def test_the_absent_do_the_idlest_thing():
    """An absent player declines, takes a forced offer, loses researchers and ends turns, but makes no offers."""
    evening = Evening().rolled((0, 0, 0, 4, 0, 3))
    assert by_itself(evening, "red") is None

    evening.do("offer", player="red", dice=["contamination"])
    assert by_itself(evening, "blue") == {"do": "decline", "player": "blue"}
    evening.do("decline", player="blue")
    assert by_itself(evening, "red") == {"do": "accept", "player": "red", "die": None}

    evening.do("accept", player="red", die=None)
    assert by_itself(evening, "red")["remove"] == ["airlock"]
    assert by_itself(evening.holding("red"), "red") == {"do": "end_turn", "player": "red"}


def test_lines_for_a_terminal_name_everybody():
    """A terminal shows the round, the phase, each player's KP, and who must act."""
    assert GAME.standing(Evening().game) == (
        "The wreck, round 1, setup",
        "  Ana (red): 0 KP (rooms 0, missions 0, cards 0)",
        "  Ben (blue): 0 KP (rooms 0, missions 0, cards 0)",
        "Waiting for Ana",
    )


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"event": "Unheard"},
        {"event": "TurnBegan"},
        {"event": "TurnBegan", "player": "green"},
        {"event": "OfferPassed", "asked": "blue"},
        {"event": "DiceRolled", "number": 8, "dice": [1] * 6},
        {"event": "DiceRolled", "number": 1, "dice": [1] * 5},
        {"event": "RoomOpened", "cell": [0, 0], "room": "cryo"},
        {"event": "RoomOpened", "cell": [1, 0], "room": "airlock"},
        {"event": "ResearchersStepped", "player": "red", "steps": [["airlock", "cryo"]]},
        {"event": "ResearchersStepped", "player": "red", "steps": [["airlock"]]},
        {"event": "ResearchersRemoved", "player": "red", "rooms": [], "place": 1},
        {"event": "MissionOpened", "card": {"name": "x", "kp": 10, "sacrifice": 0}},
    ],
)
def test_unknown_events_are_refused(line):
    """An event that `pack` cannot have written is refused."""
    with pytest.raises(Malformed):
        GAME.unpack(line, GAME.start({name: value for name, value in header().items() if name != "record"}))


@pytest.mark.parametrize(
    "line",
    [
        {"do": "roll", "player": "red", "dice": ["seven"] * 7},
        {"do": "roll", "player": "red", "dice": [], "rerolls": ["move"]},
        {"do": "train", "player": "red", "die": "contamination", "count": 1},
        {"do": "train", "player": "red", "die": "training", "count": 2.0},
        {"do": "technology", "player": "red", "die": "move", "id": "teleporter", "room": None},
        {"do": "technology", "player": "red", "die": "technology", "id": "teleporter", "effects": []},
        {"do": "technology", "player": "red", "die": "technology", "id": "t3", "room": None},
        {"do": "communications", "player": "red"},
        {"do": "communications", "player": "red", "train": 2},
        {"do": "communications", "player": "red", "train": 1, "to": []},
        {"do": "reactor", "player": "red", "swap": [["red", "airlock"]]},
        {"do": "move", "player": "red", "die": "move", "steps": [["airlock"]]},
        {"do": "explore", "player": "red", "die": "move", "from": "airlock", "cell": [1], "room": "cryo"},
        {"do": "fulfil", "player": "red", "mission": "g8", "sacrifice": []},
        {"do": "fulfil", "player": "red", "mission": "g1", "sacrifice": [], "card": None},
        {"do": "open"},
        {"do": "accept", "player": "red"},
        {"do": "correct", "player": "red", "reason": "x", "effects": [{"what": "kp", "colour": "red", "count": 0}]},
        {"do": "correct", "player": "red", "reason": "x", "effects": [{"what": "luck"}]},
        {"do": "end_turn", "player": "red", "more": 1},
    ],
)
def test_wrong_lines_are_refused(line):
    """Records: a line with a wrong, missing or extra field is refused."""
    with pytest.raises(Malformed):
        GAME.parse(line)
