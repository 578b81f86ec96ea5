"""Properties of every game, tested with random games: they are counted twice, read back, and tried by brute force."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.andromeda import GAME, PLANETS, Phase
from companion.games.andromeda.random_policy import RANDOM_PLAY, broken
from companion.games.andromeda.rules import choices, legal
from companion.games.andromeda.state import KINDS
from companion.kernel.errors import Refused
from tests.companion.games.andromeda.recount import recount
from tests.companion.games.andromeda.stories import states, tell
from tests.companion.games.told import kind_sentence, read_back
from tests.effort import examples

SEEDS = st.integers(0, 10**9)


@given(SEEDS)
@examples(5)
def test_a_story_is_counted_twice(seed):
    """Every game: an independent count of the record's lines gives the same final state."""
    evening = tell(seed)

    assert evening.view == recount(evening.record)


@given(SEEDS, st.integers(1, 400))
@examples(8)
def test_half_a_story_is_counted_twice(seed, lines):
    """Every game: the independent count also agrees in the middle of a game."""
    evening = tell(seed, lines)

    assert evening.view == recount(evening.record)


@given(SEEDS)
@examples(6)
def test_nothing_is_lost_after_any_event(seed):
    """Every game: the numbers of stations, planet cards and credits are right after every event."""
    for state, command in states(seed):
        for event in GAME.decide(state, command):
            state = GAME.evolve(state, event)
            assert broken(state) == ()


@given(SEEDS)
@examples(6)
def test_lines_and_events_are_read_back(seed):
    """Every game: commands and events are the same after they were written and read back."""
    read_back(GAME, states(seed))


@given(SEEDS)
@examples(3)
def test_choices_are_legal_and_complete(seed):
    """Every game: the choices offered to the players who must act are all legal, and contain the command given."""
    for state, command in states(seed, 80):
        seats = GAME.waited_for(state)
        offered = {asked for seat in seats for asked in choices(state, seat)}

        assert all(legal(state, asked) for asked in offered)
        if GAME.line(command)["do"] not in ("setup", "correct", "double_exit"):
            assert command in offered
        if state.phase is not Phase.SETUP:
            assert offered


MOST_JOKERS = 3
"""The most jokers in lines tried by brute force; the engine offers up to six."""


def lines_of(state, seat):
    """Yield the lines of all commands that *seat* could give, legal or not."""
    yield from (
        {"do": do, "player": seat} for do in ("excuse", "keep", "leave", "take_back", "end_turn", "stop_drawing")
    )
    for move, planet in product(("to_planet", "to_earth"), PLANETS):
        yield {"do": "transport", "player": seat, "move": move, "planet": planet}
    yield {"do": "transport", "player": seat, "move": "pass"}
    yield from ({"do": "lay", "player": seat, "card": card} for card in (*PLANETS, *KINDS, None))
    yield from ({"do": "swap", "player": seat, "with": partner} for partner in state.colours)
    yield from ({"do": "exchange", "player": seat, "cards": cards} for cards in range(6))
    if seat in GAME.waited_for(state):
        yield from ({"do": "deal"}, {"do": "end_trading"}, *({"do": "draw", "colour": one} for one in state.colours))
    for planet, cards, count, bonus in product(PLANETS, range(9), range(MOST_JOKERS + 1), (True, False)):
        held = [kind for kind in KINDS if state.players[seat].credit(kind)]
        for jokers in combinations_with_replacement(held, count):
            played = {"player": seat, "planet": planet, "cards": cards, "jokers": list(jokers), "bonus": bonus}
            yield from ({"do": do, **played} for do in ("establish", "ship", "technology"))
            yield from ({"do": "move", "stations": stations, **played} for stations in range(6))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
def test_what_is_offered_is_what_is_legal(seed, request):
    """Every game: of all possible lines, exactly the legal ones are offered to a player."""
    lots, tried = Random(seed), 10 if request.config.getoption("long") else 4
    for state, _ in lots.sample(list(states(seed, 300)), tried):
        for seat in state.colours:
            found = {command for line in lines_of(state, seat) if legal(state, command := GAME.parse(line))}
            offered = {command for command in choices(state, seat) if few_jokers(command)}

            assert offered == {command for command in found if not declines_nothing(state, command)}


def few_jokers(command):
    """Return whether *command* has few enough jokers for the brute force."""
    return not hasattr(command, "set") or len(command.set.jokers) <= MOST_JOKERS


def declines_nothing(state, command):
    """Return whether *command* declines a credit that it would not earn."""
    if getattr(command, "bonus", True):
        return False
    kind = {4: 0, 5: 1, 6: 2, 7: 3}.get(command.set.cards)
    return bool(command.set.jokers) or kind is None or not state.credits[kind]


@given(SEEDS)
@examples(4)
def test_refusals_are_kind_sentences(seed):
    """Every game: each refusal is a short sentence without code words."""
    lots = Random(seed)
    told = [(state, command) for state, command in states(seed, 250)]
    for state, _ in lots.sample(told, 30):
        for _, command in lots.sample(told, 30):
            try:
                GAME.decide(state, command)
            except Refused as refusal:
                assert kind_sentence(refusal.reason)


@given(SEEDS)
@examples(4)
def test_deciding_changes_nothing(seed):
    """Every game: deciding the same command twice in the same state gives the same events."""
    for state, command in states(seed, 150):
        copy = state
        first = GAME.decide(state, command)

        assert first == GAME.decide(state, command)
        assert state == copy


@given(SEEDS)
@examples(4)
def test_the_table_always_waits_for_somebody(seed):
    """Every game: until the end, a player must act and the clock has a step; the ring is used only in attempts."""
    for state, _ in states(seed):
        assert GAME.waited_for(state)
        assert GAME.step(state) is not None
        assert (GAME.ring.wanted(state) is None) == (state.attempt is None)


def test_random_play_can_always_go_on():
    """Every game: random play reaches the end with legal commands only."""
    lots = Random(5)
    state = GAME.start(RANDOM_PLAY.header(3, lots, any_rulings=True))
    while not state.finished:
        for event in GAME.decide(state, RANDOM_PLAY.command(state, lots)):
            state = GAME.evolve(state, event)

    assert GAME.result(state).winners
