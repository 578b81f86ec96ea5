"""Prints the speed of each game's rules as JSON: commands per second through `decide` and `evolve` alone.

`python -m tests.bench.rules [GAMES]` plays random games of every kind that supports it, then decides and folds their
commands again, and times only this; *share* is relative to the first kind.
"""

from __future__ import annotations

import json
import sys
import time
from functools import reduce
from random import Random

from companion.autoplay.simulate import simulate
from companion.games.registry import GAMES
from companion.model.game import AnyGame

AIM = 25_000
ENVELOPE = ("record", "version", "game")


def play_again(game: AnyGame, games: int, players: int) -> tuple[int, float]:
    """Return the number of commands in random games, and the seconds to replay them."""
    play = game.random_play
    assert play is not None
    told = [simulate(game, play, players, Random(f"bench-{n}"), time.perf_counter) for n in range(games)]
    commands = [(one.record[0], [game.parse(line) for line in one.record[1:]]) for one in told]
    began = time.process_time()
    for header, asked in commands:
        state = game.start({name: value for name, value in header.items() if name not in ENVELOPE})
        for command in asked:
            state = reduce(game.evolve, game.decide(state, command), state)
    return sum(len(asked) for _, asked in commands), time.process_time() - began


def main() -> None:
    """Print one line for each game and number of players, and one for each game in total."""
    games, first = int(sys.argv[1]) if len(sys.argv) > 1 else 30, 0.0
    for name, game in GAMES.items():
        if game.random_play is None:
            continue
        count = took = 0.0
        for players in game.random_play.players:
            commands, seconds = play_again(game, games, players)
            count, took = count + commands, took + seconds
            rate = round(commands / seconds, 1)
            print(json.dumps({"bench": "rules", "game": name, "players": players, "commands_per_s": rate, "aim": AIM}))
        first = first or count / took
        total = {
            "commands": int(count),
            "commands_per_s": round(count / took, 1),
            "share": round(count / took / first, 2),
        }
        print(json.dumps({"bench": "rules", "game": name, "games": games, **total}))


if __name__ == "__main__":
    main()
