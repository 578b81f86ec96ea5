"""Wait for typed lines and for changes of the ring at the same time."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from queue import Empty, SimpleQueue

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

NEWS = object()
END = object()


@shows("_typed")
class Inbox:
    """Reads lines from *keys* in a thread of its own. Any thread may call `stir`."""

    def __init__(self, keys: Iterable[str], threads: Supervisor | None = None) -> None:
        """Start reading *keys*, which may block, until they end. An error in reading counts as their end."""
        self._waiting: SimpleQueue[object] = SimpleQueue()
        self._typed: deque[object] = deque()
        (threads or Supervisor()).start("keyboard", partial(self._read, keys), again=False)

    def stir(self, *_: object) -> None:
        """Signal that there is news. Arguments are ignored."""
        self._waiting.put(NEWS)

    def answer(self, news: Callable[[], None]) -> str | None:
        """Return the next typed line, or None at the end of the input. While waiting, call *news* after each `stir`."""
        while not self._typed:
            self._take(self._waiting.get())
            if not self._typed:
                news()
        line = self._typed[0]
        if not isinstance(line, str):
            return None
        self._typed.popleft()
        return line.strip()

    def until(self, done: Callable[[], bool], patience_s: float | None) -> bool:
        """Wait until *done* returns true, or return False after *patience_s* seconds. Typed lines stay in the queue."""
        end = None if patience_s is None else time.monotonic() + patience_s
        while not done():
            try:
                self._take(self._waiting.get(timeout=None if end is None else max(end - time.monotonic(), 0.0)))
            except Empty:
                return False
        return True

    def _take(self, item: object) -> None:
        if item is not NEWS:
            self._typed.append(item)

    def _read(self, keys: Iterable[str]) -> None:
        try:
            for line in keys:
                self._waiting.put(line)
        finally:
            self._waiting.put(END)  # done after an error too, because the reader waits for the next line


def typed_lines(fd: int) -> Iterator[str]:
    """Yield the lines that arrive on *fd*.

    This does not use Python's buffer, because a thread that blocks in it would hold its lock when the program ends.
    """
    rest = b""
    while data := os.read(fd, 4096):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")
