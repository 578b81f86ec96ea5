"""Andromeda through the game interface: who must act, what the ring draws, what is hidden, what is automatic."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.andromeda import GAME
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.model.game import Seat, Viewer
from tests.companion.games.andromeda.evening import Evening
from tests.companion.games.andromeda.stories import states
from tests.effort import seeds


def by_itself(evening, *absent):
    """Return the line that the companion does automatically now."""
    command = GAME.by_itself(evening.game, frozenset(absent))
    return None if command is None else GAME.line(command)


def test_the_shelf_knows_the_game():
    """The registry has the game under the name that records use."""
    assert GAMES["andromeda"] is GAME
    assert GAME.name == "andromeda"
    assert GAME.rules


def test_seats_are_clockwise(evening):
    """Seats are in the order of the header."""
    assert GAME.seats(evening.game)[:2] == (Seat("red", "Ana"), Seat("blue", "Ben"))


# Draws with the ring


def test_a_draw_is_wanted_in_an_attempt(evening):
    """During an attempt, the game asks for a draw, with the player, the planet, the stations and the draws left."""
    assert GAME.ring.wanted(evening.game) is None

    wanted = GAME.ring.wanted(evening.standing("p3", red=2, blue=1).establish("red", "p3", 4).game)

    assert (wanted.seat, wanted.place, wanted.left) == ("red", "p3", 2)
    assert dict(wanted.under) == {"red": 2, "blue": 1}


def test_what_left_the_ring_becomes_a_line_of_the_record(evening):
    """One station from the ring becomes a draw line; two become a double_exit line that omits the random choice."""
    assert GAME.line(GAME.ring.draw("blue")) == {"do": "draw", "colour": "blue"}
    assert GAME.ring.two_out(evening.game, ("red", "blue")) == {"do": "double_exit", "colours": ["red", "blue"]}


# Random choices


def test_the_lot_decides_who_stays_out(evening):
    """Of two stations at once, a random one counts, each with probability 1/2, and the line is legal."""
    evening.establish("red", "p3", 4)
    line = GAME.ring.two_out(evening.game, ("red", "blue"))
    lots = Random(3)

    drawn = [GAME.cast_lots(evening.game, line, lots)["out"] for _ in range(1000)]

    assert 400 < drawn.count("red") < 600
    assert set(drawn) == {"red", "blue"}
    assert evening.double_exit("red", "blue", out=drawn[0])


def test_a_redo_casts_no_lot():
    """With the ruling `redo`, no random choice is made."""
    evening = Evening(options={"double_exit": "redo"}).in_actions().establish("red", "p3", 4)
    line = GAME.ring.two_out(evening.game, ("red", "blue"))

    assert GAME.cast_lots(evening.game, line, Random(3)) == line


def test_a_virtual_draw_is_cast_over_the_stations(evening):
    """A virtual draw chooses a random station, each with the same probability."""
    evening.standing("p3", red=3, blue=1).establish("red", "p3", 4)
    lots = Random(3)

    drawn = [GAME.cast_lots(evening.game, {"do": "draw"}, lots)["colour"] for _ in range(2000)]

    assert 1400 < drawn.count("red") < 1600
    assert set(drawn) == {"red", "blue"}


def test_what_is_decided_is_not_cast_again(evening):
    """Lines whose random choice is already made, and lines without a random choice, are not changed."""
    evening.establish("red", "p3", 4)

    for line in (
        {"do": "draw", "colour": "green"},
        {"do": "double_exit", "colours": ["red", "blue"], "out": "red"},
        {"do": "exchange", "player": "red", "cards": 1},
    ):
        assert GAME.cast_lots(evening.game, line, Random(3)) == line


def test_bad_lines_are_left_to_the_parser(evening):
    """Invalid lines are returned unchanged, so that the parser can refuse them."""
    for line in ({}, {"do": 3}, {"do": "draw"}, {"do": "double_exit"}, {"do": "double_exit", "colours": []}):
        assert GAME.cast_lots(evening.game, line, Random(3)) == line


# Automatic lines


def test_nothing_goes_by_itself_where_there_is_a_choice():
    """If a player who is present has a choice, the companion does nothing automatically."""
    evening = Evening().all_set_up()
    assert by_itself(evening) is None
    assert by_itself(evening.deal()) is None
    assert by_itself(evening.all_pass().all_lay(None, None)) is None
    assert by_itself(evening.swap("red", "blue")) is None
    assert by_itself(evening.keep("blue").take_back("green")) is None
    assert by_itself(evening.establish("red", "p1", 4)) is None


def test_who_has_no_transport_card_passes():
    """A player without transport cards passes automatically, with a line in the record."""
    evening = Evening().all_set_up().at_level("red", transport=0).deal()

    assert by_itself(evening) == {"do": "transport", "player": "red", "move": "pass"}


def test_a_keep_that_no_longer_matters_is_said(trading):
    """If no other set is left, the partner keeps automatically."""
    trading.lay("red", "p1").excuse("blue").excuse("green").lay("yellow").all_lay("p2").swap("red", "yellow")

    assert by_itself(trading) == {"do": "keep", "player": "yellow"}


def test_the_absent_do_the_idlest_thing(transporting):
    """For an absent player the companion passes, lays, keeps or takes back, and ends turns."""
    evening = transporting.no_transport("red")
    assert by_itself(evening, "blue") == {"do": "transport", "player": "blue", "move": "pass"}

    evening.all_pass().lay("red", "p1")
    assert by_itself(evening, "blue") == {"do": "lay", "player": "blue", "card": None}

    evening.lay("blue").lay("green").lay("yellow").all_lay(None).swap("red", "blue")
    assert by_itself(evening, "blue") == {"do": "keep", "player": "blue"}

    evening.keep("blue")
    assert by_itself(evening, "green") == {"do": "take_back", "player": "green"}

    evening.take_back("green").end_turn("red")
    assert by_itself(evening, "blue") == {"do": "end_turn", "player": "blue"}


def test_an_absent_player_without_a_card_is_excused(trading):
    """An absent player without a card to lay is excused."""
    trading.holding("blue", hand=0).lay("red", "p1")

    assert by_itself(trading, "blue") == {"do": "excuse", "player": "blue"}


def test_an_absent_player_leaves_the_draws_to_the_table(evening):
    """The companion does not end the open attempt of an absent player."""
    assert by_itself(evening.establish("red", "p1", 4), "red") is None


@pytest.mark.parametrize("seed", seeds(3))
def test_what_goes_by_itself_is_legal(seed):
    """Automatic lines are legal, whichever players are absent."""
    lots = Random(seed)
    for state, _ in states(seed):
        absent = frozenset(lots.sample(state.colours, lots.randint(0, 3)))
        if (command := GAME.by_itself(state, absent)) is not None:
            assert GAME.decide(state, command)


# Steps for the clock


def test_a_new_turn_is_a_new_step(evening):
    """Another player's turn is a new step of the clock; actions within a turn are the same step."""
    first = GAME.step(evening.game)

    assert (first.name, first.seats) == ("actions", ("red",))
    assert GAME.step(evening.exchange("red").game) == first
    assert GAME.step(evening.end_turn("red").game) != first


def test_answers_do_not_restart_the_clock(trading):
    """While other players answer a card, the step of the clock does not change."""
    trading.lay("red", "p1")
    asked = GAME.step(trading.game)

    assert asked.name == "answer"
    assert GAME.step(trading.lay("blue").excuse("green").game) == asked


def test_each_part_of_a_round_has_its_step():
    """Every phase and every part of trading has a step with its own name."""
    evening = Evening()
    names = [GAME.step(evening.game).name]
    names.append(GAME.step(evening.all_set_up().game).name)
    names.append(GAME.step(evening.deal().game).name)
    names.append(GAME.step(evening.all_pass().game).name)
    names.append(GAME.step(evening.all_lay(None, None).swap("red", "blue").game).name)
    names.append(GAME.step(evening.leave("blue").game).name)
    names.append(GAME.step(evening.take_back("blue").take_back("green").establish("red", "p1", 3).game).name)

    assert names == ["setup", "cards", "transport", "lay", "keep", "trade", "actions"]


def test_the_end_has_no_step(evening):
    """After the end there is no step for the clock."""
    for planet in ("p1", "p2", "p3"):
        evening.owning("red", f"{planet}/0").owning("blue", f"{planet}/1").owning("green", f"{planet}/2")

    assert GAME.step(evening.all_end_turns().game) is None


# What is hidden


def test_credits_of_others_are_hidden(evening):
    """A player sees only their own credits, and totals without others' credits; the file's owner sees everything."""
    evening.holding("blue", gold=1)

    assert evening.seen_by(Viewer("blue"))["players"]["blue"]["bonus"]["gold"] == 1
    for viewer in (Viewer(), Viewer("red")):
        blue = evening.seen_by(viewer)["players"]["blue"]
        assert (blue["bonus"], blue["score"]["bonus"], blue["score"]["total"]) == (None, None, 4)
    assert evening.seen_by(Viewer(owner=True))["players"]["blue"]["score"]["total"] == 7


def test_credits_may_always_be_shown():
    """With the ruling `show_bonus_credits` on `always`, everybody sees all credits."""
    evening = Evening(options={"show_bonus_credits": "always"}).in_actions().holding("blue", gold=1)

    assert evening.seen_by(Viewer())["players"]["blue"]["score"]["total"] == 7


def test_credits_are_open_at_the_end(evening):
    """With the ruling `show_bonus_credits` on `end`, everybody sees all credits at the end."""
    for planet in ("p1", "p2", "p3"):
        evening.owning("red", f"{planet}/0").owning("blue", f"{planet}/1").owning("green", f"{planet}/2")
    evening.holding("blue", gold=1).all_end_turns()

    assert evening.seen_by(Viewer())["players"]["blue"]["bonus"]["gold"] == 1


# Events for the ledger


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"event": "Unheard"},
        {"event": "FlewHome"},
        {"event": "FlewHome", "player": "red", "planet": "p1", "more": 1},
        {"event": "Corrected", "player": "red", "what": {"is": "Nothing"}},
        {"event": "Corrected", "player": "red", "what": 5},
        {"event": ["FlewHome"]},
    ],
)
def test_unknown_events_are_refused(line):
    """An event that `pack` cannot have written is refused."""
    with pytest.raises(Malformed):
        GAME.unpack(line, Evening().game)
