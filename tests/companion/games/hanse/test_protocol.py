"""Die Kosmische Hanse through the game interface: who must act, automatic lines, clock, die, ledger events."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from companion.games.hanse import GAME
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.model.game import Seat, Viewer
from tests.companion.games.hanse.stories import states
from tests.companion.games.hanse.voyage import Voyage, sides


def by_itself(voyage, *absent):
    """Return the line that the companion does automatically now."""
    command = GAME.by_itself(voyage.game, frozenset(absent))
    return None if command is None else GAME.line(command)


def test_the_shelf_knows_the_game(voyage):
    """The registry has the game under the name that records use, and seats are in the order of the header."""
    assert GAMES["hanse"] is GAME
    assert GAME.name == "hanse"
    assert GAME.seats(voyage.game) == (Seat("red", "Ana"), Seat("blue", "Ben"))


def test_it_asks_for_nothing_that_it_has_no_use_for():
    """The game uses no ring, no reveal and no board."""
    assert GAME.ring is GAME.reveal is GAME.board is None


def test_nothing_is_hidden(voyage):
    """Everybody sees the same state, because hands are not in the record."""
    assert GAME.view(voyage.game, Viewer("red")) == GAME.view(voyage.game, Viewer(owner=True))


def test_whose_act_a_line_is(voyage):
    """The player that a line names is its actor; goods, corrections and undo belong to no player."""
    assert GAME.actor(voyage.game, {"do": "fly", "player": "red", "to": "p1"}) == "red"
    for do in ("goods", "correct", "undo"):
        assert GAME.actor(voyage.game, {"do": do, "player": "red"}) is None
    assert GAME.actor(voyage.game, {"do": "fly", "player": 5}) is None


# The die


def test_the_die_is_cast_by_the_companion(voyage):
    """A roll without dice gets random ones, with another die after each 1, and is legal."""
    lots = Random(3)
    rolls = [GAME.cast_lots(voyage.game, {"do": "roll", "player": "red"}, lots)["dice"] for _ in range(600)]

    assert all(set(dice[:-1]) <= {1} and dice[-1] > 1 for dice in rolls)
    assert 60 < sum(len(dice) > 1 for dice in rolls) < 140
    assert voyage.do("roll", player="red", dice=rolls[0])


def test_what_is_rolled_is_not_cast_again(voyage):
    """A roll with given dice is not changed, and neither are other lines."""
    for line in ({"do": "roll", "dice": [3]}, {"do": "fly"}, {}):
        assert GAME.cast_lots(voyage.game, line, Random(1)) == line


# Automatic lines


def test_a_card_that_nobody_can_neutralise_is_allowed(voyage):
    """A card that the opponent cannot neutralise is allowed automatically."""
    voyage("red", "intervene", card="agent")
    assert by_itself(voyage) is None

    voyage("blue", "allow").correct("blue", hand=0)("red", "intervene", card="agent")
    assert by_itself(voyage) == {"do": "allow", "player": "blue"}


def test_an_empty_seat_does_the_idlest_thing():
    """For an absent player the companion moves first, names a planet, allows, and ends turns."""
    voyage = Voyage()
    assert by_itself(voyage, "red") is None
    assert by_itself(voyage.set_out(), "red") == {"do": "choose", "player": "red", "take": "first"}
    assert by_itself(voyage("red", "choose", take="first"), "blue") == {"do": "start", "player": "blue", "planet": "p3"}
    assert by_itself(voyage("blue", "start", planet="p3"), "red") == {"do": "end_turn", "player": "red"}
    assert by_itself(voyage("red", "intervene", card="agent"), "blue") == {"do": "allow", "player": "blue"}


def test_what_is_turned_over_is_left_to_the_table(voyage):
    """An absent player's goods are not turned over automatically, since nobody knows their backs."""
    voyage.bare("p1").carrying("p32")("red", "unload", container=0)

    assert by_itself(voyage, "red") is None


# Steps for the clock


def test_each_part_of_a_game_has_its_step(voyage):
    """A turn is one step of the clock, an answer is another, and the next turn is a new one."""
    first = GAME.step(voyage.game)
    assert (first.name, first.seats) == ("turn", ("red",))
    assert GAME.step(voyage.rolled(3).fly("o3").game) == first

    asked = GAME.step(voyage("red", "intervene", card="agent").game)
    assert (asked.name, asked.seats) == ("answer", ("blue",))
    assert GAME.step(voyage("blue", "allow")("red", "end_turn").game).seats == ("blue",)


def test_steps_before_and_after(voyage):
    """While goods are set out, the step has no seats; after the game ends, there is no step."""
    assert GAME.step(Voyage().game).seats == ()
    assert GAME.step(Voyage().set_out().game).name == "choice"
    assert GAME.step(voyage.correct(megagalax=70).game) is None


def test_every_step_may_have_a_limit():
    """Each step in which a player thinks can have a time limit."""
    assert set(GAME.pace.limits) == {"choice", "planet", "turn", "flip", "answer"}


# Terminals


def test_a_terminal_is_told_how_it_stands(voyage):
    """A terminal shows the turn, each player's Megagalax, cards and ship, and who must act."""
    assert GAME.standing(voyage.at("g3").game) == (
        "Die Kosmische Hanse, turn 1, turn",
        "  Ana (red): 0 Megagalax, 1 technology cards, ship: between Vinau II and Taghellia",
        "  Ben (blue): 0 Megagalax, 1 technology cards, ship: Vinau II",
        "Waiting for Ana",
    )


# Events for the ledger


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"event": "Unheard"},
        {"event": "Flown"},
        {"event": "Flown", "player": "red", "to": "p1", "energy": 4, "more": 1},
        {"event": "Flown", "player": "green", "to": "p1", "energy": 4},
        {"event": "Flown", "player": "red", "to": "p9", "energy": 4},
        {"event": "Flipped", "player": "red", "cards": [], "leave": []},
        {"event": "Unloaded", "player": "red", "planet": "p1", "container": 0, "gained": 4},
        {"event": "Loaded", "player": "red", "planet": "p1", "to": "p2", "container": 2},
        {"event": "Intervened", "player": "red", "card": "agent", "choices": {"planet": "p1", "to": "p2"}},
        {"event": "Intervened", "player": "red", "card": "inner_loading", "choices": {}},
        {"event": "ContentsExchanged", "player": "red", "mine": 0, "theirs": 1},
        {"event": "Corrected", "player": "red", "what": {}},
        {"event": "Corrected", "player": "red", "what": {"hand": 3, "place": "p1"}},
        {"event": "Corrected", "player": "red", "what": {"container": {"index": 2, "cards": []}}},
        {"event": "TurnEnded", "player": "red", "discard": [5], "drawn": 0},
    ],
)
def test_unknown_events_are_refused(voyage, line):
    """An event that `pack` cannot have written is refused."""
    with pytest.raises(Malformed):
        GAME.unpack(line, voyage.game)


def test_a_turn_needs_ships():
    """An event of a turn is refused before the ships are placed."""
    for line in (
        {"event": "TurnBegan", "player": "red", "price": 1},
        {"event": "Granted", "player": "red", "what": "action"},
    ):
        with pytest.raises(Malformed):
            GAME.unpack(line, Voyage().game)


@pytest.mark.parametrize("seed", range(2))
def test_whatever_a_row_holds_can_be_folded(seed):
    """An event that `unpack` accepts in another state leads to a state that can be shown."""
    lots = Random(seed)
    told = list(states(seed, 120))
    rows = [GAME.pack(event) for state, command in told for event in GAME.decide(state, command)]
    for state, _ in lots.sample(told, 25):
        for row in lots.sample(rows, 25):
            try:
                event = GAME.unpack(row, state)
            except Malformed:
                continue
            assert GAME.view(GAME.evolve(state, event), Viewer())


def test_known_sides_are_offered(voyage):
    """If all backs are known, the flip is offered as a choice."""
    voyage.bare("p1").carrying("p32<p63 p32<p62")("red", "unload", container=0)

    (flip,) = GAME.choices(voyage.game, "red")
    assert GAME.line(flip) == {"do": "flip", "player": "red", "cards": sides("p63 p62"), "leave": [0, 1]}


def test_states_are_values(voyage):
    """States with the same content are equal."""
    assert dataclasses.replace(voyage.game) == Voyage().begun().game
