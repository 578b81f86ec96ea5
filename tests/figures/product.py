"""The product's modules in a checkout, prepared for counting: names, syntax trees, and lines of code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.product_source import ROOMS, files

BOARD = "hardware"
"""What runs on the board, its emulator and its drawings. It is part of the product, but nothing imports it."""
PRODUCT = (*ROOMS, BOARD)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources(root: Path, rooms: tuple[str, ...] = PRODUCT) -> Mapping[str, str]:
    """Return the text of each product module in *root* by its dotted name.

    Example: ``sources(root)["companion.kernel.names"]``. A package's `__init__` has the package's name.
    """
    return {
        path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): text
        for path, text in files(rooms=rooms, root=root)
    }


@cache
def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of a module. Cached."""
    return ast.parse(text)


def classes(root: Path) -> Iterator[ast.ClassDef]:
    """Yield every class of the product in *root*, also those inside other classes and functions."""
    for text in sources(root).values():
        yield from (node for node in ast.walk(tree_of(text)) if isinstance(node, ast.ClassDef))


def docstrings(text: str) -> Iterator[str]:
    """Yield every docstring of a module."""
    yield from (ast.get_docstring(node, clean=False) or "" for node in _documented(text))


def _documented(text: str) -> Iterator[Documented]:
    for node in ast.walk(tree_of(text)):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False):
            yield node


def lines_of(node: ast.stmt) -> int:
    """Return how many lines a statement has."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def code_lines(text: str) -> int:
    """Return how many lines of a module are neither empty, comment nor docstring.

    >>> code_lines('\"\"\"Why.\"\"\"\\n\\n# a comment\\nx = 1\\n')
    1
    """
    said = {
        line
        for node in _documented(text)
        for line in range(node.body[0].lineno, node.body[0].lineno + lines_of(node.body[0]))
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in said
        for number, line in enumerate(text.splitlines(), 1)
    )
