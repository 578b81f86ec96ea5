"""`make figures`: prints how this code is held together, beside what it aims at, and beside another checkout.

`--tests` also runs `make test` and says what it costs, which takes minutes; `--json` prints all of it as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.figures.acts import ACTS, lines_of_game, mentions, unspoken
from tests.figures.imports import ROOT, cycles, folders, loose, modules
from tests.figures.product import sources
from tests.figures.shape import printable_classes, repeated_classes, single_importers, strange_classes
from tests.figures.sources import comments, lengths, longest_line
from tests.figures.volume import messages, python, styles, templates
from tests.figures.wording import dialect

Figure = tuple[str, object]
TRACED = Path(__file__).with_name("traced.py")
GOALS: Mapping[str, str] = {
    "folder cycles": "0",
    "module cycles": "0",
    **{f"files that mention an act: {act} ({game})": "<= 8" for game, act in ACTS.items()},
    **{f"events never spoken: {game}": "0" for game in ACTS},
    "code lines of a game: hanse": "2400",
    "modules for a cube": "< 60",
    "modules for a tap": "< 45",
    "modules for a page": "< 55",
    "modules with exactly one importer": "< 25 %",
    "main classes that share no word with their file": "0",
    "class names used more than once": "< 60",
    "dialect words per 1,000": "< 1",
    "lines of CSS": "16000",
    "lines of Python": "<= 76500",
    "modules of Python": "<= 790",
    "templates": "130",
    "calls for a cube": "350",
}
"""What each figure should come to, where there is an aim."""


def scattered(root: Path) -> Iterator[Figure]:
    """Yield in how many places one thing is written."""
    for game, act in ACTS.items():
        yield f"files that mention an act: {act} ({game})", len(mentions(root, act))
    for game in ACTS:
        silent, events = unspoken(root, game)
        yield f"events never spoken: {game}", f"{len(silent)} of {events}"
    for game in ACTS:
        rules, all_of_it = lines_of_game(root, game)
        yield f"code lines of a game: {game}", f"{all_of_it}, {rules} without its pages"


def traced(root: Path) -> Iterator[Figure]:
    """Yield what a cube, a tap and a page execute in the checkout at *root*."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, TRACED], cwd=root, capture_output=True, text=True, env=surroundings)
    if done.returncode:
        yield "modules for a cube", f"not measured: {done.stderr.strip().splitlines()[-1]}"
        return
    found = json.loads(done.stdout)
    for one in ("cube", "tap", "page"):
        yield from ((f"{what} for a {one}", found[one][what]) for what in ("modules", "calls"))
    yield "addresses of pages besides games' own steps", found["addresses"]


def names(root: Path) -> Iterator[Figure]:
    """Yield how well names lead to code."""
    once, of = single_importers(root)
    yield "modules with exactly one importer", f"{once} of {of} ({100 * once // of} %)"
    strange, main_classes = strange_classes(root)
    yield "main classes that share no word with their file", f"{len(strange)} of {main_classes}"
    yield "class names used more than once", len(repeated_classes(root))
    printable, classes = printable_classes(root)
    yield "classes with a `__repr__` of their own", f"{printable} of {classes} that are no dataclass"
    yield "dialect words per 1,000", dialect(root)


def amounts(root: Path) -> Iterator[Figure]:
    """Yield how much there is of everything."""
    lines, code, count = python(root)
    yield from (("lines of Python", lines), ("lines of code in them", code), ("modules of Python", count))
    css, layout = styles(root)
    yield from (("lines of CSS", css), ("declarations that lay out", f"{layout} %"))
    pages, html = templates(root)
    yield from (("templates", pages), ("lines of HTML", html), ("messages in a catalogue", messages(root)))
    texts = list(sources(root).values())
    found = lengths(texts)
    yield "functions", found.functions
    yield "lines of a function, mean", found.mean
    yield "lines of a function, nine in ten", found.nine_in_ten
    yield "functions over 30 lines", found.over_30
    yield "comment lines for 100 of code", comments(texts)
    length, where = longest_line(root)
    yield "longest line of HTML, CSS, JavaScript", f"{length} ({where})"


def structure(root: Path) -> Iterator[Figure]:
    """Yield how modules and folders of this checkout stand to each other."""
    if root != ROOT:
        return  # the import graph is built from what this Python can import
    imports = modules()
    for what, found in (("folder", cycles(folders(imports))), ("module", cycles(imports))):
        yield f"{what} cycles", len(found)
        yield from ((f"  one of {len(each)}", ", ".join(sorted(each))) for each in found)
    strays = list(loose())
    yield "loose modules at the roots", len(strays)
    yield from (("  loose", each) for each in strays)
    yield "folders", len(folders(imports))


def cost(root: Path) -> Iterator[Figure]:
    """Yield what the tests cost here; they are run for it, which takes minutes."""
    done = subprocess.run([sys.executable, "-m", "tests.cost"], cwd=root, stdout=subprocess.PIPE, text=True)
    for name, found in json.loads(done.stdout).items():
        yield from ((f"{name}, {what}", value) for what, value in found.items())


PARTS: tuple[Callable[[Path], Iterator[Figure]], ...] = (structure, scattered, traced, names, amounts)


def figures(root: Path, tests: bool = False) -> dict[str, object]:
    """Return every figure of the checkout at *root* by its name."""
    return {name: value for part in (*PARTS, *((cost,) if tests else ())) for name, value in part(root)}


def main() -> None:
    """Print each figure on a line of its own: its name, before, now, and what it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("--tests", action="store_true", help="run all tests too, and say what they cost")
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="another checkout, printed beside this one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args()
    now = figures(ROOT, asked.tests)
    before = figures(asked.before.resolve(), asked.tests) if asked.before else {}
    if asked.json:
        print(json.dumps({"now": now, "before": before, "goals": dict(GOALS)}, indent=1))
        return
    for row in rows(now, before):
        print(row)


def rows(now: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[str]:
    """Yield the table: before where there is one, now, and the goal."""
    yield f"{'':48} {'before':28} {'now':28} goal" if before else f"{'':48} {'now':28} goal"
    for name, value in now.items():
        was = f"{before.get(name, '-')!s:28} " if before else ""
        yield f"{name:48} {was}{value!s:28} {GOALS.get(name, '')}".rstrip()


if __name__ == "__main__":
    main()
