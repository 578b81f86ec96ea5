"""Set-up: players, species, tiles, technologies, and the pieces before the first roll."""

from __future__ import annotations

import pytest

from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.records import Replay
from tests.companion.games.wreck.evening import CROSS, SPECIES, TECHNOLOGIES, Evening, header


def test_researchers_begin_where_the_species_says():
    """Set-up: the species card sets how many researchers are aboard and trained; the others are in the supply."""
    red = Evening().view["players"]["red"]

    assert (red["aboard"], red["species"], red["supply"]) == (3, 4, 9)
    assert Evening().room("airlock")["researchers"] == {"red": 3, "blue": 3}


def test_everybody_begins_with_a_teleporter_in_the_airlock():
    """Set-up: each player has one of three teleporters in the airlock."""
    assert Evening(3).room("airlock")["teleporters"] == {"red": 1, "blue": 1, "green": 1}
    assert Evening(3).view["players"]["green"]["teleporters"] == 2


@pytest.mark.parametrize(("players", "dice", "pile", "kp"), [(2, 7, 21, 8), (3, 10, 20, 7), (4, 13, 19, 6)])
def test_dice_missions_and_threshold_go_by_the_players(players, dice, pile, kp):
    """Set-up: there are 7, 10 or 13 dice, 23 personal missions less one per player, and the end is at 8, 7 or 6 KP."""
    evening = Evening(players)

    assert evening.view["personal_pile"] == pile
    assert evening.view["threshold"] == kp
    assert sum(evening.rolled().view["pool"].values()) == dice


def test_vaccine_markers_come_with_the_vaccine():
    """Set-up: there are ten vaccine markers if Vaccine is among the technologies, otherwise none."""
    without = [*TECHNOLOGIES[:1], {"id": "t2", "name": ""}, *TECHNOLOGIES[2:]]

    assert Evening().view["vaccine_supply"] == 10
    assert Evening(technologies=without).view["vaccine_supply"] == 0


def test_a_general_mission_is_opened_first():
    """Set-up: the first general mission must be opened before the roll, and only once."""
    evening = Evening()

    assert "mission" in evening.refused("roll", player="red", dice=["move"] * 7)
    assert evening.do("open", card=None).view["general"] == [{"id": "g1", "card": None}]
    assert "once" in evening.refused("open", card=None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": header()["players"][:1]}, "2 to 4 players"),
        ({"players": header()["players"][:1] * 2}, "their own colour"),
        ({"first": "green"}, "first"),
        ({"first": None}, "first"),
        ({"layout": CROSS[:6]}, "layout must have 7 tiles, not 6"),
        ({"layout": [*CROSS[:6], [5, 5]]}, "every tile needs a side"),
        ({"layout": [*CROSS[:6], [0, 0]]}, "two tiles on one cell"),
        ({"layout": [*CROSS[:6], [0, 21]]}, "layout[6]"),
        ({"layout": [*CROSS[:6], [0, 2.0]]}, "layout[6]"),
        ({"layout": [*CROSS[:6], [0]]}, "layout[6]"),
        ({"technologies": TECHNOLOGIES[:3]}, "4 different"),
        ({"technologies": [*TECHNOLOGIES[:3], TECHNOLOGIES[0]]}, "4 different"),
        ({"technologies": [{"id": id, "name": ""} for id in "abcd"]}, "the teleporter is missing"),
        ({"technologies": [*TECHNOLOGIES[:3], {"id": "", "name": ""}]}, "technologies[3].id"),
        ({"options": {"engine_room": "never"}}, "options.engine_room"),
        ({"options": {"engine": "once"}}, "options.engine"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_header_is_refused(change, fault):
    """Set-up: an invalid header is refused with a message that names the field and the reason."""
    with pytest.raises(Malformed) as found:
        Replay(GAMES, header() | change)

    assert fault in found.value.reason


@pytest.mark.parametrize(
    "species",
    [
        {**SPECIES, "aboard": 13},
        {**SPECIES, "trained": -1},
        {**SPECIES, "place": {"name": "", "per_kp": 0}},
        {**SPECIES, "place": None},
        {"name": "x", "aboard": 1},
        None,
    ],
)
def test_a_wrong_species_is_refused(species):
    """Set-up: an invalid species is refused."""
    players = [{"colour": "red", "name": "Ana", "species": species}, *header()["players"][1:]]

    with pytest.raises(Malformed):
        Replay(GAMES, header() | {"players": players})


def test_a_species_may_have_a_place_of_its_own():
    """Set-up: a species' own place gives a KP per given number of researchers, rounded down."""
    evening = Evening.with_a_place()
    moved = {"what": "researchers", "colour": "red", "from": "supply", "to": "place", "count": 5}

    kp = evening.in_turns().effect(moved).view["players"]["red"]["kp"]
    assert (kp["cards"], kp["total"] - kp["rooms"]) == (2, 2)


@pytest.mark.parametrize(("players", "most"), [(2, 9), (3, 11)])
def test_a_table_may_lay_other_tiles(players, most):
    """Ruling `tiles`, `free`: from two tiles up to the number of rooms can be laid."""
    row = [[x, 0] for x in range(12)]

    assert len(Evening(players, {"tiles": "free"}, layout=row[:most]).view["rooms"]) == most
    with pytest.raises(Malformed):
        Evening(players, {"tiles": "free"}, layout=row[: most + 1])
    with pytest.raises(Malformed):
        Evening(players, {"tiles": "free"}, layout=row[:1])


def test_two_rooms_are_not_for_two():
    """Set-up: with two players, armoury and laboratory are not used."""
    evening = Evening().in_turns().holding("red", move=1)
    line = {"player": "red", "die": "move", "from": "airlock", "cell": [1, 0]}

    assert evening.refused("explore", **line, room="laboratory") == "Laboratory isn't used by 2 players."
    assert evening.do("explore", **line, room="cryo").room("cryo")["researchers"]["red"] == 1
