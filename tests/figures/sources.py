"""The length of functions and lines, and the number of comments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from tests.figures.product import lines_of

MARKUP = {".html", ".css", ".js", ".mjs"}
NOT_OURS = {".venv", "build", "node_modules", ".git"}
COMMENT = re.compile(r"\s*#")


class Lengths(NamedTuple):
    """Lines of functions without their docstrings: the mean, the 90th percentile, and how many are over 30."""

    functions: int
    mean: float
    nine_in_ten: int
    over_30: int


def lengths(texts: Iterable[str]) -> Lengths:
    """Return the lengths of the functions of these modules."""
    found = sorted(length for text in texts for length in _functions(text))
    return Lengths(len(found), round(mean(found), 1), found[len(found) * 9 // 10], sum(each > 30 for each in found))


def _functions(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            said = lines_of(node.body[0]) if ast.get_docstring(node, clean=False) is not None else 0
            yield lines_of(node) - said


def comments(texts: Iterable[str]) -> float:
    """Return the number of comment lines per hundred other lines that aren't empty."""
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    said = sum(bool(COMMENT.match(line)) for line in lines)
    return round(100 * said / (len(lines) - said), 2)


def longest_line(root: Path) -> tuple[int, str]:
    """Return the length of the longest line of HTML, CSS and JavaScript, and where it is."""
    found = [(0, "nowhere")]
    for path in _markup(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found.append((len(line), f"{path.relative_to(root)}:{number}"))
    return max(found)


def _markup(root: Path) -> Iterator[Path]:
    for path in root.rglob("*"):
        if path.suffix in MARKUP and not NOT_OURS & set(path.relative_to(root).parts):
            yield path
