"""The file in the data folder that contains the address of the running service, for other commands.

If the disk is full, writing it is retried until there is room.
"""

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
    """The file at *path* with the service's address. `put` creates it and `take_away` deletes it.

    *complain* is called once if the file cannot be written.
    """

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
        """Write *url* and the ID of this process, now or as soon as there is room on the disk."""
        self._waits = json.dumps({"url": url, "pid": os.getpid()})
        self.again()
        if self._waits:
            self._complain(f"{self._path} can't be written yet: {self._fault}")
            self._end = ticking(self._threads, "address note", self.again, every_s=self._again_s)

    def again(self) -> None:
        """Retry the pending write, if there is one."""
        if not self._waits:
            return
        try:
            self._write(self._path, self._waits)
            self._waits = ""
        except OSError as fault:
            self._fault = str(fault.strerror)

    def take_away(self) -> None:
        """Delete the file.

        If that fails, the file remains, and commands notice that no service answers at that address.
        """
        if self._end is not None:
            self._end()
        try:
            self._path.unlink(missing_ok=True)
        except OSError as fault:
            self._complain(f"{self._path} can't be removed: {fault.strerror}")
