"""The product's files in a checkout, read for counting: which they are, and which lines of them are code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOMS = ("companion", "firmware_bridge", "web")
BOARD = "hardware"
"""What runs on the board, its emulator and its drawings: product too, but reached by no import."""
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources(root: Path, rooms: tuple[str, ...] = ROOMS) -> Mapping[str, str]:
    """Return the text of each product module in *root* by its dotted name.

    Example: ``sources(root)["companion.kernel.names"]``; a package's own file is named as the package.
    """
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path.read_text("utf-8")
        for room in rooms
        for path in sorted((root / room).rglob("*.py"))
    }


def texts(root: Path, suffix: str) -> Iterator[str]:
    """Yield the text of each product file in *root* that ends so, such as ``.css``."""
    for room in ROOMS:
        for path in sorted((root / room).rglob(f"*{suffix}")):
            yield path.read_text("utf-8")


@cache
def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of a module, parsed once."""
    return ast.parse(text)


def docstrings(text: str) -> Iterator[str]:
    """Yield every docstring of a module."""
    yield from (ast.get_docstring(node, clean=False) or "" for node in _documented(text))


def _documented(text: str) -> Iterator[Documented]:
    for node in ast.walk(tree_of(text)):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False):
            yield node


def code_lines(text: str) -> int:
    """Return how many lines of a module are neither empty, comment nor docstring.

    >>> code_lines('\"\"\"Why.\"\"\"\\n\\n# a comment\\nx = 1\\n')
    1
    """
    said = {
        line
        for node in _documented(text)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or node.body[0].lineno) + 1)
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in said
        for number, line in enumerate(text.splitlines(), 1)
    )
