"""Who imports whom, as the contracts of import-linter see it: imports inside functions and for types alone included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("companion", "firmware_bridge", "web")
ENTRIES = {"__init__", "__main__", "app"}
"""What may lie at a room's root: its face, and where it is entered."""

Edges = Mapping[str, set[str]]


def modules() -> Edges:
    """Return for each module of the three rooms the modules that it imports."""
    graph = grimp.build_graph(*ROOMS, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


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
