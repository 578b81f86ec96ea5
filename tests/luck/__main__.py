"""`make luck`: checks the computation of luck with thousands of simulated games; prints one JSON line for each promise.

`identity`: luck and the rest add up to the whole game, to 1e-9, in random games of each kind that has a luck model.
`nought`: over many games the mean luck of every seat is zero. `variance`: how much of the spread of results is left
when luck is subtracted, with players of unequal strength, and whether the adjusted results rank them correctly.
`rollouts`: the evaluator, compared with games played to their end from 100 positions. The players are programs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial, reduce
from multiprocessing import Pool
from random import Random
from statistics import fmean, pvariance, stdev
from typing import Any

from companion.games.andromeda import GAME
from companion.games.andromeda.demo_policy import command as lively
from companion.games.hanse.demo_policy import command as trading
from companion.games.registry import GAMES
from companion.games.wreck.demo_policy import command as exploring
from tests.luck.games import Policy, played
from tests.luck.players import unequal

Row = dict[str, Any]
Seats = dict[str, tuple[float, float, float, float]]
"""For each seat: initial value, final value, luck, skill."""


def told(name: str, players: int, seed: str, policy: Policy | None) -> Seats:
    """Return initial value, final value, luck and skill of each seat in one game."""
    report = played(GAMES[name], players, seed, policy).luck
    return {seat: (each.initial, each.final, each.luck, each.skill) for seat, each in report.seats.items()}


def _random(at: int, name: str, players: int) -> Seats:
    return told(name, players, f"random-{at}", None)


LIVELY: dict[str, Policy] = {"andromeda": lively, "hanse": trading, "wreck": exploring}
"""The policies of games that are eventful enough to be watched."""
PLAYERS = {"andromeda": 4, "hanse": 2, "wreck": 4}


def _lively(at: int, name: str) -> Seats:
    return told(name, PLAYERS[name], f"lively-{at}", LIVELY[name])


def _unequal(at: int) -> Seats:
    return told(GAME.name, 4, f"unequal-{at}", unequal)


def many(game: Callable[[int], Seats], games: int) -> Iterator[Seats]:
    """Yield the result of *game* for *games* games, in as many processes as there are cores."""
    with Pool() as pool:
        yield from pool.imap_unordered(game, range(games), chunksize=8)


def identity(games: int) -> Iterator[Row]:
    """Yield for each kind of game the greatest difference between the whole and the sum of luck and the rest."""
    for name, game in GAMES.items():
        if game.luck is None or game.random_play is None:
            continue
        players = game.random_play.players[-1]
        found = list(many(partial(_random, name=name, players=players), games))
        off = max(abs(luck + rest - (final - first)) for each in found for first, final, luck, rest in each.values())
        yield {"promise": "identity", "game": name, "games": games, "off": off, "held": off < 1e-9}


def nought(name: str, games: int) -> Row:
    """Return the mean luck of each seat in a kind of game, in standard errors."""
    by_seat: dict[str, list[float]] = {}
    for seats in many(partial(_lively, name=name), games):
        for seat, (_, _, luck, _) in seats.items():
            by_seat.setdefault(seat, []).append(luck)
    errors = {seat: fmean(all_) / (stdev(all_) / len(all_) ** 0.5) for seat, all_ in by_seat.items()}
    rounded = {seat: round(error, 2) for seat, error in errors.items()}
    held = max(map(abs, errors.values())) < 3
    return {"promise": "nought", "game": name, "games": games, "standard_errors": rounded, "held": held}


def variance(games: int) -> Row:
    """Return how much of the spread of results is left without luck, and each player's mean result, raw and adjusted.

    The spread is measured around each player's own mean, since differences in strength must remain.
    """
    raw: dict[str, list[float]] = {}
    adjusted: dict[str, list[float]] = {}
    for seats in many(_unequal, games):
        for seat, (_, final, luck, _) in seats.items():
            raw.setdefault(seat, []).append(final)
            adjusted.setdefault(seat, []).append(final - luck)
    left = fmean(map(pvariance, adjusted.values())) / fmean(map(pvariance, raw.values()))
    means = {seat: (round(fmean(raw[seat]), 2), round(fmean(adjusted[seat]), 2)) for seat in raw}
    ranked = sorted(adjusted, key=lambda seat: -fmean(adjusted[seat]))
    held = left <= 0.5 and ranked == list(raw)
    return {"promise": "variance", "games": games, "left": round(left, 3), "raw_and_adjusted": means, "held": held}


def rollouts(positions: int, each: int) -> Row:
    """Return how far the evaluator is from the mean of *each* games played to their end, for *positions* positions."""
    with Pool() as pool:
        pairs = pool.map(partial(_rolled_out, each=each), range(positions), chunksize=2)
    differences = [worth - mean for worth, mean, _ in pairs]
    error = stdev(differences) / len(differences) ** 0.5
    spread = (fmean(difference**2 for difference in differences)) ** 0.5
    noise = (fmean(error**2 for _, _, error in pairs)) ** 0.5
    return {
        "promise": "rollouts",
        "positions": positions,
        "games_each": each,
        "mean_difference": round(fmean(differences), 2),
        "standard_error": round(error, 2),
        "rms_difference": round(spread, 2),
        "rms_of_the_rollouts_own_error": round(noise, 2),
    }


def _rolled_out(at: int, each: int) -> tuple[float, float, float]:
    game = played(GAME, 4, f"rolled-{at}", lively)
    _, _, state, _ = game.positions[Random(at).randrange(len(game.positions) // 4, len(game.positions))]
    seat = state.colours[at % 4]
    ends = [_to_the_end(state, Random(f"{at}-{number}"))[seat] for number in range(each)]
    return GAME.luck.worth(state)[seat], fmean(ends), stdev(ends) / len(ends) ** 0.5


def _to_the_end(state: Any, lots: Random) -> dict[str, float]:
    while GAME.result(state) is None:
        command = GAME.by_itself(state, frozenset()) or lively(state, lots)
        state = reduce(GAME.evolve, GAME.decide(state, command), state)
    return dict(GAME.luck.worth(state))


def _rows(games: int) -> Iterator[Row]:
    yield from identity(games // 10)
    for name in LIVELY:
        yield nought(name, games)
    yield variance(games // 5)
    yield rollouts(100, max(10, games // 100))


def main() -> int:
    """Print all figures; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.luck", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    asked = parser.parse_args()
    held = True
    for row in _rows(asked.games):
        print(json.dumps(row), flush=True)
        held = held and row.get("held", True)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
