"""Properties of every game, tested with random games: nothing is lost, all is read back, automatic lines are legal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.autoplay.simulate import simulate
from companion.games.registry import GAMES
from companion.games.wreck import GAME, Phase
from companion.games.wreck.random_policy import RANDOM_PLAY, broken, command
from companion.games.wreck.rules import choices, legal
from companion.kernel.errors import Refused
from companion.kernel.said import Said
from companion.records import replay
from tests.companion.games.told import kind_sentence, read_back
from tests.effort import examples

SEEDS = st.integers(0, 10**9)


def states(seed, lines=400) -> Iterator[tuple]:
    """Yield each state of a random game with the command given in it."""
    lots = Random(seed)
    state = GAME.start(RANDOM_PLAY.header(lots.choice((2, 3, 4)), lots, any_rulings=True))
    for _ in range(lines):
        if state.finished:
            return
        asked = command(state, lots)
        yield state, asked
        for event in GAME.decide(state, asked):
            state = GAME.evolve(state, event)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_break_nothing(players):
    """Simulation: random legal games reach their end, break no invariant, and replay to the same state."""
    played = simulate(GAME, RANDOM_PLAY, players, Random(players), lambda: 0.0, any_rulings=True)
    lines = [json.loads(json.dumps(line)) for line in played.record]
    again = replay(GAMES, enumerate(lines, 1))

    assert not played.broken
    assert played.final["finished"] and played.final["winners"]
    assert again.game.view(again.state, None) == played.final


@given(SEEDS)
@examples(4)
def test_lines_and_events_are_read_back(seed):
    """Every game: commands and events are the same after they are written and read back."""
    read_back(GAME, states(seed), broken)


@given(SEEDS)
@examples(2)
def test_the_table_always_waits_for_somebody(seed):
    """Every game: until the end, one player must act, the clock has a step, and automatic lines are legal."""
    lots = Random(seed)
    for state, _ in states(seed):
        (seat,) = GAME.waited_for(state)
        assert GAME.step(state) is not None
        absent = frozenset(lots.sample(state.colours, lots.randint(0, 2)))
        if (idle := GAME.by_itself(state, absent)) is not None:
            assert legal(state, idle)
        if lots.random() < 0.05 and state.phase is not Phase.OFFERS:
            assert choices(state, seat)


@given(SEEDS)
@examples(2)
def test_refusals_are_kind_sentences(seed):
    """Every game: each refusal is a short sentence that can be translated."""
    lots = Random(seed)
    told = list(states(seed))
    for state, _ in lots.sample(told, 40):
        for _, asked in lots.sample(told, 20):
            try:
                GAME.decide(state, asked)
            except Refused as refusal:
                assert isinstance(refusal.reason, Said)
                assert kind_sentence(refusal.reason)
