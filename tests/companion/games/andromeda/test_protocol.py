"""Andromeda as the house knows it: who is waited for, what is wanted, what is hidden, what goes by itself."""

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
    """Return the line the companion gives by itself now."""
    command = GAME.by_itself(evening.game, frozenset(absent))
    return None if command is None else GAME.line(command)


def test_the_shelf_knows_the_game():
    """Seam: the game is on the shelf under its name in records."""
    assert GAMES["andromeda"] is GAME
    assert GAME.name == "andromeda"
    assert GAME.rules


def test_seats_are_clockwise(evening):
    """Seam: seats come as the header lists them."""
    assert GAME.seats(evening.game)[:2] == (Seat("red", "Ana"), Seat("blue", "Ben"))


# What the ring is wanted for


def test_a_draw_is_wanted_in_an_attempt(evening):
    """Seam: in an attempt a draw is wanted: by whom, where, among what, how many."""
    assert GAME.ring.wanted(evening.game) is None

    wanted = GAME.ring.wanted(evening.standing("p3", red=2, blue=1).establish("red", "p3", 4).game)

    assert (wanted.seat, wanted.place, wanted.left) == ("red", "p3", 2)
    assert dict(wanted.under) == {"red": 2, "blue": 1}


def test_what_left_the_ring_becomes_a_line_of_the_record(evening):
    """Seam: one station is a command that a line of the record says; two are a line, lots still to be cast."""
    assert GAME.line(GAME.ring.draw("blue")) == {"do": "draw", "colour": "blue"}
    assert GAME.ring.two_out(evening.game, ("red", "blue")) == {"do": "double_exit", "colours": ["red", "blue"]}


# Lots


def test_the_lot_decides_who_stays_out(evening):
    """Seam: of two at once the lot names one, both as often as chance has it, and the line is legal then."""
    evening.establish("red", "p3", 4)
    line = GAME.ring.two_out(evening.game, ("red", "blue"))
    lots = Random(3)

    drawn = [GAME.cast_lots(evening.game, line, lots)["out"] for _ in range(1000)]

    assert 400 < drawn.count("red") < 600
    assert set(drawn) == {"red", "blue"}
    assert evening.double_exit("red", "blue", out=drawn[0])


def test_a_redo_casts_no_lot():
    """Seam: where both go back there is nothing to cast."""
    evening = Evening(options={"double_exit": "redo"}).in_actions().establish("red", "p3", 4)
    line = GAME.ring.two_out(evening.game, ("red", "blue"))

    assert GAME.cast_lots(evening.game, line, Random(3)) == line


def test_a_virtual_draw_is_cast_over_the_stations(evening):
    """Seam: a draw without a colour is cast over the counted stations, each as likely as the next."""
    evening.standing("p3", red=3, blue=1).establish("red", "p3", 4)
    lots = Random(3)

    drawn = [GAME.cast_lots(evening.game, {"do": "draw"}, lots)["colour"] for _ in range(2000)]

    assert 1400 < drawn.count("red") < 1600
    assert set(drawn) == {"red", "blue"}


def test_what_is_decided_is_not_cast_again(evening):
    """Seam: lines that name what chance decided stay as they are, and so do lines without chance."""
    evening.establish("red", "p3", 4)

    for line in (
        {"do": "draw", "colour": "green"},
        {"do": "double_exit", "colours": ["red", "blue"], "out": "red"},
        {"do": "exchange", "player": "red", "cards": 1},
    ):
        assert GAME.cast_lots(evening.game, line, Random(3)) == line


def test_bad_lines_are_left_to_the_parser(evening):
    """Seam: casting lots never stumbles over a line that is wrong."""
    for line in ({}, {"do": 3}, {"do": "draw"}, {"do": "double_exit"}, {"do": "double_exit", "colours": []}):
        assert GAME.cast_lots(evening.game, line, Random(3)) == line


# By itself


def test_nothing_goes_by_itself_where_there_is_a_choice():
    """Seam: the companion decides nothing for a player who is there."""
    evening = Evening().all_set_up()
    assert by_itself(evening) is None
    assert by_itself(evening.deal()) is None
    assert by_itself(evening.all_pass().all_lay(None, None)) is None
    assert by_itself(evening.swap("red", "blue")) is None
    assert by_itself(evening.keep("blue").take_back("green")) is None
    assert by_itself(evening.establish("red", "p1", 4)) is None


def test_who_has_no_transport_card_passes():
    """Seam: a player without transport cards passes by itself, a line all the same."""
    evening = Evening().all_set_up().at_level("red", transport=0).deal()

    assert by_itself(evening) == {"do": "transport", "player": "red", "move": "pass"}


def test_a_keep_that_no_longer_matters_is_said(trading):
    """Seam: with no other set left the partner keeps by itself."""
    trading.lay("red", "p1").excuse("blue").excuse("green").lay("yellow").all_lay("p2").swap("red", "yellow")

    assert by_itself(trading) == {"do": "keep", "player": "yellow"}


def test_the_absent_do_the_idlest_thing(transporting):
    """Seam: for a player who left the companion passes, lays, keeps or takes back, and ends turns."""
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
    """Seam: a player who left and has no card to lay is excused."""
    trading.holding("blue", hand=0).lay("red", "p1")

    assert by_itself(trading, "blue") == {"do": "excuse", "player": "blue"}


def test_an_absent_player_leaves_the_draws_to_the_table(evening):
    """Seam: an attempt that is open when its player leaves is not ended by the companion."""
    assert by_itself(evening.establish("red", "p1", 4), "red") is None


@pytest.mark.parametrize("seed", seeds(3))
def test_what_goes_by_itself_is_legal(seed):
    """Seam: whatever the companion does by itself is allowed, with any players gone."""
    lots = Random(seed)
    for state, _ in states(seed):
        absent = frozenset(lots.sample(state.colours, lots.randint(0, 3)))
        if (command := GAME.by_itself(state, absent)) is not None:
            assert GAME.decide(state, command)


# Steps for the clock


def test_a_new_turn_is_a_new_step(evening):
    """Seam: the clock starts anew when somebody else is waited for, and goes on within a turn."""
    first = GAME.step(evening.game)

    assert (first.name, first.seats) == ("actions", ("red",))
    assert GAME.step(evening.exchange("red").game) == first
    assert GAME.step(evening.end_turn("red").game) != first


def test_answers_do_not_restart_the_clock(trading):
    """Seam: while others answer one card the step stays the same."""
    trading.lay("red", "p1")
    asked = GAME.step(trading.game)

    assert asked.name == "answer"
    assert GAME.step(trading.lay("blue").excuse("green").game) == asked


def test_each_part_of_a_round_has_its_step():
    """Seam: every phase and part of the trading has a name of its own."""
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
    """Seam: after the end no clock runs."""
    for planet in ("p1", "p2", "p3"):
        evening.owning("red", f"{planet}/0").owning("blue", f"{planet}/1").owning("green", f"{planet}/2")

    assert GAME.step(evening.all_end_turns().game) is None


# What is hidden


def test_credits_of_others_are_hidden(evening):
    """Seam: a viewer sees their own credits only, totals without the others; the owner of the file sees all."""
    evening.holding("blue", gold=1)

    assert evening.seen_by(Viewer("blue"))["players"]["blue"]["bonus"]["gold"] == 1
    for viewer in (Viewer(), Viewer("red")):
        blue = evening.seen_by(viewer)["players"]["blue"]
        assert (blue["bonus"], blue["score"]["bonus"], blue["score"]["total"]) == (None, None, 4)
    assert evening.seen_by(Viewer(owner=True))["players"]["blue"]["score"]["total"] == 7


def test_credits_may_always_be_shown():
    """Seam (ruling `show_bonus_credits`, `always`): credits are open to everybody."""
    evening = Evening(options={"show_bonus_credits": "always"}).in_actions().holding("blue", gold=1)

    assert evening.seen_by(Viewer())["players"]["blue"]["score"]["total"] == 7


def test_credits_are_open_at_the_end(evening):
    """Seam (ruling `show_bonus_credits`, `end`): at the end all credits are shown."""
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
    """Seam: what `pack` did not write is refused, never guessed at."""
    with pytest.raises(Malformed):
        GAME.unpack(line, Evening().game)
