"""Who imports whom, as the contracts of import-linter see it: imports inside functions and for types alone included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import grimp

from tests.product_source import ROOMS, ROOT

ENTRIES = {"__init__", "__main__", "app"}
"""What may lie at a room's root: its face, and where it is entered."""
GRAPH = """
import grimp, json, sys
graph = grimp.build_graph(*sys.argv[1:], cache_dir=None)
print(json.dumps({module: list(graph.find_modules_directly_imported_by(module)) for module in graph.modules}))
"""

Edges = Mapping[str, set[str]]


def modules(root: Path = ROOT) -> Edges:
    """Return for each module of the three rooms in *root* the modules that it imports.

    Example: ``modules()["companion.__main__"]`` is ``{"companion.app.cli"}``.
    """
    if root == ROOT:
        graph = grimp.build_graph(*ROOMS, cache_dir=None)
        return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # Modules are found as this Python would import them: those of another checkout only by a process that runs there.
    found = json.loads(run_in(root, "-c", GRAPH, *ROOMS))
    return {module: set(imported) for module, imported in found.items()}


def run_in(root: Path, *arguments: str | Path) -> str:
    """Return what this Python prints for *arguments* where it imports from the checkout at *root*.

    Raises `OSError` with the last line of its complaint. Example: ``run_in(root, "-c", "print(1)")`` is ``"1\\n"``.
    """
    surroundings = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, env=surroundings)
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    return done.stdout


def folders(imports: Edges) -> Edges:
    """Return for each folder those whose modules are imported by modules of its own."""
    packages = {module.rpartition(".")[0] for module in imports} - {""} | set(ROOMS)
    found: dict[str, set[str]] = {folder: set() for folder in packages}
    for module, imported in imports.items():
        folder = folder_of(module, packages)
        found[folder] |= {folder_of(each, packages) for each in imported} - {folder}
    return found


def folder_of(module: str, packages: Iterable[str]) -> str:
    """Return the folder in which *module* lies; a package's own file lies in it."""
    return module if module in packages else module.rpartition(".")[0]


def cycles(edges: Edges) -> list[set[str]]:
    """Return the groups of which each member reaches every other one."""
    reached = {each: reach(edges, each) for each in edges}
    groups = {
        frozenset({each, *(other for other in there if each in reached[other])}) for each, there in reached.items()
    }
    return sorted((set(group) for group in groups if len(group) > 1), key=sorted)


def reach(edges: Edges, start: str) -> set[str]:
    """Return all that can be come to from *start*."""
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        fresh = edges.get(ahead.pop(), set()) - seen
        seen |= fresh
        ahead += fresh
    return seen


def loose(root: Path = ROOT) -> Iterator[str]:
    """Yield the modules that lie at a room's root and are no entry of it."""
    for room in ROOMS:
        for path in sorted((root / room).glob("*.py")):
            if path.stem not in ENTRIES:
                yield str(path.relative_to(root))
