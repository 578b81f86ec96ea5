"""`companion fairness bench`: record pulls of numbered cubes in a bench test, and analyse them."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import exp, inf
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, TypeVar

from companion.app.arguments import add_json, measure, name, number, seed
from companion.app.cli.chance import SIGNIFICANT, figures, finite, limits, text_of
from companion.app.exit_codes import FINE, BadUse, unreadable, unwritable
from companion.fairness.bench import Bench, BenchTest
from companion.kernel.moments import in_utc

if TYPE_CHECKING:
    from companion.app.terminal.bench import RecordedTest
    from companion.fairness.bench import Bench, BenchTest
    from companion.fairness.bench_report import BenchReport, Mixing

# `BenchRing` simulates a ring for bench tests, with known odds and known mixing.

MIXING_S = 2.0
"""After this many seconds of shaking, 1/e of the order remains. The value is a guess; it has not been measured."""


@dataclass(frozen=True)
class BenchRing:
    """A simulated ring. *odds* are the odds of some kinds of cubes; other kinds have odds of 1.

    Without shaking, the odds of the cube filled in last against the first are e^*order*. Shaking reduces them.
    """

    odds: Mapping[str, float]
    order: float = 0.0

    def lets_out(self, bench: Bench, left: Sequence[int], shaken_s: float, lots: Random) -> int:
        """Return the cube that comes out. *left* are the cubes in the ring, in filling order."""
        lean = self.order * exp(-shaken_s / MIXING_S)
        far = max(len(left) - 1, 1)
        weights = [
            self.odds.get(bench.kind(number), 1.0) * exp(lean * place / far) for place, number in enumerate(left)
        ]
        return lots.choices(left, weights)[0]


def simulated_lines(
    ring: BenchRing, bench: Bench, pulls: int, each: int, shakes_s: Sequence[float], lots: Random
) -> Iterator[Mapping[str, object]]:
    """Yield the lines of a test with *pulls* pulls. The ring is refilled after every *each* pulls.

    *shakes_s* are the shaking times in seconds, used in turn.
    """
    test, line = BenchTest(bench), dict[str, object]()
    for pull in range(pulls):
        if pull % each == 0:
            line = {"fill": lots.sample(bench.numbers, len(bench.numbers))}
            test = test.after(line)
            yield line
        seconds = shakes_s[pull % len(shakes_s)]
        line = {"pull": [ring.lets_out(bench, test.left, seconds, lots)], "shaken_s": seconds}
        test = test.after(line)
        yield line


T = TypeVar("T")
SIMULATED_PULLS = 300


def add(parser: ArgumentParser) -> None:
    """Add the options for the cubes, for the length of the test, and for its files."""
    cubes = "number of cubes of each kind; the cubes are numbered from 1 in this order"
    parser.add_argument("--cubes", type=_cubes, metavar="KIND=N,...", help=cubes)
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="save the test to this file; an unfinished test in it is continued"
    )
    source = "analyse a record, or a table (.csv) with the columns filling, order, cube, shaken_s"
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE", help=source)
    parser.add_argument("--pulls", type=number(1, 100_000), metavar="N", help="end the test after N pulls")
    each = "pulls before the ring is filled again (default: all cubes but one)"
    parser.add_argument("--each", type=number(1, 199), metavar="N", help=each)
    classes = "limits in seconds between short, usual and long shaking (default: 2,5)"
    parser.add_argument("--classes", type=_classes, default="2,5", metavar="S,...", help=classes)
    parser.add_argument("--name", type=name, metavar="NAME", help="the ring's name, for the record")
    parser.add_argument("--by-lot", action="store_true", help="the orders in the table of --from are random")
    simulate = "use a simulated ring with these odds instead of asking a person"
    parser.add_argument("--simulate", type=_by_odds, metavar="KIND=W,...", help=simulate)
    order = "ln odds of the simulated ring for the last cube put in against the first, unshaken (default: 0)"
    parser.add_argument("--order", type=measure(-20, 20), default=0.0, metavar="LN_ODDS", help=order)
    shakes = "seconds of shaking before each simulated pull, used in turn (default: 1,3,6)"
    parser.add_argument("--shakes", type=_seconds, default="1,3,6", metavar="S,...", help=shakes)
    parser.add_argument("--seed", type=seed, help="seed of the random numbers, to repeat a test")
    add_json(parser)


def run(args: Namespace) -> int:
    """Run a bench test with a person or a simulated ring, or load a stored test, and print the analysis."""
    from companion.fairness.bench import BadBench
    from companion.fairness.bench_report import bench_report

    if args.source and (args.record or args.simulate is not None):
        raise BadUse("--from analyses a finished test; --record and --simulate run a new one: use one of them")
    try:
        report = bench_report(_read(args) if args.source else _held(args))
    except BadBench as fault:
        raise BadUse(f"{args.source or args.record or '--cubes'}: {fault}") from None
    print(json.dumps(_row(report)) if args.json else "\n".join(_lines(report)))
    return FINE


def _read(args: Namespace) -> BenchTest:
    from companion.fairness.bench_record import read_record, read_table

    text = _text(args.source)
    if args.source.suffix.lower() != ".csv":
        return read_record(text)
    return read_table(text, _bench(args, by_lot=args.by_lot))


def _held(args: Namespace) -> BenchTest:
    """Run a test with a person. Each line is saved before the next question."""
    from companion.fairness.bench import BenchTest
    from companion.fairness.bench_record import read_record

    simulated = args.simulate is not None
    if args.record is None and not simulated:
        raise BadUse("--record FILE is required: the pulls are saved in it")
    begun = None
    if args.record is not None and args.record.exists():
        if simulated:
            raise BadUse(f"--record: {args.record} already exists; analyse it with --from")
        begun = read_record(_text(args.record))
    test = begun or BenchTest(_bench(args, simulated=simulated))
    with _keeping(args.record, test, fresh=begun is None) as recorded:
        (_simulate if simulated else _ask)(args, recorded)
        return recorded.test


def _simulate(args: Namespace, recorded: RecordedTest) -> None:
    from companion.app.cli.fairness_bench import BenchRing, simulated_lines

    bench = recorded.test.bench
    if unknown := set(args.simulate) - set(bench.cubes):
        raise BadUse(f"--simulate: no cube is called {min(unknown)}")
    ring = BenchRing(args.simulate, args.order)
    each, pulls = _each(args, bench), args.pulls or SIMULATED_PULLS
    for line in simulated_lines(ring, bench, pulls, each, args.shakes, Random(args.seed)):
        recorded.take(line)


def _ask(args: Namespace, recorded: RecordedTest) -> None:
    from companion.app.terminal.bench import BenchDialogue

    out = sys.stderr if args.json else sys.stdout
    lots = SystemRandom() if args.seed is None else Random(args.seed)
    dialogue = BenchDialogue(
        recorded, iter(sys.stdin.readline, ""), lambda line: print(line, file=out, flush=True), lots
    )
    dialogue.hold(args.pulls, _each(args, recorded.test.bench))


@contextmanager
def _keeping(path: Path | None, test: BenchTest, fresh: bool) -> Iterator[RecordedTest]:
    """Yield *test* with its file at *path*. If a test is continued, an incomplete last line is cut off first."""
    from companion.app.terminal.bench import RecordedTest

    if path is None:
        yield RecordedTest(test, None, fresh)
        return
    try:
        file = path.open("xb" if fresh else "r+b")
    except OSError as fault:
        raise unwritable(path, fault) from None
    with file:
        if not fresh:
            file.truncate(file.read().rfind(b"\n") + 1)
            file.seek(0, 2)
        yield RecordedTest(test, file, fresh)


def _bench(args: Namespace, *, simulated: bool = False, by_lot: bool = True) -> Bench:
    from companion.fairness.bench import Bench

    if args.cubes is None:
        raise BadUse("--cubes KIND=N,... is required, for example red=4,blue=4")
    begun = in_utc(time.time())
    return Bench(args.cubes, args.classes, by_lot, args.name or "", simulated, begun)


def _each(args: Namespace, bench: Bench) -> int:
    """Return the number of pulls after each filling.

    By default all cubes but one are pulled, because the last cube is certain.
    """
    return min(args.each or len(bench.cubes) - 1, len(bench.cubes))


def _text(path: Path) -> str:
    from companion.kernel.errors import Malformed
    from companion.kernel.text_file import read_text

    try:
        return read_text(path)
    except Malformed as fault:
        raise BadUse(f"{path}: {fault.reason}") from None
    except OSError as fault:
        raise unreadable(path, fault) from None


def _lines(report: BenchReport) -> list[str]:
    bench = report.bench
    ring = f"{'a simulated ring' if bench.simulated else 'a ring'} {bench.ring}".rstrip()
    lines = [f"Bench test of {ring}: {report.pulls} pulls from {report.fillings} fillings of {len(bench.cubes)} cubes"]
    if report.skipped:
        skipped = ", ".join(f"{count} {reason}" for reason, count in report.skipped.items())
        lines.append(f"  left out: {skipped}")
    lines += [f"  {kind:<12} {text_of(found)}" for kind, found in report.by_kind.items()]
    needed = min(found.needed for found in report.by_kind.values())
    if needed:
        lines.append(f"  about {needed} more pulls would detect odds of 1.25 in half of all rings")
    lines += [f"  {_shaken(each):<12} {_mixed(each)}" for each in report.mixing]
    if not bench.by_lot:
        lines.append(
            "  The order of the fillings was not random, so only cubes of one kind are compared by order. A ring that"
        )
        lines.append("  releases cubes in the order of filling can seem to favour the kind at one end of it.")
    return lines


def _shaken(mixing: Mixing) -> str:
    if mixing.most_s == inf:
        return f"{mixing.least_s:g} s or more"
    return f"{mixing.least_s:g} to {mixing.most_s:g} s"


def _mixed(mixing: Mixing) -> str:
    from companion.fairness.bench_report import Trace

    asked = {Trace.LAST: "last in against first in", Trace.NEIGHBOURS: "nearest to the previous cube against farthest"}
    if mixing.odds is None:
        return f"{asked[mixing.trace]}: no usable pull"
    mark = SIGNIFICANT if mixing.believed else ""
    return (
        f"{asked[mixing.trace]}: odds {mixing.odds:.2f}, between {mixing.within.least:.2f} and "
        f"{mixing.within.most:.2f} ({mixing.pulls} pull{'s' * (mixing.pulls != 1)}; e-value {mixing.e_value:.3g}{mark})"
    )


def _row(report: BenchReport) -> dict[str, object]:
    return {
        "ring": report.bench.ring,
        "simulated": report.bench.simulated,
        "begun": report.bench.begun,
        "cubes": [*report.bench.cubes],
        "by_lot": report.bench.by_lot,
        "pulls": report.pulls,
        "fillings": report.fillings,
        "left_out": dict(report.skipped),
        "by_kind": {kind: figures(found) for kind, found in report.by_kind.items()},
        "mixing": [_mixing_row(each) for each in report.mixing],
    }


def _mixing_row(mixing: Mixing) -> dict[str, object]:
    return {
        "trace": mixing.trace,
        "least_s": mixing.least_s,
        "most_s": finite(mixing.most_s),
        "pulls": mixing.pulls,
        "place": finite(mixing.place),
        "odds": finite(mixing.odds),
        "within": limits(mixing.within),
        "e_value": mixing.e_value,
        "believed": mixing.believed,
    }


def _cubes(text: str) -> tuple[str, ...]:
    """Parse the number of cubes of each kind; return the kind of each cube."""
    from companion.fairness.bench import MOST_CUBES

    found = tuple(kind for kind, count in _pairs(text, number(1, MOST_CUBES)).items() for _ in range(count))
    if not 2 <= len(found) <= MOST_CUBES:
        raise ArgumentTypeError(f"give from 2 to {MOST_CUBES} cubes, not {len(found)}")
    return found


def _by_odds(text: str) -> dict[str, float]:
    return _pairs(text, measure(0.01, 100)) if text else {}


def _pairs(text: str, read: Callable[[str], T]) -> dict[str, T]:
    found: dict[str, T] = {}
    for part in text.split(","):
        kind, equals, value = part.partition("=")
        if not equals or kind.strip() in found:
            raise ArgumentTypeError(f"give each kind once, with a number, for example red=4,blue=4, not {text!r}")
        found[name(kind.strip())] = read(value.strip())
    return found


def _seconds(text: str) -> tuple[float, ...]:
    return tuple(measure(0, 3600)(part) for part in text.split(","))


def _classes(text: str) -> tuple[float, ...]:
    found = _seconds(text)
    if not all(one < other for one, other in zip((0.0, *found), found, strict=False)):
        raise ArgumentTypeError(f"give increasing limits above 0, for example 2,5, not {text!r}")
    return found
