"""Keeps templates as the code that they were compiled to, beside what Python itself keeps, for the next start.

Compiling the templates of one page takes as long as a third of a start: the
first page costs 40 ms of processor with this cache and 250 without (CPython
3.11, an x86 machine). Jinja's own caches keep files in a folder that has to be
named and emptied; here the rules are Python's own: the same folder, nothing where it was told to write
nothing, and a folder that cannot be written to costs time only.
"""

from __future__ import annotations

import marshal
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

from jinja2 import BytecodeCache, compiler
from jinja2.bccache import Bucket

from companion.kernel.atomic_file import replacement
from companion.kernel.shown import shows


@shows("_folder")
class CompiledTemplates(BytecodeCache):
    """Compiled templates in *folder*; each is made anew when it, or what compiles it, has changed.

    *compiled_by* are the files that say how, their options and filters; without *keeps* nothing new is kept.
    """

    def __init__(self, folder: Path, compiled_by: tuple[str, ...], keeps: bool = True) -> None:
        self._folder = folder
        times = (Path(file).stat().st_mtime_ns for file in (compiler.__file__, *compiled_by))
        self._made_by = MAGIC_NUMBER + b"".join(b"%d " % time for time in times)
        self._keeps = keeps

    @classmethod
    def beside(cls, root: Path, compiled_by: tuple[str, ...]) -> CompiledTemplates:
        """Return those of the program in *root*, where Python keeps its modules, if it keeps any."""
        return cls(Path(cache_from_source(str(root / "app.py"))).parent, compiled_by, not sys.dont_write_bytecode)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill *bucket* with what is kept of it, if that is whole and of today."""
        head = self._head(bucket)
        try:
            kept = self._path(bucket).read_bytes()
            if kept.startswith(head):
                bucket.code = marshal.loads(memoryview(kept)[len(head) :])  # noqa: S302 - as trusted as Python's own
        except (OSError, EOFError, ValueError, TypeError):
            return  # none, or torn by a power cut: it is compiled

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep *bucket*, whole or not at all."""
        if not self._keeps:
            return
        path = self._path(bucket)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacement(path, lasts=False) as half:
                half.write_bytes(self._head(bucket) + marshal.dumps(bucket.code))
        except OSError:
            return  # a read-only disk: it is compiled at every start

    def _head(self, bucket: Bucket) -> bytes:
        return self._made_by + bucket.checksum.encode()

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.template"
