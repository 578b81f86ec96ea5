"""Random legal games with random rulings and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.hanse import GAME, State
from companion.games.hanse.goods import any_side
from companion.games.hanse.places import PLACES
from companion.games.hanse.random_policy import command, header
from companion.games.hanse.rules import Command, legal
from companion.model.parser import object_of

REPAIRS = 0.04


def states(seed: int, lines: int = 300) -> Iterator[tuple[State, Command]]:
    """Yield every state of a random game, with the command that is given in it."""
    lots = Random(seed)
    state = GAME.start(header(2, lots, any_rulings=True))
    for _ in range(lines):
        if state.finished:
            return
        repairs = state.phase == "turn" and lots.random() < REPAIRS
        asked = repair(state, lots) if repairs else command(state, lots)
        yield state, asked
        for event in GAME.decide(state, asked):
            state = GAME.evolve(state, event)


def repair(state: State, lots: Random) -> Command:
    """Return a random legal correction."""
    while True:
        line = {"do": "correct", "player": lots.choice(state.colours), "reason": "it was so", **_repaired(state, lots)}
        if legal(state, asked := GAME.parse(line)):
            return asked


def _repaired(state: State, lots: Random) -> dict[str, Any]:
    planet = lots.choice(("p1", "p2", "p3", "p4", "p5", "p6"))
    goods = [object_of(any_side(planet, lots)) for _ in range(len(state.at(planet)))]
    return lots.choice(
        [
            {"megagalax": lots.randint(0, 40)},
            {"place": lots.choice(PLACES)},
            {"hand": lots.randint(0, 5)},
            {"technologies": {"container": lots.randint(0, 2), "space_station": lots.randint(0, 2)}},
            {"discards": {"agent": lots.randint(0, 2)}},
            {"goods": {planet: goods}},
            {"container": {"index": 0, "cards": []}},
        ]
    )
