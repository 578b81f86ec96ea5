"""The end of a game: points by source, how a tie was decided, and luck in plain numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.andromeda.state import Attempt, Phase, State
from companion.model.game import Result
from companion.session.commands import Leave
from companion.speech import narrated
from tests.web.games.andromeda.room import HOST, Room
from web.games.andromeda.history import decided, luck


def ended(room: Room, **players: dict[str, Any]) -> State:
    """Return *room*'s state as if the game were over, with the given *players*; each other player has 1 point."""
    state = room.in_actions().state
    after = {colour: replace(player, **players.get(colour, {"earth": 1})) for colour, player in state.players.items()}
    return replace(state, phase=Phase.FINISHED, turn="", actions_left=0, players=after)


@pytest.mark.parametrize(
    ("red", "blue", "won", "says"),
    [
        ({"technology": 1, "ship": 1}, {"earth": 3, "technology": 3, "ship": 1}, ("blue",), "higher technology wins"),
        ({"technology": 3, "ship": 2, "earth": 3}, {"technology": 3, "ship": 3, "earth": 3}, ("blue",), "bigger ship"),
        ({"technology": 3, "earth": 3}, {"technology": 3, "earth": 3}, ("red", "blue"), "share the win"),
    ],
)
def test_a_tie_is_explained_at_the_level_that_decided_it(
    room: Room, red: dict[str, int], blue: dict[str, int], won: tuple[str, ...], says: str
) -> None:
    """Ties: technology decides, then the ship, then the win is shared; each case has its sentence."""
    state = ended(room, red={"earth": 6, **red}, blue=blue)

    told = decided(state, Result(won))

    assert says in told.words
    assert told.colours[: len(won)] == won
    assert told.lines[0].values[0][0] == told.lines[0].values[1][0] == 6


def test_a_clear_win_needs_no_comparison(room: Room) -> None:
    """Without a tie, no values are compared, and the sentence says how far ahead the winner is."""
    told = decided(ended(room, red={"earth": 9}), Result(("red",)))

    assert (told.colours, told.lines) == ((), ())
    assert told.words.startswith("8 points ahead of Ben, Cem and Dora.")


def test_luck_is_centres_against_the_sum_of_the_odds(room: Room) -> None:
    """Luck: two attempts of 58 % each give 1.2 centres on average; both succeeded."""
    state = ended(room)
    one = Attempt("red", "p1", 3, 1, 6, True, ("blue", "red"), stations=9, own=2, took=9)

    found = luck(replace(state, tried=(one, one)))

    assert found is not None
    assert (found.seats[0].got, found.seats[0].expected, found.seats[0].ahead > 0) == ("2", "1.2", True)
    assert (found.seats[1].got, found.seats[1].expected, found.seats[1].ahead) == ("0", "0.0", 0)


def test_what_chance_alone_does_is_said_beside_it(room: Room) -> None:
    """Luck: a note states the usual spread, so that nobody takes half a centre for more than chance."""
    one = Attempt("red", "p1", 3, 1, 6, True, ("blue", "red"), stations=9, own=2, took=9)

    found = luck(replace(ended(room), tried=(one,)))

    assert found is not None
    assert found.note == "0.1 centres either way is ordinary luck."


def test_the_rules_remember_what_an_attempt_began_with(room: Room) -> None:
    """Attempts: the game stores stations, own stations and draws of an attempt, and the value that was won."""
    room.in_actions().attempt().do("draw", colour="blue").do("draw", colour="red")

    (tried,) = room.state.tried

    assert (tried.player, tried.planet, tried.drawn) == ("red", "p1", ("blue", "red"))
    assert (tried.stations, tried.own, tried.draws, tried.took) == (12, 3, 3, 9)


def test_the_final_page_shows_it_all(room: Room) -> None:
    """Final page: the winner comes first, then points by source, and a link to a new game with the same table."""
    room.in_actions()
    for planet in ("p1", "p2", "p3"):
        for slot, colour in enumerate(("red", "blue", "green")):
            room.do("correct", player=colour, reason="x", move={"from": planet, "to": f"{planet}/{slot}", "count": 1})
    for colour in room.state.colours:
        room.do("end_turn", player=colour)

    page = room.look()

    assert room.state.finished
    assert "Ana wins" in page.text
    for word in ("Centres", "Stations on Earth", "Example values"):
        assert word in page.text
    assert (page.find("Again with the same people").fields or {})["name1"] == "Ana"


def test_who_left_early_is_marked(room: Room) -> None:
    """Leaving: final page, after-game page, list of games and speech name the players who left early."""
    room.in_actions()
    for planet in ("p1", "p2", "p3"):
        for slot, colour in enumerate(("red", "blue", "green")):
            room.do("correct", player=colour, reason="x", move={"from": planet, "to": f"{planet}/{slot}", "count": 1})
    room.table.execute(Leave("yellow"), HOST)
    before = room.table.snapshot.version
    for colour in ("red", "blue", "green"):
        room.do("end_turn", player=colour)
    room.table.archive.summaries.catch_up()

    assert room.state.finished
    game = room.table.snapshot.game_id
    said = [one.text for each in room.table.happened(before) for one in narrated(each)]
    for address in ("/table", f"/games/{game}/after"):
        assert room.look(address).text.count("left early, not rated") == 1
    assert "Dora left early." in room.look("/games").text
    assert "Dora left early." in said
    assert "Leaving early" not in room.look("/table/menu").text
