"""Properties of every game, tested with random games: read back, tried by brute force, legal to the end."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from companion.games.hanse import GAME, Phase
from companion.games.hanse.cards import INTERVENTIONS, TECHNOLOGIES
from companion.games.hanse.places import PLACES, PLANETS
from companion.games.hanse.random_policy import RANDOM_PLAY, broken
from companion.games.hanse.rules import choices, legal
from companion.kernel.errors import Refused
from companion.kernel.said import Said
from tests.companion.games.hanse.stories import states
from tests.companion.games.told import kind_sentence, read_back
from tests.effort import examples

SEEDS = st.integers(0, 10**9)


@given(SEEDS)
@examples(5)
def test_lines_and_events_are_read_back(seed):
    """Every game: commands and events are the same after they are written and read back, and no piece is lost."""
    read_back(GAME, states(seed), lost)


def lost(state):
    """Return the broken invariants, except invariants of goods cards, which corrections may add and remove."""
    return [fault for fault in broken(state) if "goods cards" not in fault]


def lines_of(state, seat):
    """Yield the lines of all commands of *seat* that need no hidden information, legal or not."""
    yield from ({"do": do, "player": seat} for do in ("tunnel", "allow", "neutralise", "end_turn"))
    yield from ({"do": "choose", "player": seat, "take": take} for take in ("first", "planet"))
    yield from ({"do": "hyperjump", "player": seat, "direction": way} for way in ("inward", "outward"))
    yield from ({"do": "start", "player": seat, "planet": planet} for planet in PLANETS)
    yield from ({"do": "load", "player": seat, "to": planet} for planet in PLANETS)
    yield from ({"do": "fly", "player": seat, "to": place} for place in PLACES)
    yield from ({"do": "roll", "player": seat, "dice": [die]} for die in range(1, 7))
    yield from ({"do": "unload", "player": seat, "container": number} for number in range(3))
    yield from ({"do": "buy", "player": seat, "card": card} for card in TECHNOLOGIES)
    for card in INTERVENTIONS:
        played = {"do": "intervene", "player": seat, "card": card}
        if card in ("inner_loading", "outer_loading"):
            yield from ({**played, "planet": planet, "to": to} for planet, to in product(PLANETS, PLANETS))
        elif card == "on_board_transmitter":
            yield from ({**played, "mine": mine, "theirs": theirs} for mine, theirs in product(range(3), range(3)))
        else:
            yield played


@given(SEEDS)
@examples(3)
def test_what_is_offered_is_what_is_legal(seed):
    """Every game: of all possible lines, exactly the legal ones are offered to a player."""
    lots = Random(seed)
    for state, _ in lots.sample(list(states(seed, 200)), 12):
        for seat in state.colours:
            found = {command for line in lines_of(state, seat) if legal(state, command := GAME.parse(line))}
            offered = set(choices(state, seat)) if state.phase is not Phase.FLIP else set()

            assert offered == found


@given(SEEDS)
@examples(3)
def test_refusals_are_kind_sentences(seed):
    """Every game: each refusal is a short, translatable sentence without code words."""
    lots = Random(seed)
    told = list(states(seed, 200))
    for state, _ in lots.sample(told, 30):
        for _, command in lots.sample(told, 30):
            try:
                assert GAME.decide(state, command) == GAME.decide(state, command)
            except Refused as refusal:
                assert isinstance(refusal.reason, Said)
                assert kind_sentence(refusal.reason)


@given(SEEDS)
@examples(2)
def test_the_table_always_waits_for_somebody(seed):
    """Every game: until the end, a player must act and the clock has a step, and automatic lines are legal."""
    for state, _ in states(seed):
        assert GAME.waited_for(state)
        assert GAME.step(state) is not None
        if (command := GAME.by_itself(state, frozenset(state.colours))) is not None:
            assert GAME.decide(state, command)


def test_random_play_can_always_go_on():
    """Every game: random play reaches the end with legal commands only."""
    lots = Random(5)
    state = GAME.start(RANDOM_PLAY.header(2, lots, any_rulings=True))
    while not state.finished:
        for event in GAME.decide(state, RANDOM_PLAY.command(state, lots)):
            state = GAME.evolve(state, event)

    assert GAME.result(state).winners
    assert RANDOM_PLAY.rounds(state) > 1
