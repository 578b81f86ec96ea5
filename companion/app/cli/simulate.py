"""`companion simulate`: random games, played out and checked on the way."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from companion.app.arguments import add_json, number, seed
from companion.app.exit_codes import FAILED, FINE, BadUse, unwritable
from companion.app.progress import watching
from companion.games.registry import GAMES

if TYPE_CHECKING:
    from companion.autoplay.simulate import Bill, Simulated
    from companion.model.capabilities import RandomPlay


def add(parser: ArgumentParser) -> None:
    """Add what is played, how often, and where it is written."""
    parser.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)))
    parser.add_argument("--players", type=number(1), metavar="N", help="default: 4, or as many as it is for")
    parser.add_argument("--games", type=number(1), default=100, metavar="N")
    parser.add_argument("--seed", type=seed, default=1)
    parser.add_argument("--rulings", choices=("default", "any"), default="default", help="any: random options too")
    parser.add_argument("--records", metavar="DIR", help="write each game and its final state there")
    add_json(parser)


def run(args: Namespace) -> int:
    """Play *args.games* random games and print the bill; status 1 when an invariant broke."""
    from companion.autoplay.simulate import Bill, simulate

    game, play, bill = GAMES[args.game], _play(args), Bill()
    args.players = args.players or min(4, max(play.players))
    watch = watching(f"Playing {args.game}", "games", args.json)
    for each in watch(range(args.games), args.games):
        lots = Random(f"{args.seed}-{each}")
        played = simulate(game, play, args.players, lots, time.perf_counter, args.rulings == "any")
        bill.add(played)
        if args.records:
            _write(Path(args.records), f"{args.seed}-{each}", played)
    _print_bill(args, bill)
    return FAILED if bill.broken else FINE


def _play(args: Namespace) -> RandomPlay:
    """Return how the game that is asked for is played at random, or raise `BadUse`."""
    play = GAMES[args.game].random_play
    if play is None:
        raise BadUse(f"--game: {args.game} can't be played at random")
    if args.players not in (None, *play.players):
        counts = ", ".join(map(str, play.players))
        raise BadUse(f"--players: {args.game} is not for {args.players} players (choose from {counts})")
    return play


def _write(directory: Path, name: str, played: Simulated) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(line) + "\n" for line in played.record)
        (directory / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        (directory / f"{name}.json").write_text(json.dumps(played.final) + "\n", encoding="utf-8")
    except OSError as fault:
        raise unwritable(fault.filename or directory, fault) from None


def _print_bill(args: Namespace, bill: Bill) -> None:
    rate = bill.commands / bill.seconds if bill.seconds else 0.0
    rounds = bill.rounds / bill.games
    if args.json:
        figures = {"game": args.game, "players": args.players, "games": bill.games, "commands": bill.commands}
        figures |= {"commands_per_s": round(rate, 1), "broken": len(bill.broken), "rounds_mean": round(rounds, 2)}
        print(json.dumps(figures))
        return
    print(
        f"{bill.games} games of {args.game} for {args.players}: {bill.commands} commands, {rounds:.1f} rounds a game."
    )
    print(f"{rate:,.0f} commands per second. Broken invariants: {len(bill.broken)}.")
    for fault in bill.broken[:10]:
        print(f"  {fault}")
