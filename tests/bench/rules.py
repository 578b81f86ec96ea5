"""How fast the rules are: commands per second through `decide` and `evolve` alone, printed as JSON.

`python -m tests.bench.rules [GAMES]` plays random games, then decides and
folds their commands once more without anything else in the clock's way.
"""

from __future__ import annotations

import json
import sys
import time
from functools import reduce
from random import Random

from companion.autoplay.simulate import simulate
from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import RANDOM_PLAY

AIM = 25_000


def play_again(games: int, players: int) -> dict[str, float]:
    """Return what replaying the commands of random games took."""
    told = [simulate(GAME, RANDOM_PLAY, players, Random(f"bench-{n}"), time.perf_counter) for n in range(games)]
    commands = [(game.record[0], [GAME.parse(line) for line in game.record[1:]]) for game in told]
    began = time.perf_counter()
    for header, asked in commands:
        own = {name: value for name, value in header.items() if name not in ("record", "version", "game")}
        state = GAME.start(own)
        for command in asked:
            state = reduce(GAME.evolve, GAME.decide(state, command), state)
    took = time.perf_counter() - began
    count = sum(len(asked) for _, asked in commands)
    return {"players": players, "games": games, "commands": count, "commands_per_s": round(count / took, 1)}


def main() -> None:
    """Print one line for each number of players."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    for players in (3, 4, 5):
        print(json.dumps({"bench": "rules", **play_again(games, players), "aim": AIM}))


if __name__ == "__main__":
    main()
