"""Wires to a ring: bytes in as they come, bytes out without ever waiting, and a clean end at once."""

from __future__ import annotations

import errno
import os
import select
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import ceil
from threading import RLock
from typing import Protocol

from companion.kernel.i18n import Said, said
from companion.kernel.shown import shows
from firmware_bridge.kernel.errors import WireLost

PORTION = 4096
# Some are due at infinity, of which there is no whole number of milliseconds.
LONGEST_WAIT_S = 60.0
MOST_WAITING = 16_384  # a device that does not read loses lines, and the link sends them again


def ready(fd: int, writing: bool, bell: int, timeout_s: float) -> tuple[bool, bool, bool]:
    """Wait for *fd* and the *bell* (each -1: none); return whether to read, whether to write, whether it rang.

    Not `select.select`, which knows no descriptor beyond 1023.
    """
    waiting = select.poll()
    if fd >= 0:
        waiting.register(fd, select.POLLIN | (select.POLLOUT if writing else 0))
    if bell >= 0:
        waiting.register(bell, select.POLLIN)
    # Rounded up: who wakes a fraction too early finds nothing due, and would spin.
    events = dict(waiting.poll(max(ceil(min(timeout_s, LONGEST_WAIT_S) * 1000), 0)))
    told = events.get(fd, 0)
    # A hang-up or an error counts as something to read: the read finds out.
    return bool(told & ~select.POLLOUT), bool(told & select.POLLOUT), bell in events


@contextmanager
def opening(port: str) -> Iterator[None]:
    """Raise `WireLost` with a sentence for every error while *port* is opened.

    Every one: `termios.error` is no OSError, and pyserial raises a TypeError
    where a board disappears while it is looked at.
    """
    try:
        yield
    except WireLost:
        raise
    except Exception as fault:
        raise WireLost(_unopened(port, fault), _unexpected(fault)) from fault


@contextmanager
def losing(port: str) -> Iterator[None]:
    """Raise `WireLost` with a sentence for every error in the open wire to *port*."""
    try:
        yield
    except WireLost:
        raise
    except Exception as fault:
        raise WireLost(said("%(port)s is gone (%(why)s).", port=port, why=_why(fault)), _unexpected(fault)) from fault


def _unexpected(fault: Exception) -> Exception | None:
    return None if isinstance(fault, OSError | termios.error) else fault


def _unopened(port: str, fault: Exception) -> Said:
    number = getattr(fault, "errno", None) or next(iter(fault.args), None)  # termios.error has it in its arguments
    if number in (errno.EAGAIN, errno.EBUSY):
        return said("Another program is using %(port)s.", port=port)
    if number in (errno.EACCES, errno.EPERM):
        return said("No permission to open %(port)s.", port=port)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return said("No ring at %(port)s: is it plugged in?", port=port)
    return said("%(port)s can't be opened: %(why)s.", port=port, why=_why(fault))


def _why(fault: Exception) -> str:
    """Return what an error says of itself: its own text, or else its type."""
    if isinstance(fault, OSError):
        return str(fault) or type(fault).__name__
    match fault.args:
        case (int(), str(text)):  # termios.error
            return text
        case _:
            return f"{type(fault).__name__}: {fault}"


class Wire(Protocol):
    """One open connection to a device; raises `WireLost` when it is gone."""

    name: str

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, as soon as anything has; nothing after *timeout_s* or when woken."""

    def write(self, data: bytes) -> None:
        """Send *data* without waiting."""

    def close(self) -> None:
        """Let the connection go."""


class SerialPort(Protocol):
    """What we need of a port that pyserial has opened."""

    timeout: float | None

    @property
    def in_waiting(self) -> int:
        """How many bytes have arrived."""

    def read(self, size: int = 1, /) -> bytes:
        """Return up to *size* bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Send *data*."""

    def close(self) -> None:
        """Let the port go."""


@shows("_closed")
class Bell:
    """Wakes a thread that waits for bytes."""

    def __init__(self) -> None:
        self._heard, self._rung = os.pipe()
        os.set_blocking(self._heard, False)
        # A full pipe has rung long enough: who rings never waits.
        os.set_blocking(self._rung, False)
        # Held by who rings and who closes: the descriptor may be another file's a moment later. Re-entrant, as a
        # signal's handler rings too.
        self._lock = RLock()
        self._closed = False

    def fileno(self) -> int:
        """Return what to wait for."""
        return self._heard

    def ring(self) -> None:
        """Wake whoever waits, or whoever will wait next; nobody once the bell is closed."""
        with self._lock, suppress(BlockingIOError):
            if not self._closed:
                os.write(self._rung, b"!")

    def hush(self) -> None:
        """Forget all ringing so far."""
        with suppress(BlockingIOError):
            os.read(self._heard, PORTION)

    def close(self) -> None:
        """Let the bell go; nobody may wait for it any more. Safe to call twice."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._heard)
                os.close(self._rung)


@shows("_waiting", "name")
class FileWire:
    """A wire that the operating system can wait for: a serial port, a pseudo-terminal, a socket."""

    def __init__(self, name: str, fd: int, bell: Bell, owner: SerialPort | None = None) -> None:
        self.name = name
        self._fd = fd
        self._bell = bell
        self._owner = owner
        self._waiting = b""
        os.set_blocking(fd, False)

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, as soon as anything has; nothing after *timeout_s* or when woken."""
        with losing(self.name):
            readable, writable, rung = ready(self._fd, bool(self._waiting), self._bell.fileno(), timeout_s)
            if rung:
                self._bell.hush()
            if writable:
                self._push()
            return self._pull() if readable else b""

    def write(self, data: bytes) -> None:
        """Send *data* without waiting; what the wire does not take yet is kept, up to a limit."""
        # All or nothing: half a line would spoil the next one too.
        if not data or len(self._waiting) + len(data) > MOST_WAITING:
            return
        self._waiting += data
        with losing(self.name):
            self._push()

    def close(self) -> None:
        """Let the connection go."""
        with suppress(OSError):
            if self._owner is not None:
                self._owner.close()
            else:
                os.close(self._fd)

    def _push(self) -> None:
        with suppress(BlockingIOError):
            self._waiting = self._waiting[os.write(self._fd, self._waiting) :]

    def _pull(self) -> bytes:
        try:
            data = os.read(self._fd, PORTION)
        except BlockingIOError:
            return b""
        if not data:
            raise WireLost(said("%(port)s is gone (unplugged).", port=self.name))
        return data


@shows("name", "_port")
class PolledWire:
    """A wire that only pyserial can wait for (`loop://`, `rfc2217://` and their like)."""

    # So late an order may leave: pyserial's own wait hears no bell.
    POLL_S = 0.02

    def __init__(self, name: str, port: SerialPort, bell: Bell) -> None:
        self.name = name
        self._port = port
        self._bell = bell
        port.timeout = self.POLL_S

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived; waits for *timeout_s* at most, or one poll, whichever is shorter."""
        self._bell.hush()
        with losing(self.name):
            if timeout_s <= 0 and not self._port.in_waiting:
                return b""
            first = bytes(self._port.read(1))
            return first + bytes(self._port.read(self._port.in_waiting)) if first else b""

    def write(self, data: bytes) -> None:
        """Send *data*."""
        with losing(self.name):
            self._port.write(data)

    def close(self) -> None:
        """Let the connection go."""
        with suppress(OSError):
            self._port.close()
