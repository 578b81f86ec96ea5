"""The note in a data folder by which other commands find the service; where a card is full it waits for room."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from companion.app.workers import ticking
from companion.kernel.private_file import write_private
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

AGAIN_S = 5.0
Complain = Callable[[str], None]


@shows("_waits", "_fault", "_end")
class AddressNote:
    """Where the service is, at *path* from `put` to `take_away`; *complain* is told once why it is not there."""

    def __init__(
        self,
        path: Path,
        complain: Complain,
        threads: Supervisor,
        write: Callable[[Path, str], None] = write_private,
        again_s: float = AGAIN_S,
    ) -> None:
        self._path, self._complain, self._threads = path, complain, threads
        self._write, self._again_s = write, again_s
        self._waits, self._fault = "", ""
        self._end: Callable[[], None] | None = None

    def put(self, url: str) -> None:
        """Note *url*, now or as soon as there is room."""
        self._waits = json.dumps({"url": url, "pid": os.getpid()})
        self.again()
        if self._waits:
            self._complain(f"{self._path} can't be written yet: {self._fault}")
            self._end = ticking(self._threads, "address note", self.again, every_s=self._again_s)

    def again(self) -> None:
        """Write what waits, if anything does and it can be."""
        if not self._waits:
            return
        try:
            self._write(self._path, self._waits)
            self._waits = ""
        except OSError as fault:
            self._fault = str(fault.strerror)

    def take_away(self) -> None:
        """Take it away; where nothing can be written any more it stays, and whoever reads it finds nobody there."""
        if self._end is not None:
            self._end()
        try:
            self._path.unlink(missing_ok=True)
        except OSError as fault:
            self._complain(f"{self._path} can't be removed: {fault.strerror}")
