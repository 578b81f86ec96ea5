"""Prints Python's memory for each package that the service imports: `python -m tests.bench.services.imported`.

Python's own objects, with code and docstrings, in KB; memory that C libraries
allocate themselves is not included.
"""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


class Weighing(MetaPathFinder):
    """Finds modules as usual, and records the memory of each import, excluding the modules that it imports itself."""

    def __init__(self) -> None:
        self.own_bytes: Counter[str] = Counter()
        self._within = [0]

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the module's spec with a loader that measures it."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Weighed(spec.loader, self)
        return spec

    def loaded(self, loader: Loader, module: ModuleType) -> None:
        """Load *module*, and record the memory that it added."""
        before = tracemalloc.get_traced_memory()[0]
        self._within.append(0)
        try:
            loader.exec_module(module)
        finally:
            added = tracemalloc.get_traced_memory()[0] - before
            self.own_bytes[module.__name__] += added - self._within.pop()
            self._within[-1] += added


class _Weighed(Loader):
    def __init__(self, inner: Loader, weighing: Weighing) -> None:
        self._inner, self._weighing = inner, weighing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._weighing.loaded(self._inner, module)


def main() -> None:
    """Import what a game with a ring needs, and print the memory by package, the largest first."""
    tracemalloc.start()
    weighing = Weighing()
    sys.meta_path.insert(0, weighing)
    import companion.app.bootstrap
    import companion.games.andromeda  # noqa: F401
    import firmware_bridge  # noqa: F401

    packages: Counter[str] = Counter()
    for name, size in weighing.own_bytes.items():
        packages[name.partition(".")[0]] += size
    print(json.dumps({name: size // 1024 for name, size in packages.most_common()}))


if __name__ == "__main__":
    main()
