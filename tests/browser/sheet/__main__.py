"""Takes pictures of every page in every look, and checks them with axe-core: `python -m tests.browser.sheet`.

The pictures are in build/sheet, with a page that shows them all; faults of pages are printed and counted.
"""

from __future__ import annotations

import multiprocessing
import sys
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

from tests.browser.sheet.index import index
from tests.browser.sheet.looks import READ_IN
from tests.browser.sheet.scenes import SCENES
from tests.browser.sheet.taking import taken

ROOT = Path(__file__).parents[3]


def main() -> None:
    """Take pictures of all evenings, and print the faults and the sheet's folder."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "sheet")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this evening")
    parser.add_argument("--page", action="append", default=[], help="only this page")
    parser.add_argument("--language", action="append", choices=READ_IN, help="only this language")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    wanted = args.scene or list(SCENES)
    only, languages = tuple(args.page), tuple(args.language or READ_IN)
    with ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        each = list(pool.map(taken, wanted, [args.folder] * len(wanted), repeat(only), repeat(languages)))
    rows, wrong = [row for taken, _ in each for row in taken], [one for _, found in each for one in found]
    (args.folder / "index.html").write_text(index(rows, wrong), encoding="utf-8")
    print(*wrong, sep="\n")
    shown = sum(len(row.pictures) for row in rows)
    print(f"{len(rows)} pages, {shown} pictures, {len(wrong)} faults: {args.folder / 'index.html'}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
