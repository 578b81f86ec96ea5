"""Simulation of random games: no invariant breaks, and the totals are right."""

from __future__ import annotations

import json
from random import Random

import pytest

from companion.autoplay.simulate import Bill, simulate
from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import RANDOM_PLAY, broken
from companion.records import replay
from tests.companion.games.andromeda.recount import recount


def no_time() -> float:
    """A clock that never advances."""
    return 0.0


@pytest.mark.parametrize("games", [2, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("any_rulings", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_break_nothing(players, any_rulings, games):
    """Simulation: random legal games reach their end, break no invariant, and fill three planets."""
    lots, bill = Random(players), Bill()

    for _ in range(games):
        played = simulate(GAME, RANDOM_PLAY, players, lots, no_time, any_rulings)
        bill.add(played)
        assert played.final["finished"]
        assert sum(len(player["centres"]) for player in played.final["players"].values()) >= 9
        assert played.final == recount(played.record)

    assert (bill.games, bill.broken) == (games, [])


def test_a_seed_is_a_game():
    """Simulation: the same seed gives the same game."""
    one, other = (simulate(GAME, RANDOM_PLAY, 4, Random("1-0"), no_time) for _ in range(2))

    assert one == other


def test_a_simulated_record_replays():
    """Simulation: a record that was written and read again replays to the same final state."""
    played = simulate(GAME, RANDOM_PLAY, 5, Random(2), no_time, any_rulings=True)
    lines = [json.loads(json.dumps(line)) for line in played.record]

    replayed = replay({"andromeda": GAME}, enumerate(lines, 1))

    assert broken(replayed.state) == ()
    assert recount(lines) == played.final


def test_the_bill_adds_up():
    """Simulation: the totals of games, commands, rounds and time are the sums over all games played."""
    ticks = iter(range(10**9))
    bill, games = Bill(), [simulate(GAME, RANDOM_PLAY, 3, Random(n), lambda: next(ticks)) for n in (1, 2)]
    for game in games:
        bill.add(game)

    assert bill.commands == sum(len(game.record) - 1 for game in games)
    assert bill.seconds == bill.commands
    assert bill.rounds == sum(game.final["round"] for game in games)


class Thief:
    """Random play whose check of invariants always fails in round 2."""

    header = staticmethod(RANDOM_PLAY.header)
    command = staticmethod(RANDOM_PLAY.command)
    rounds = staticmethod(RANDOM_PLAY.rounds)

    @staticmethod
    def broken(state):
        return ("a station is missing",) if state.round == 2 else ()


def test_a_broken_invariant_is_billed():
    """Simulation: a broken invariant is listed with its line."""
    played = simulate(GAME, Thief(), 3, Random(1), no_time)

    assert played.broken
    assert played.broken[0].startswith("line ")
