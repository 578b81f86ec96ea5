"""How easily names lead to code: modules with one importer, classes named apart from their file, names used twice."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.figures.product import code_lines, sources, tree_of

WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
STEM = 4
"""So many letters make two words one: `Drawing` shares its word with `draws.py`."""


def single_importers(root: Path) -> tuple[int, int]:
    """Return how many modules exactly one other module imports, and of how many."""
    texts = sources(root)
    importers = Counter(
        imported for name, text in texts.items() for imported in set(_imports(text, texts)) if imported != name
    )
    return sum(importers[name] == 1 for name in texts), len(texts)


def _imports(text: str, known: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            inside = {f"{node.module}.{each.name}" for each in node.names} & known.keys()
            yield from inside
            if len(inside) < len(node.names) and node.module in known:
                yield node.module


def strange_classes(root: Path) -> tuple[list[str], int]:
    """Return the modules whose main class shares no word with their file's name, and how many have a main class.

    A main class is public, and most of the code of its module.
    """
    found = [(name, main) for name, text in sources(root).items() if (main := _main_class(text))]
    strange = [f"{name}: {main}" for name, main in found if not _share(main, name.rpartition(".")[2])]
    return strange, len(found)


def _main_class(text: str) -> str:
    classes = [node for node in tree_of(text).body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    longest = max(classes, key=_length, default=None)
    return longest.name if longest is not None and 2 * _length(longest) > code_lines(text) else ""


def _length(node: ast.ClassDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _share(name: str, stem: str) -> bool:
    """Say whether a class and a file share a word.

    >>> _share("RingController", "ring_controller"), _share("Evening", "ring_controller")
    (True, False)
    """
    ones, others = ({word.lower()[:STEM] for word in WORD.findall(each)} for each in (name, stem))
    return bool(ones & others)


def repeated_classes(root: Path) -> list[str]:
    """Return the names that more than one class of the product has, in the order of the alphabet."""
    names = Counter(
        node.name
        for text in sources(root).values()
        for node in ast.walk(tree_of(text))
        if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, count in names.items() if count > 1)


def printable_classes(root: Path) -> tuple[int, int]:
    """Return how many classes say in a `__repr__` of their own how they stand, and how many are no dataclass."""
    own = others = 0
    for text in sources(root).values():
        for node in ast.walk(tree_of(text)):
            if isinstance(node, ast.ClassDef):
                own += any(isinstance(each, ast.FunctionDef) and each.name == "__repr__" for each in node.body)
                others += not any("dataclass" in ast.unparse(each) for each in node.decorator_list)
    return own, others
