"""`make figures`: prints figures about the code with their goals, and on request those of another checkout.

`--tests` also runs `make test` and measures its cost, which takes minutes. `--json` prints JSON.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.figures.acts import ACTS, lines_of_game, mentions, unspoken
from tests.figures.imports import ROOT, Edges, cycles, folders, loose, modules, run_in
from tests.figures.product import sources
from tests.figures.shape import printable_classes, repeated_classes, single_importers, strange_classes
from tests.figures.sources import comments, lengths, longest_line
from tests.figures.volume import messages, python, styles, templates
from tests.figures.wording import dialect
from tests.product_source import ROOMS

TRACED, COST = Path(__file__).with_name("traced.py"), Path(__file__).parents[1] / "cost.py"
MODULES = {"cube": "< 60", "tap": "< 45", "page": "< 55"}
"""The goals for the number of modules that a cube, a tap and a page may execute."""
CALLS = {"cube": "350"}
LINES = {"hanse": "2400"}
"""The goal for a game's lines of code."""


class Figure(NamedTuple):
    """One figure: its name, its value, and its goal if there is one."""

    name: str
    value: object
    goal: str = ""


def structure(imports: Edges) -> Iterator[Figure]:
    """Yield figures about imports between modules and folders."""
    for what, found in (("folder", cycles(folders(imports))), ("module", cycles(imports))):
        yield Figure(f"{what} cycles", len(found), "0")
        yield from (Figure(f"  a cycle of {len(each)} {what}s", ", ".join(sorted(each))) for each in found)
    yield Figure("folders", len(folders(imports)))
    once = single_importers(imports)
    yield Figure("modules with exactly one importer", share(once, len(imports)), "< 25 %")


def scattered(root: Path, imports: Edges) -> Iterator[Figure]:
    """Yield how many files mention one act of each game, and how many lines a game has."""
    for game, act in ACTS.items():
        yield Figure(f"files that mention an act: {act} ({game})", len(mentions(root, act)), "<= 8")
    for game in ACTS:
        silent, events = unspoken(root, game)
        yield Figure(f"events never spoken: {game}", f"{len(silent)} of {events}", "0")
    for game in ACTS:
        lines = lines_of_game(root, game, imports)
        yield Figure(f"code lines of {game}: rules", lines.rules)
        yield Figure(f"code lines of {game}: without pages", lines.companion)
        yield Figure(f"code lines of {game}: everything", lines.all_of_it, LINES.get(game, ""))


def traced(root: Path) -> Iterator[Figure]:
    """Yield how many modules and calls a cube, a tap and a page need in the checkout at *root*, or why that can't be
    measured."""
    try:
        found = json.loads(run_in(root, TRACED))
    except OSError as fault:
        yield Figure("traces", f"- ({fault})")
        return
    for one, goal in MODULES.items():
        yield Figure(f"modules for a {one}", found[one]["modules"], goal)
        yield Figure(f"calls for a {one}", found[one]["calls"], CALLS.get(one, ""))
    yield Figure("addresses of pages besides games' own steps", found["addresses"], "28")


def names(root: Path) -> Iterator[Figure]:
    """Yield figures about how well names and words lead to code."""
    strange, main_classes = strange_classes(root)
    yield Figure("main classes that share no word with their file", share(len(strange), main_classes), "0")
    yield Figure("class names used more than once", len(repeated_classes(root)), "< 60")
    printable = printable_classes(root)
    yield Figure("classes with state and a `__repr__` of their own", share(printable.own, printable.stateful), "all")
    yield Figure("dataclasses, which have a `__repr__`", printable.dataclasses)
    yield Figure("dialect words per 1,000", dialect(root), "< 1")


def amounts(root: Path) -> Iterator[Figure]:
    """Yield how much code, style, markup and text there is."""
    lines, code, count = python(root)
    yield from (Figure("lines of Python", lines, "<= 76500"), Figure("lines of code in them", code))
    yield Figure("modules of Python", count, "<= 790")
    strays = list(loose(root))
    yield Figure("loose modules at the roots", " ".join((str(len(strays)), *strays)), "0")
    css, layout = styles(root)
    yield from (Figure("lines of CSS", css, "16000"), Figure("declarations that lay out", f"{layout} %"))
    pages, html = templates(root)
    yield from (Figure("templates", pages, "130"), Figure("lines of HTML", html))
    yield Figure("messages in a catalogue", messages(root))


def sizes(root: Path) -> Iterator[Figure]:
    """Yield figures about the length of functions and lines, and the number of comments."""
    texts = list(sources(root, ROOMS).values())
    found = lengths(texts)
    yield Figure("functions", found.functions)
    yield Figure("lines of a function, mean", found.mean)
    yield Figure("lines of a function, nine in ten", found.nine_in_ten)
    yield Figure("functions over 30 lines", found.over_30)
    yield Figure("comment lines for 100 of code", comments(texts))
    yield Figure("longest line of HTML, CSS, JavaScript", longest_line(root)[0])


def cost(root: Path) -> Iterator[Figure]:
    """Yield the cost of the tests of the checkout at *root*. It runs them, which takes minutes."""
    done = subprocess.run([sys.executable, COST, "--root", root], stdout=subprocess.PIPE, text=True, check=False)
    for name, found in json.loads(done.stdout or "{}").items():
        whole = name == "make test"
        yield Figure(f"{name}, minutes of processor", found["cpu_min"], "6" if whole else "")
        yield Figure(f"{name}, minutes of wall", found["wall_min"], "4" if whole else "")
        yield Figure(f"{name}, green", found["green"], "True")


def share(part: int, whole: int) -> str:
    """Return a part of a whole in words.

    >>> share(306, 839)
    '306 of 839 (36 %)'
    """
    return f"{part} of {whole} ({100 * part // max(1, whole)} %)"


def figures(root: Path, tests: bool = False) -> list[Figure]:
    """Return all figures of the checkout at *root*."""
    imports = modules(root)
    parts = (structure(imports), scattered(root, imports), traced(root), names(root), amounts(root), sizes(root))
    return [each for part in (*parts, *((cost(root),) if tests else ())) for each in part]


def rows(now: Iterable[Figure], before: Mapping[str, object] | None = None) -> Iterator[str]:
    """Yield the rows of the table: each figure in another checkout if *before* is given, now, and its goal."""
    between = "" if before is None else f"{'before':20} "
    yield f"{'':50} {between}{'now':20} goal"
    for name, value, goal in now:
        was = "" if before is None else f"{before.get(name, '-')!s:20} "
        yield f"{name:50} {was}{value!s:20} {goal}".rstrip()


def as_json(now: Iterable[Figure], before: Mapping[str, object] | None = None) -> str:
    """Return the table as JSON, such as ``{"templates": {"before": 176, "now": 180, "goal": "130"}}``."""
    had = before or {}
    table = {name: {"before": had.get(name), "now": value, "goal": goal} for name, value, goal in now}
    return json.dumps(table, indent=1)


def main() -> None:
    """Print each figure on a line of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("--tests", action="store_true", help="also run all tests, and print what they cost")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="another checkout to compare with")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    before = dict(each[:2] for each in figures(asked.before.resolve(), asked.tests)) if asked.before else None
    now = figures(ROOT, asked.tests)
    print(as_json(now, before) if asked.json else "\n".join(rows(now, before)))


if __name__ == "__main__":
    main()
