"""The amount of code: lines, modules, style sheets, templates and messages."""

from __future__ import annotations

import re
from pathlib import Path

from tests.figures.product import code_lines, sources
from tests.product_source import STYLES, files

LAYOUT = re.compile(
    r"^(?:display|position|top|right|bottom|left|inset|float|order|flex|grid|gap|row-gap|column-gap|align|justify|place"
    r"|width|height|min-|max-|margin|padding|overflow|box-sizing|aspect-ratio|z-index|vertical-align|white-space|columns)"
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?<=[{;])\s*([a-z-]+)\s*:[^;{}]+(?=[;}])")


def python(root: Path) -> tuple[int, int, int]:
    """Return how many lines, lines of code and modules the product's Python has."""
    found = sources(root)
    return sum(len(text.splitlines()) for text in found.values()), sum(map(code_lines, found.values())), len(found)


def styles(root: Path) -> tuple[int, int]:
    """Return the number of lines of CSS, and the percentage of declarations for layout."""
    sheets = [text for _, text in files(suffixes=(STYLES,), root=root)]
    names = [name for text in sheets for name in DECLARATION.findall(COMMENT.sub("", text))]
    layout = round(100 * sum(bool(LAYOUT.match(name)) for name in names) / max(1, len(names)))
    return sum(len(text.splitlines()) for text in sheets), layout


def templates(root: Path) -> tuple[int, int]:
    """Return the number of templates, and of their lines."""
    found = [text for _, text in files(suffixes=(".html",), root=root)]
    return len(found), sum(len(text.splitlines()) for text in found)


def messages(root: Path) -> int:
    """Return how many messages the first catalogue has."""
    catalogue = next(iter(sorted(root.glob("web/translations/*/LC_MESSAGES/*.po"))), None)
    return 0 if catalogue is None else catalogue.read_text("utf-8").count("\nmsgid ") - 1
