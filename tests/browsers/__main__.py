"""`make browsers`: Firefox, WebKit and Chromium play the short game in five sizes, and their pages are compared.

It writes to build/browsers a picture of every page in every engine and size, and an index.html that shows them next
to each other. It prints errors of scripts; elements that overlap, are cut off or are off the screen; and elements
that an engine places differently from Chromium. The status is 1 if a script failed, a page could not be played, or a
page has a fault.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from tests.browsers import engines
from tests.browsers.engines import ENGINES
from tests.browsers.glass import Glass, Size
from tests.browsers.index import written
from tests.browsers.measure import apart, measured
from tests.browsers.scenes import SCENES, SIZES

BUILD = Path("build/browsers")
FIRST = "chromium"
"""The engine with which the others are compared."""


class Album:
    """What one engine showed: a picture of each page in each size, and its measurements."""

    def __init__(self, engine: str, folder: Path) -> None:
        self.engine, self._folder = engine, folder
        self.pages: dict[str, dict[str, Any]] = {}
        self.faults: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def look(self, glass: Glass, name: str, sizes: tuple[Size, ...] = SIZES) -> None:
        """Take a picture of the page in each of *sizes*, and measure it."""
        back = glass.size
        for size in sizes:
            glass.resize(size)
            found = measured(glass)
            picture = self._folder / f"{name}-{size}-{self.engine}.png"
            glass.picture(picture)
            self.pages[f"{name} {size}"] = found
            self.faults += [f"{name} {size} {self.engine}: {fault}" for fault in found["faults"]]
        glass.resize(back)
        self.faults += [f"{name} {self.engine} script: {fault}" for fault in glass.faults()]


def played(engine: str, scenes: list[str], folder: Path) -> Album:
    """Let *engine* play *scenes*."""
    album = Album(engine, folder)
    for scene in scenes:
        began = time.monotonic()
        try:
            SCENES[scene](ENGINES[engine], album)
        except Exception as fault:  # whatever the error, the other scenes are still played
            album.faults.append(f"{scene} {engine} stopped: {type(fault).__name__}: {fault}")
        print(f"{engine}: {scene} played in {time.monotonic() - began:.0f} s", flush=True)
    return album


def compared(first: Album, other: Album) -> list[str]:
    """Return the elements that *other* places differently from *first*."""
    found = []
    for page in first.pages.keys() & other.pages.keys():
        size = Size(*map(int, page.split()[-1].split("x")))
        for fault in apart(first.pages[page]["places"], other.pages[page]["places"], size):
            found.append(f"{page} {first.engine} and {other.engine}: {fault}")
    return sorted(found)


def main() -> int:
    """Let the engines play, and print the findings; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.browsers", description=__doc__)
    parser.add_argument(
        "--engine", choices=ENGINES, action="append", help="only this engine; may be repeated (default: all)"
    )
    parser.add_argument(
        "--scene", choices=SCENES, action="append", help="only this scene; may be repeated (default: all)"
    )
    parser.add_argument("--folder", type=Path, default=BUILD)
    asked = parser.parse_args()
    if lacking := engines.missing():
        print(f"These programs are missing on this machine: {', '.join(lacking)}.")
        print("Install them with: sh tests/browsers/engines.sh")
        return 2
    albums = [played(name, asked.scene or list(SCENES), asked.folder) for name in asked.engine or ENGINES]
    faults = [fault for album in albums for fault in album.faults]
    differences = [line for album in albums[1:] for line in compared(albums[0], album)]
    written(asked.folder, [album.engine for album in albums], {album.engine: album.pages for album in albums})
    for title, lines in (("differences", differences), ("faults", faults)):
        (asked.folder / f"{title}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{len(lines)} {title}", *lines, sep="\n")
    print(f"{sum(len(album.pages) for album in albums)} pictures: {asked.folder / 'index.html'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
