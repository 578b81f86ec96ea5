"""How far docstrings and documents are from plain English, by words that other projects don't use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.figures.product import docstrings, sources

DIALECT = re.compile(r"\b(?:told|kept|lies|stands|beside|whoever|anew|so many|is none)\b", re.IGNORECASE)
FORMATS = re.compile(r"`[^`]*`|```.*?```|\*kept\*", re.DOTALL)
"""Text that doesn't count as English: code, and the outcome *kept* of a promise."""
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md", "hardware/**/*.md", "tests/*.md")


def dialect(root: Path) -> float:
    """Return the number of dialect words per 1,000 words of the docstrings and documents in *root*."""
    words = found = 0
    for text in _texts(root):
        plain = FORMATS.sub(" ", text)
        words += len(WORD.findall(plain))
        found += len(DIALECT.findall(plain))
    return round(1000 * found / words, 1)


def _texts(root: Path) -> Iterator[str]:
    for text in sources(root).values():
        yield from docstrings(text)
    for pattern in DOCUMENTS:
        yield from (path.read_text("utf-8") for path in sorted(root.glob(pattern)))
