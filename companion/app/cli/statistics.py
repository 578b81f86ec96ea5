"""`companion statistics`: print statistics of players, colours, lengths and records, over all finished games."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.app.arguments import add_data, add_json, number, printable
from companion.app.exit_codes import FINE, Failed
from companion.app.progress import watching
from companion.games.registry import GAMES
from companion.kernel.moments import date_in_this_zone
from companion.kernel.said import percent

if TYPE_CHECKING:
    from companion.statistics import Best, Filter, Person, Questions, ShareInterval


def add(parser: ArgumentParser) -> None:
    """Add the options that choose games."""
    parser.add_argument("--game", choices=tuple(GAMES), default="", help="only this kind of game (default: all)")
    parser.add_argument("--player", default="", metavar="NAME", help="only games with this player")
    parser.add_argument(
        "--players", type=number(1), default=0, metavar="N", help="only games with this number of players"
    )
    parser.add_argument(
        "--since",
        type=_day,
        default=0,
        metavar="YYYY-MM-DD",
        help="only games that ended on this day or later, for example 2026-11-23",
    )
    add_json(parser)
    add_data(parser)


def run(args: Namespace) -> int:
    """Print the statistics of finished games. Demos and abandoned games are left out."""
    from companion.app.ledger_access import table_read_only
    from companion.kernel.names import same_person
    from companion.statistics import Filter

    chosen = Filter(args.game, same_person(args.player), args.players, args.since)
    with table_read_only(args.data) as table:
        table.archive.summaries.catch_up(watch=watching("Looking at games", "pieces", args.json))
        if table.archive.summaries.fault:
            raise Failed(table.archive.summaries.fault)
        questions = table.archive.summaries.questions
        print(json.dumps(figures(questions, chosen)) if args.json else "\n".join(_lines(questions, chosen)))
        table.archive.summaries.close()
    return FINE


def _day(text: str) -> int:
    with suppress(ValueError, OverflowError):
        return max(1, round(time.mktime(time.strptime(text, "%Y-%m-%d")) * 1000))
    raise ArgumentTypeError(f"{text!r} isn't a day like 2026-11-23")


def figures(questions: Questions, chosen: Filter) -> dict[str, Any]:
    """Return all statistics as JSON."""
    tally = questions.tally(chosen)
    return {
        "games": tally.games,
        "persons": tally.persons,
        "ms": tally.ms,
        "timed_games": tally.timed,
        "draws": tally.draws,
        "players": [_of_person(each) for each in questions.people(chosen)],
        "colours": [{"colour": side.name, **_of_share(side.wins, side.chance)} for side in questions.colours(chosen)],
        "turns": [{"turn": int(side.name), **_of_share(side.wins, side.chance)} for side in questions.turns(chosen)],
        "lengths": [
            {"game": each.kind, "players": each.players, "games": each.n}
            | {"ms": [each.least, each.lower, each.middle, each.upper, each.most]}
            for each in questions.lengths(chosen)
        ],
        "steps": [
            {"game": each.kind, "step": each.step, "games": each.games, "times": each.times, "ms": each.ms}
            for each in questions.stages(chosen)
        ],
        "records": [
            {"game": each.kind, "record": each.word, "value": each.value, "names": list(each.names)}
            | {"id": each.game, "ended_ms": each.ended_ms}
            for each in questions.records(chosen)
        ],
    }


def _of_person(each: Person) -> dict[str, Any]:
    rated, rival = each.rating, each.rival
    return {
        "name": each.name,
        "games": each.games,
        **_of_share(each.wins, each.chance / each.wins.n if each.wins.n else 0.0),
        "turns": each.turns,
        "turn_ms": round(each.turn_ms),
        "rating": None if rated is None else [round(rated.rating.mu, 3), round(rated.rating.sigma, 3), rated.nth],
        "rival": None
        if rival is None
        else {"name": rival.name, "games": rival.games, "ahead": rival.ahead, "level": rival.level},
    }


def _of_share(share: ShareInterval, chance: float) -> dict[str, Any]:
    within = [round(share.low, 4), round(share.high, 4)]
    return {"wins": share.hits, "of": share.n, "within": within, "chance": round(chance, 4)}


def _lines(questions: Questions, chosen: Filter) -> Iterator[str]:
    tally = questions.tally(chosen)
    played = f"{_time(tally.ms)} played in the {tally.timed} with a clock"
    yield f"{tally.games} games ended, {tally.persons} players, {played}."
    for each in questions.people(chosen):
        yield f"  {printable(each.name):<16} {_person_line(each)}"
    for side in questions.colours(chosen):
        yield f"  {side.name:<16} {_share(side.wins)}, by chance {percent(side.chance)}"
    for side in questions.turns(chosen):
        yield f"  {'turn ' + side.name:<16} {_share(side.wins)}, by chance {percent(side.chance)}"
    for length in questions.lengths(chosen):
        half = f"half of {length.n} games between {_time(length.lower)} and {_time(length.upper)}"
        yield f"  {length.kind} for {length.players}: {_time(length.middle)} ({half})"
    yield from (f"  {_record(each)}" for each in questions.records(chosen))


def _person_line(each: Person) -> str:
    parts = [f"{each.games} games", _share(each.wins)]
    if each.turns:
        parts.append(f"{each.turn_ms / 1000:.1f} s a turn")
    if each.rating is not None:
        parts.append(f"rating {each.rating.rating.mu:.1f} ± {2 * each.rating.rating.sigma:.1f}")
    if each.rival is not None:
        rival = each.rival
        name = printable(rival.name)
        parts.append(f"met {name} {rival.games} times, ahead {rival.ahead}")
    return ", ".join(parts)


def _share(share: ShareInterval) -> str:
    if not share.n:
        return "no games with a winner"
    return f"won {share.hits} of {share.n} ({percent(share.low)} to {percent(share.high)})"


def _record(each: Best) -> str:
    day = date_in_this_zone(each.ended_ms / 1000)
    value = _time(each.value) if each.word in ("longest", "shortest") else f"{each.value} points"
    names = ", ".join(map(printable, each.names))
    return f"{each.kind}, {each.word}: {value} ({names}; game {each.game}, {day})"


def _time(ms: float) -> str:
    minutes = round(ms / 60_000)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{ms / 60_000:.1f} min"
