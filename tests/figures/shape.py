"""How easily names lead to code: modules with one importer, classes named unlike their file, repeated class names."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.figures.imports import Edges
from tests.figures.product import classes, code_lines, lines_of, sources, tree_of

WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
BY_THEIR_KIND = {"Enum", "StrEnum", "IntEnum", "NamedTuple", "TypedDict", "Protocol"}
"""Classes with these bases show their contents, or have none."""


def single_importers(imports: Edges) -> int:
    """Return how many modules have exactly one importer. Packages don't count, as they can't be folded into it.

    >>> single_importers({"web": set(), "web.a": {"web.b"}, "web.b": set()})
    1
    """
    packages = {module.rpartition(".")[0] for module in imports}
    importers = Counter(imported for found in imports.values() for imported in found)
    return sum(importers[module] == 1 for module in imports if module not in packages)


def strange_classes(root: Path) -> tuple[list[str], int]:
    """Return the modules whose main class shares no word with the file's name, and the number of all main classes.

    A main class is the only public one of its module, and more than half of its code.

    Example: ``["companion.app.ring_controller: Evening"], 128``
    """
    found = [(name, main) for name, text in sources(root).items() if (main := _main_class(text))]
    strange = [f"{name}: {main}" for name, main in found if not _share(main, name.rpartition(".")[2])]
    return strange, len(found)


def _main_class(text: str) -> str:
    public = [node for node in tree_of(text).body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    return public[0].name if len(public) == 1 and 2 * lines_of(public[0]) > code_lines(text) else ""


def _share(name: str, stem: str) -> bool:
    """Return whether the names of a class and of a file share a word, in the singular or the plural.

    >>> _share("RingController", "ring_controllers"), _share("Evening", "ring_controller")
    (True, False)
    """
    ones, others = ({word.lower().removesuffix("s") for word in WORD.findall(each)} for each in (name, stem))
    return bool(ones & others)


def repeated_classes(root: Path) -> list[str]:
    """Return the names that more than one public class of the product has, sorted."""
    names = Counter(node.name for node in classes(root) if not node.name.startswith("_"))
    return sorted(name for name, count in names.items() if count > 1)


class Printable(NamedTuple):
    """Numbers of classes: with a ``__repr__`` that shows their state, with state, and dataclasses, which need none."""

    own: int
    stateful: int
    dataclasses: int


def printable_classes(root: Path) -> Printable:
    """Return how many classes of the product a debugger can show.

    A class has state if it assigns attributes of ``self``.
    Example: ``Printable(own=7, stateful=234, dataclasses=724)``
    """
    found = [node for node in classes(root) if not BY_THEIR_KIND & set(_bases(node))]
    plain = [node for node in found if not _is_dataclass(node)]
    own = [node for node in plain if _shows_itself(node)]
    stateful = [node for node in plain if node in own or any(map(_assigns_to_self, _methods(node)))]
    return Printable(len(own), len(stateful), len(found) - len(plain))


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield ast.unparse(base).partition("[")[0].rpartition(".")[2]


def _shows_itself(node: ast.ClassDef) -> bool:
    """Return whether a class defines ``__repr__`` or names the attributes to show (`companion.kernel.shown`)."""
    named = any(ast.unparse(each).startswith("shows(") for each in node.decorator_list)
    return named or any(each.name == "__repr__" for each in _methods(node))


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any("dataclass" in ast.unparse(each) for each in node.decorator_list)


def _methods(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    yield from (each for each in node.body if isinstance(each, ast.FunctionDef))


def _assigns_to_self(method: ast.FunctionDef) -> bool:
    """Return whether *method* sets an attribute, as ``self.left = 3`` and ``self.a, self.b = pair`` do."""
    return any(
        isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == "self"
        for each in ast.walk(method)
    )
