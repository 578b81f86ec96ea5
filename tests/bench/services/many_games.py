"""Writes thousands of simulated games to a ledger: `python -m tests.bench.services.many_games FOLDER --games 10000`.

Some are played move by move, of every kind and number of players; the rest are copies with other dates and names,
assigned by rank so that some players are better than others. All of them are marked as simulated.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.simulate import simulate
from companion.games.registry import GAMES
from companion.ledger import Ledger, Row
from companion.model.game import AnyGame
from companion.model.people import ranks
from companion.model.snapshot import Who
from companion.records import game_of
from companion.session.importer import Numbering, gone_through
from companion.session.repository import Repository

DISTINCT = 200
NAMES = (
    *("Ana", "Ben", "Cem", "Dora", "Eli", "Fatma", "Gijs", "Hanna", "Ivo", "Jule", "Kaan", "Lotte"),
    *("Mila", "Noor", "Otto", "Pia", "Quinn", "Roos", "Sven", "Tess", "Umut", "Vera", "Wim", "Yara"),
)
FIRST_MS = 1_262_300_400_000  # New Year 2010
EVENING_MS = 50_000_000
MOVE_S = 18.0
AT_ONCE = 20
"""Games per commit to the ledger."""


def played(repository: Repository, distinct: int, seed: int) -> Iterator[tuple[list[Row], tuple[str, ...]]]:
    """Yield the rows of games, numbered from 1, each with the colours of its seats from first to last place."""
    kinds = [game for game in GAMES.values() if game.random_play is not None]
    for each in range(distinct):
        lots, game = Random(f"{seed}-{each}"), kinds[each % len(kinds)]
        play = game.random_play
        assert play is not None, "only what can be played at random was chosen"
        count = play.players[each // len(kinds) % len(play.players)]
        record = simulate(game, play, count, lots, time.perf_counter).record
        packed = gone_through(_timed(record, lots), Who("script", "script"), _beginning(repository))
        rows = [row for piece in packed.pieces() for row in piece if row.id]
        state = _end(game, record)
        result, colours = game.result(state), [seat.colour for seat in game.seats(state)]
        assert result is not None, "a simulated game is played to its end"
        places = ranks(colours, result.winners, result.totals)
        yield rows, tuple(sorted(colours, key=lambda colour: places[colour]))


def _end(game: AnyGame, record: Sequence[Any]) -> Any:
    state = game.start(game_of(record[0])[1])
    for line in record[1:]:
        for event in game.decide(state, game.parse(line)):
            state = game.evolve(state, event)
    return state


def _beginning(repository: Repository) -> Any:
    who = Who("script", "script")
    return lambda header, lines: repository.begin(header, who, 0.0, imported=True, lines=lines)


def _timed(record: Sequence[Any], lots: Random) -> Iterator[Any]:
    """Yield the record with a random time for each move: some take long, most don't."""
    yield record[0]
    at = 0.0
    for line in record[1:]:
        at += lots.expovariate(1000 / MOVE_S) * 1_000_000
        yield {**line, "at": int(at)}


def lay(folder: Path, games: int, distinct: int, seed: int) -> int:
    """Write *games* games to the ledger of *folder*, and return its number of rows."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger.open(folder / "ledger.sqlite")
    lots = Random(seed)
    known = list(played(Repository(ledger, GAMES, lots), distinct, seed))
    waiting: list[Row] = []
    for each in range(games):
        rows, best_first = known[each] if each < len(known) else lots.choice(known)
        evening = FIRST_MS + each * EVENING_MS + lots.randrange(EVENING_MS // 2)
        waiting += _again(rows, _names(best_first, lots), evening, waiting[-1].id if waiting else ledger.last)
        if each % AT_ONCE == AT_ONCE - 1 or each == games - 1:
            assert ledger.append(waiting), ledger.trouble
            waiting = []
    last = ledger.last
    ledger.close()
    return last


def _again(rows: Sequence[Row], names: dict[str, str], evening: int, last: int) -> Iterator[Row]:
    """Yield the rows of a game again, after row *last*, with another date (*evening*) and other *names*."""
    for row in Numbering().numbered(rows, last):
        body = row.body
        if row.kind == "game":
            header = body["header"]
            seats = [{**seat, "name": names.get(seat["colour"], seat["name"])} for seat in header["players"]]
            body = {**body, "header": {**header, "players": seats}}
        yield replace(row, wall_ms=evening + row.at_ms, body=body)


def _names(best_first: Sequence[str], lots: Random) -> dict[str, str]:
    """Return a name for each colour: names early in the list get good places a little more often."""
    left = lots.sample(NAMES, len(best_first))
    found = {}
    for colour in best_first:
        found[colour] = lots.choices(left, [1.06 ** -NAMES.index(name) for name in left])[0]
        left.remove(found[colour])
    return found


def main() -> None:
    """Create the ledger, and print its size."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--distinct", type=int, default=DISTINCT)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    began = time.perf_counter()
    rows = lay(args.folder, args.games, args.distinct, args.seed)
    print(f"{args.games} simulated games, {args.distinct} of them distinct: {rows:,} rows", end="")
    print(f" in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
