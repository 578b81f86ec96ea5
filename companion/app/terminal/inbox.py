"""What is typed and what is new at the ring, waited for in one place."""

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
    """Takes lines from *keys* in a thread of its own; `stir` may be called from any."""

    def __init__(self, keys: Iterable[str], threads: Supervisor | None = None) -> None:
        """Begin to read *keys*, which may block, until they end; an error in reading them is their end."""
        self._waiting: SimpleQueue[object] = SimpleQueue()
        self._typed: deque[object] = deque()
        (threads or Supervisor()).start("keyboard", partial(self._read, keys), again=False)

    def stir(self, *_: object) -> None:
        """Take note that something is new; whatever is told with it is looked up when it is wanted."""
        self._waiting.put(NEWS)

    def answer(self, news: Callable[[], None]) -> str | None:
        """Return the next line that is typed, None at the end of all; call *news* whenever something is new."""
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
        """Wait until *done*; what is typed meanwhile is kept. False when patience ran out."""
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
            self._waiting.put(END)  # after an error too: somebody waits for the next line


def typed_lines(fd: int) -> Iterator[str]:
    """Yield the lines that come in on *fd*.

    Read below Python's own buffer: a thread that still waits in that when the
    program ends takes its lock along.
    """
    rest = b""
    while data := os.read(fd, 4096):
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
    if rest:
        yield rest.decode(errors="replace")
