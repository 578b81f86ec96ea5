"""The contents of the ring at the draws of random games of Andromeda."""

from __future__ import annotations

from functools import reduce
from random import Random

from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import command, header


def contents(games: int = 40, seed: int = 1) -> list[tuple[int, int]]:
    """Return (own, of) for every draw of *games* random games with more than one possible result, with duplicates."""
    found = []
    for number in range(games):
        lots = Random(f"{seed}-{number}")
        state = GAME.start({"record": "table-record", "version": 1, "game": GAME.name, **header(4, lots, False)})
        while GAME.result(state) is None:
            chosen = command(state, lots)
            wanted = GAME.ring.wanted(state) if GAME.ring.out(GAME.line(chosen)) else None
            if wanted is not None and 0 < wanted.under.get(wanted.seat, 0) < sum(wanted.under.values()):
                found.append((wanted.under[wanted.seat], sum(wanted.under.values())))
            state = reduce(GAME.evolve, GAME.decide(state, chosen), state)
    return found
