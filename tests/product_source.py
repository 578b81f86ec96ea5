"""The product's own files, for tests that search them and for figures that count them.

They are read once per process. Parsing is slow, so a test that searches for words gets only the files that contain at
least one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "firmware_bridge", "web")
SUFFIXES = (".py", ".html", ".js")
STYLES = ".css"


def files(
    *words: str, rooms: Sequence[str] = ROOMS, suffixes: Sequence[str] = SUFFIXES[:1], root: Path = ROOT
) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file in *rooms* that ends in one of *suffixes* and contains one of *words*.

    Without words every file is yielded. A path begins at *root*, a checkout: `companion/kernel/names.py`.
    """
    for room in rooms:
        for path, text in _texts(root, room.partition("/")[0]).items():
            below = path.startswith(f"{room}/") and path.endswith(tuple(suffixes))
            if below and (not words or any(word in text for word in words)):
                yield path, text


@cache
def _texts(root: Path, room: str) -> dict[str, str]:
    found = (path for path in sorted((root / room).rglob("*")) if path.suffix in (*SUFFIXES, STYLES))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in found}
