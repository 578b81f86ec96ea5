"""Who imports whom, as import-linter sees it: imports inside functions and for type checking are included."""

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
"""Modules that may be directly in a top folder: its public face and its entry points."""
GRAPH = """
import grimp, json, sys
graph = grimp.build_graph(*sys.argv[1:], cache_dir=None)
print(json.dumps({module: list(graph.find_modules_directly_imported_by(module)) for module in graph.modules}))
"""

Edges = Mapping[str, set[str]]


def modules(root: Path = ROOT) -> Edges:
    """Return for each module of the three top folders in *root* the modules that it imports.

    Example: ``modules()["companion.__main__"]`` is ``{"companion.app.cli"}``.
    """
    if root == ROOT:
        graph = grimp.build_graph(*ROOMS, cache_dir=None)
        return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # This Python would find the modules of its own checkout, so for another one a process is run there.
    found = json.loads(run_in(root, "-c", GRAPH, *ROOMS))
    return {module: set(imported) for module, imported in found.items()}


def run_in(root: Path, *arguments: str | Path) -> str:
    """Run this Python with *arguments* so that it imports from the checkout at *root*, and return its output.

    Raises `OSError` with the last line of its complaint. Example: ``run_in(root, "-c", "print(1)")`` is ``"1\\n"``.
    """
    surroundings = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, *arguments], cwd=root, capture_output=True, text=True, env=surroundings)
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    return done.stdout


def folders(imports: Edges) -> Edges:
    """Return for each folder the other folders that its modules import from."""
    packages = {module.rpartition(".")[0] for module in imports} - {""} | set(ROOMS)
    found: dict[str, set[str]] = {folder: set() for folder in packages}
    for module, imported in imports.items():
        folder = folder_of(module, packages)
        found[folder] |= {folder_of(each, packages) for each in imported} - {folder}
    return found


def folder_of(module: str, packages: Iterable[str]) -> str:
    """Return the folder of *module*. A package's `__init__` is in the package's own folder."""
    return module if module in packages else module.rpartition(".")[0]


def cycles(edges: Edges) -> list[set[str]]:
    """Return the groups of nodes that can all reach each other."""
    reached = {each: reach(edges, each) for each in edges}
    groups = {
        frozenset({each, *(other for other in there if each in reached[other])}) for each, there in reached.items()
    }
    return sorted((set(group) for group in groups if len(group) > 1), key=sorted)


def reach(edges: Edges, start: str) -> set[str]:
    """Return all nodes that can be reached from *start*."""
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        fresh = edges.get(ahead.pop(), set()) - seen
        seen |= fresh
        ahead += fresh
    return seen


def loose(root: Path = ROOT) -> Iterator[str]:
    """Yield the modules directly in a top folder that are not one of its entry points."""
    for room in ROOMS:
        for path in sorted((root / room).glob("*.py")):
            if path.stem not in ENTRIES:
                yield str(path.relative_to(root))
