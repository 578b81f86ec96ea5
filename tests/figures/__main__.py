"""`make figures`: prints how this code is held together; with `--tests` also what `make test` costs, in minutes."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator

from tests.figures.imports import ROOMS, ROOT, cycles, folders, loose, modules
from tests.figures.sources import comments, lengths, longest_line

Figure = tuple[str, object]


def structure() -> Iterator[Figure]:
    """Yield how modules and folders stand to each other."""
    imports = modules()
    for what, found in (("folder", cycles(folders(imports))), ("module", cycles(imports))):
        yield f"{what} cycles", len(found)
        yield from ((f"  one of {len(each)}", ", ".join(sorted(each))) for each in found)
    strays = list(loose())
    yield "loose modules at the roots", len(strays)
    yield from (("  loose", each) for each in strays)
    yield "folders", len(folders(imports))
    yield "modules", len(imports)


def sizes() -> Iterator[Figure]:
    """Yield how long things are, and how much is said of why."""
    texts = [path.read_text(encoding="utf-8") for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found = lengths(texts)
    yield "functions", found.functions
    yield "lines of a function, mean", found.mean
    yield "lines of a function, nine in ten", found.nine_in_ten
    yield "functions over 30 lines", found.over_30
    yield "comment lines for 100 of code", comments(texts)
    length, where = longest_line(ROOT)
    yield "longest line of HTML, CSS, JavaScript", f"{length} ({where})"


def tests() -> Iterator[Figure]:
    """Yield what the tests cost here; they are run for it, which takes minutes."""
    done = subprocess.run([sys.executable, "-m", "tests.cost"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    for name, found in json.loads(done.stdout).items():
        yield from ((f"{name}, {what}", value) for what, value in found.items())


def main() -> None:
    """Print each figure on a line of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("--tests", action="store_true", help="run all tests too, and say what they cost")
    asked = parser.parse_args()
    for name, value in (*structure(), *sizes(), *(tests() if asked.tests else ())):
        print(f"{name:40} {value}")


if __name__ == "__main__":
    main()
