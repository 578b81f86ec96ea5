"""The product's own files, for tests that look for a second answer to a question.

They are read once in each worker. Parsing costs most, so a test names the words that what it looks for needs, and
gets only the files in which one of them stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "firmware_bridge", "web")
SUFFIXES = (".py", ".html", ".js")


def files(
    *words: str, rooms: Sequence[str] = ROOMS, suffixes: Sequence[str] = SUFFIXES[:1]
) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file below *rooms* that ends in one of *suffixes* and holds one of *words*.

    Without words every file is yielded. A path begins at the project's root: `companion/kernel/names.py`.
    """
    for path, text in _texts().items():
        below = any(path.startswith(f"{room}/") for room in rooms)
        if below and path.endswith(tuple(suffixes)) and (not words or any(word in text for word in words)):
            yield path, text


@cache
def _texts() -> dict[str, str]:
    found = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*")) if path.suffix in SUFFIXES)
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in found}
