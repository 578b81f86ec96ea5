"""Captures a ring's traffic to disk while it happens. It never blocks the ring's thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from companion.kernel.fault_log import log_fault
from companion.kernel.moments import in_utc
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor, Thread
from firmware_bridge.capture.files import FILES, SIZE, Files
from firmware_bridge.capture.reader import ring_header
from rungs.capture import BREAKS, NOTE, OPENED, RECEIVED, SENT, CaptureEntry, Pieces, escaped, written

PAUSE_S = 1.0  # how long lines are collected before they are written
RETRY_S = 10.0
MOST_WAITING = 4096  # portions of bytes; if the disk hangs, further portions are counted and dropped
MOST_BYTES = 1_000_000  # the same limit in bytes: a minute and a half of a serial line, in case the ring floods it
PATIENCE_S = 2.0  # how long `close` waits for the disk
HELLO = b"$hello "


@shows("_port", "_hello", "_trouble")
class CaptureWriter:
    """Writes the traffic to files in *folder*, in a thread of its own.

    Lines that cannot be written are counted in `lost`, and `trouble` reports the problem once. *now* returns
    monotonic seconds, *wall* seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        program: str = "",
        now: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        size: int = SIZE,
        files: int = FILES,
    ) -> None:
        self._folder = folder
        self._program = program
        self._now = now
        self._start = now()
        self._started = in_utc(wall())
        self._port = ""
        self._hello = b""
        self._trouble = ""
        self._unkept = 0  # counted by the ring's thread
        self._unwritten = 0  # counted by the writing thread
        self._failing = False
        self._retry_at = float("-inf")
        self._files = Files(folder, self._begin, size, files)
        self._pieces = {mark: Pieces(mark) for mark in (RECEIVED, SENT)}
        self._queue: deque[tuple[float, str, bytes]] = deque()
        self._ready: deque[str] = deque()  # lines that are not written yet
        self._came = 0  # bytes, counted by the ring's thread
        self._gone = 0  # counted by the writing thread
        # Pages flush the capture too (for a diagnostics bundle), and must not write at the same time as the thread.
        self._writing = threading.Lock()
        self._filled = threading.Event()
        self._closing = threading.Event()
        self._thread: Thread | None = None
        self._ended = False

    @property
    def lost(self) -> int:
        """The number of lines or portions of bytes that were lost."""
        return self._unkept + self._unwritten

    def opened(self, port: str) -> None:
        """Note that a wire to *port* was opened."""
        self._port = port
        self.note(f"{OPENED} {port}")

    def received(self, data: bytes) -> None:
        """Record *data* from the ring."""
        self._add(RECEIVED, data)

    def sent(self, data: bytes) -> None:
        """Record *data* to the ring."""
        self._add(SENT, data)

    def note(self, text: str) -> None:
        """Record *text* as a note."""
        self._add(NOTE, text.encode())

    def trouble(self) -> str:
        """Return a new problem once, then an empty string."""
        sentence, self._trouble = self._trouble, ""
        return sentence

    def flush(self) -> None:
        """Write the buffered lines.

        If the disk fails, these lines are counted as lost, but later lines are tried again.
        """
        with self._writing:
            self._write()  # the lines that an earlier error has left come first
            self._take_lines()
            self._write()

    def _write(self) -> None:
        waiting = len(self._ready)
        if not waiting:
            return
        if self._now() < self._retry_at:
            self._unwritten += waiting
            self._ready.clear()
            return
        try:
            self._files.write(_flushed(self._ready))
            self._failing = False
            self._retry_at = float("-inf")
        except OSError as fault:
            self._ready.clear()
            self._fail(fault, waiting)

    def close(self) -> None:
        """Write the buffered lines and stop. A hanging disk delays this only briefly."""
        self._closing.set()
        self._filled.set()
        if self._thread is not None:
            self._thread.end(PATIENCE_S)
        if self._thread is None or not (self._thread.alive or self._ended):
            try:
                self._end()  # the thread was waiting to restart, so it does not write the rest
            except Exception as fault:  # the caller has more to close
                log_fault(f"the end of the capture could not be written: {fault!r}", fault)

    def _add(self, mark: str, data: bytes) -> None:
        if len(self._queue) >= MOST_WAITING or self._came - self._gone >= MOST_BYTES or self._closing.is_set():
            self._unkept += 1
            return
        self._came += len(data)
        # This runs in the ring's own thread. Appending to a deque needs no lock, and no disk is used here.
        self._queue.append((self._now(), mark, data))
        if not self._filled.is_set():  # `_write_on` clears it before it reads the queue
            self._filled.set()

    def start(self, threads: Supervisor | None = None) -> CaptureWriter:
        """Start writing in a thread of *threads*; return the writer."""
        self._thread = (threads or Supervisor()).start("capture", self._write_on, said("Recording the ring"))
        return self

    def _write_on(self) -> None:
        self.flush()  # after a restart: the lines that the error has left
        while not self._closing.is_set():
            self._filled.wait()
            self._closing.wait(PAUSE_S)
            self._filled.clear()
            self.flush()
        self._end()

    def _end(self) -> None:
        self._ended = True  # first: a failure from here on is not retried
        self.flush()
        at_ms = self._ms(self._now())
        with suppress(OSError):  # nothing can report it any more
            self._files.write([written(each) for pieces in self._pieces.values() for each in pieces.end(at_ms)])
            self._files.close()

    def _take_lines(self) -> None:
        """Format all data that has arrived since the last call."""
        while self._queue:
            at, mark, data = self._queue.popleft()
            self._gone += len(data)
            try:
                self._ready += [written(entry) for entry in self._entries(self._ms(at), mark, data)]
            except BaseException:
                self._unwritten += 1
                raise

    def _entries(self, at_ms: float, mark: str, data: bytes) -> Sequence[CaptureEntry]:
        if mark == NOTE and data.decode().startswith(BREAKS):
            torn = [entry for pieces in self._pieces.values() for entry in pieces.end(at_ms)]
            return [*torn, CaptureEntry(at_ms, NOTE, data)]
        if mark == NOTE:
            return [CaptureEntry(at_ms, NOTE, data)]
        entries = list(self._pieces[mark].feed(at_ms, data))
        if mark == RECEIVED and HELLO in data:
            self._hello = next((entry.data for entry in entries if entry.data.startswith(HELLO)), self._hello)
        return entries

    def _begin(self) -> Sequence[str]:
        """Return the first lines of a file: the header, and the ring's last hello."""
        first = ring_header(self._program or program(), self._started, self._port)
        return [first, f"# {escaped(self._hello)}"] if self._hello else [first]

    def _fail(self, fault: OSError, lines: int) -> None:
        self._unwritten += lines
        self._retry_at = self._now() + RETRY_S
        if not self._failing:
            why = fault.strerror or fault
            self._trouble = said(
                "Can't record the ring in %(folder)s (%(why)s). The game goes on.",
                folder=str(self._folder),
                why=str(why),
            )
        self._failing = True
        with suppress(OSError):  # the file's buffer cannot be written either
            self._files.close()

    def _ms(self, at: float) -> float:
        return (at - self._start) * 1000


def _flushed(lines: deque[str]) -> Iterator[str]:
    """Yield *lines*, and remove each one after it is written.

    After an error, the others remain for the next attempt.
    """
    while lines:
        yield lines[0]
        lines.popleft()


def program() -> str:
    """Return the name and version of this program."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"companion {version('ring-companion')}"
    except PackageNotFoundError:
        return "companion"
