"""Random legal games with random rulings, corrections and undone lines."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.andromeda import GAME, PLANETS, Phase, State
from companion.games.andromeda.corrections import PLACES
from companion.games.andromeda.random_policy import command, header
from companion.games.andromeda.rules import Command, legal
from companion.games.andromeda.state import KINDS
from tests.companion.games.andromeda.evening import Evening

REPAIRS, SECOND_THOUGHTS = 0.04, 0.04
FEWEST_CARDS = 5
"""With a smaller hand nobody can trade, and another correction would be needed."""


def tell(seed: int, lines: int = 400) -> Evening:
    """Return a game of up to *lines* random lines, possibly with corrections after its end."""
    lots = Random(seed)
    own = header(3 + seed % 3, lots, any_rulings=True)
    evening = Evening(3 + seed % 3, own["options"], own["first"])
    for _ in range(lines):
        evening.do(**next_line(evening, lots, REPAIRS, SECOND_THOUGHTS))
    return evening


def states(seed: int, lines: int = 400) -> Iterator[tuple[State, Command]]:
    """Yield every state of a random game without undone lines, with the command given in it."""
    lots = Random(seed)
    state = GAME.start(header(3 + seed % 3, lots, any_rulings=True))
    for _ in range(lines):
        if state.finished:
            return
        asked = repair(state, lots) if _repairs(state, lots, REPAIRS) else command(state, lots)
        yield state, asked
        for event in GAME.decide(state, asked):
            state = GAME.evolve(state, event)


def next_line(evening: Evening, lots: Random, repairs: float, second_thoughts: float) -> dict[str, Any]:
    """Return a legal next line, sometimes a correction or an undo; after the end of the game, only these."""
    if evening.game.phase is not Phase.SETUP and lots.random() < second_thoughts:
        return {"do": "undo"}
    if evening.game.finished or _repairs(evening.game, lots, repairs):
        return dict(GAME.line(repair(evening.game, lots)))
    return dict(GAME.line(command(evening.game, lots)))


def _repairs(state: State, lots: Random, chance: float) -> bool:
    return state.phase is not Phase.SETUP and lots.random() < chance


def repair(state: State, lots: Random) -> Command:
    """Return a random legal correction."""
    while True:
        line = {"do": "correct", "player": lots.choice(state.colours), "reason": "it was so", **_repaired(lots)}
        if legal(state, asked := GAME.parse(line)):
            return asked


def _repaired(lots: Random) -> dict[str, Any]:
    return lots.choice(
        [
            {"move": {"from": lots.choice(PLACES), "to": lots.choice(("earth", *PLANETS)), "count": 1}},
            {"move": {"from": "earth", "to": lots.choice(PLACES), "count": 1}},
            {"bonus": {lots.choice(KINDS): lots.randint(0, 2)}},
            {"hand": lots.randint(FEWEST_CARDS, 13)},
            {"ship": lots.randint(1, 4)},
            {"technology": lots.randint(1, 4)},
            {"transport": lots.randint(0, 2)},
        ]
    )
