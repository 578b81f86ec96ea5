"""`companion replay`, `verify`, `utterances` and `simulate`: commands for records of games. They need no ledger."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, BinaryIO

from companion.app.arguments import add_json, add_language, add_record, number, printable, seed
from companion.app.exit_codes import BAD_USE, FAILED, FINE, BadUse, unreadable, unwritable
from companion.app.named_file import opened, remarks
from companion.app.progress import watching
from companion.games.registry import GAMES
from companion.kernel.languages import DEFAULT

if TYPE_CHECKING:
    from companion.autoplay.simulate import Bill, Simulated
    from companion.model.capabilities import RandomPlay
    from companion.records import RecordError

SEAL_DIGITS = 64
AMOUNTS = ("few", "usual", "all")


def add_replay(parser: ArgumentParser) -> None:
    """Add the arguments for the record, and for the line where the replay ends."""
    add_record(parser)
    add_json(parser, "print the final state as one JSON object")
    parser.add_argument("--until", type=number(1), metavar="N", help="stop after line N (the header is line 1)")
    parser.add_argument(
        "--html", metavar="OUT", help="instead, write a page that shows the game step by step to this file"
    )


def run_replay(args: Namespace) -> int:
    """Replay the record *args.file* (`-`: standard input) and print its final state."""
    from companion.games.registry import GAMES
    from companion.model.game import Viewer
    from companion.records import RecordError, read_file, replay

    try:
        with opened(args.file) as stream:
            if args.html is not None:
                return _shown(args, stream)
            lines = watching("Replaying", "lines", args.json)(read_file(stream))
            played = replay(GAMES, lines, args.until)
    except OSError as fault:
        return _fault(args, RecordError(0, None, f"{args.file} can't be read: {fault.strerror}"))
    except RecordError as fault:
        return _fault(args, fault)
    if args.json:
        print(json.dumps(played.game.view(played.state, Viewer(owner=True))))
    else:
        for line in played.game.standing(played.state):
            print(printable(line))
    return FINE


def _shown(args: Namespace, stream: BinaryIO) -> int:
    """Write the record as a page. If this raises `RecordError`, no page was written."""
    from companion.app.replay_page import write_page
    from companion.games.registry import GAMES
    from companion.records import read_file
    from companion.session.hidden import seen_record
    from companion.session.timeline import of_record

    lines = islice(read_file(stream), args.until)
    size = write_page(args.html, lambda begin: seen_record(of_record(GAMES, lines, begin)), DEFAULT)
    print(f"The game is in {args.html} ({size} bytes). Any browser opens it.", file=remarks(args.html))
    return FINE


def _fault(args: Namespace, fault: RecordError) -> int:
    if args.json:
        print(json.dumps({"error": {"line": fault.line, "do": fault.do, "reason": fault.reason}}))
    where = f"line {fault.line}: " if fault.line else ""
    print(f"companion: {where}{fault.reason}", file=sys.stderr)
    return BAD_USE


def add_verify(parser: ArgumentParser) -> None:
    """Add the record and the seal."""
    add_record(parser)
    parser.add_argument("--seal", type=_seal, metavar="HEX", help="the seal that the table showed")
    add_json(parser)


def _seal(text: str) -> str:
    digits = "".join(text.split()).lower()
    if len(digits) != SEAL_DIGITS or not set(digits) <= set("0123456789abcdef"):
        raise ArgumentTypeError(f"must be {SEAL_DIGITS} hexadecimal digits")
    return digits


def run_verify(args: Namespace) -> int:
    """Print whether the seal, the random numbers and the draws agree. The status is 1 if they do not."""
    from companion.games.registry import GAMES
    from companion.kernel.errors import Malformed, Refused
    from companion.records.parser import RecordError, read_file
    from companion.records.verify import verified

    try:
        with opened(args.file) as stream:
            found = verified(GAMES, watching("Verifying", "lines", args.json)(read_file(stream)), args.seal or "")
    except OSError as fault:
        raise unreadable(args.file, fault) from None
    except RecordError as fault:
        raise BadUse(f"{args.file}, line {fault.line}: {fault.reason}") from None
    except (Malformed, Refused) as fault:
        raise BadUse(f"{args.file}: {fault.reason}") from None
    wrong = [{"line": number, "why": str(why)} for number, why in found.wrong]
    if args.json:
        print(json.dumps({"seal": found.seal, "words": list(found.words), "lots": found.lots, "wrong": wrong}))
    else:
        print(f"Seal {found.seal}, {len(found.words)} words, {found.lots} random draws.")
        for each in wrong:
            print(f"  line {each['line']}: {each['why']}")
        print(
            "The record doesn't match its seal."
            if wrong
            else "The seed matches its seal, and every random draw follows from the seed."
        )
    return FAILED if wrong else FINE


def add_utterances(parser: ArgumentParser) -> None:
    """Add the options for the record, the language, and the verbosity."""
    add_record(parser)
    add_language(parser)
    parser.add_argument("--words", choices=AMOUNTS, default="all", help="how much is spoken (default: all)")


def run_utterances(args: Namespace) -> int:
    """Print the sentences that the table would speak during the game, one per line."""
    from companion.games.registry import GAMES
    from companion.model.speech import Verbosity, Whose, chosen
    from companion.records import RecordError, read_file
    from companion.speech import utterances_of
    from web.http.i18n import said_in

    try:
        with opened(args.file) as stream:
            lines = watching("Reading", "lines")(read_file(stream))
            for one in chosen(utterances_of(GAMES, lines), Verbosity[args.words.upper()], Whose.ALL):
                print(printable(said_in(one.text, args.language)))
    except OSError as fault:
        raise unreadable(args.file, fault) from None
    except RecordError as fault:
        raise BadUse(f"line {fault.line}: {fault.reason}") from None
    return FINE


def add_simulate(parser: ArgumentParser) -> None:
    """Add the game, the number of games, and the folder to write to."""
    parser.add_argument("--game", choices=tuple(GAMES), default=next(iter(GAMES)), help="kind of game")
    parser.add_argument(
        "--players",
        type=number(1),
        metavar="N",
        help="number of players (default: 4, or the most that the game allows)",
    )
    parser.add_argument("--games", type=number(1), default=100, metavar="N", help="number of games (default: 100)")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the random numbers (default: 1)")
    parser.add_argument(
        "--rulings", choices=("default", "any"), default="default", help="any: choose the game's options at random too"
    )
    parser.add_argument("--records", metavar="DIR", help="write each game and its final state to this folder")
    add_json(parser)


def run_simulate(args: Namespace) -> int:
    """Play *args.games* random games and print a summary. The status is 1 if an invariant was violated."""
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
    """Return the random play of the chosen game, or raise `BadUse` if it has none."""
    play = GAMES[args.game].random_play
    if play is None:
        raise BadUse(f"--game: {args.game} can't be played at random")
    if args.players not in (None, *play.players):
        counts = ", ".join(map(str, play.players))
        raise BadUse(f"--players: {args.game} can't be played by {args.players} players (choose from {counts})")
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
