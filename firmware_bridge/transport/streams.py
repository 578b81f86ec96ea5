"""Wires to a ring: reads return as soon as bytes arrive, writes never wait, and a bell interrupts a read."""

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
# Callers may pass infinity, which has no number of milliseconds.
LONGEST_WAIT_S = 60.0
MOST_WAITING = 16_384  # bytes; lines beyond this are dropped if a device does not read, and the link resends them


def ready(fd: int, writing: bool, bell: int, timeout_s: float) -> tuple[bool, bool, bool]:
    """Wait until *fd* is ready or the *bell* has rung; return (readable, writable, rung). Pass -1 for no descriptor.

    Uses `poll`, because `select.select` fails for descriptors beyond 1023.
    """
    waiting = select.poll()
    if fd >= 0:
        waiting.register(fd, select.POLLIN | (select.POLLOUT if writing else 0))
    if bell >= 0:
        waiting.register(bell, select.POLLIN)
    # Rounded up: a wake-up a fraction of a millisecond early would find nothing due, and the caller would spin.
    events = dict(waiting.poll(max(ceil(min(timeout_s, LONGEST_WAIT_S) * 1000), 0)))
    flags = events.get(fd, 0)
    # A hang-up or an error counts as readable: the read raises it.
    return bool(flags & ~select.POLLOUT), bool(flags & select.POLLOUT), bell in events


@contextmanager
def opening(port: str) -> Iterator[None]:
    """Turn every exception raised while *port* is opened into `WireLost` with a sentence.

    It catches more than OSError: `termios.error` is no OSError, and pyserial raises a TypeError if
    a board disappears while it is examined.
    """
    try:
        yield
    except WireLost:
        raise
    except Exception as fault:
        raise WireLost(_unopened(port, fault), _unexpected(fault)) from fault


@contextmanager
def losing(port: str) -> Iterator[None]:
    """Turn every exception raised while the open wire to *port* is used into `WireLost` with a sentence."""
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
    """Return the error's message, or else its type."""
    if isinstance(fault, OSError):
        return str(fault) or type(fault).__name__
    match fault.args:
        case (int(), str(text)):  # termios.error
            return text
        case _:
            return f"{type(fault).__name__}: {fault}"


class Wire(Protocol):
    """One open connection to a device. Raises `WireLost` when the connection is lost."""

    name: str

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s* or when interrupted."""

    def write(self, data: bytes) -> None:
        """Send *data* without waiting."""

    def close(self) -> None:
        """Close the connection."""


class SerialPort(Protocol):
    """The part of pyserial's `Serial` that is used here."""

    timeout: float | None

    @property
    def in_waiting(self) -> int:
        """The number of bytes that have arrived."""

    def read(self, size: int = 1, /) -> bytes:
        """Return up to *size* bytes."""

    def write(self, data: bytes, /) -> int | None:
        """Send *data*."""

    def close(self) -> None:
        """Close the port."""


@shows("_closed")
class Bell:
    """Interrupts a thread that waits for bytes, by way of a pipe."""

    def __init__(self) -> None:
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        # If the pipe is full, the bell has rung enough, so ringing never waits.
        os.set_blocking(self._write_fd, False)
        # Held while ringing and closing, because a closed descriptor's number may soon belong to another file.
        # Re-entrant, because signal handlers ring too.
        self._lock = RLock()
        self._closed = False

    def fileno(self) -> int:
        """Return the file descriptor to wait for."""
        return self._read_fd

    def ring(self) -> None:
        """Interrupt the current or the next wait. Does nothing once the bell is closed."""
        with self._lock, suppress(BlockingIOError):
            if not self._closed:
                os.write(self._write_fd, b"!")

    def hush(self) -> None:
        """Discard all rings so far."""
        with suppress(BlockingIOError):
            os.read(self._read_fd, PORTION)

    def close(self) -> None:
        """Close the bell; no thread may wait for it any more. Safe to call twice."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._read_fd)
                os.close(self._write_fd)


@shows("_waiting", "name")
class FileWire:
    """A wire over a file descriptor that can be polled: a serial port, a pseudo-terminal or a socket."""

    def __init__(self, name: str, fd: int, bell: Bell, owner: SerialPort | None = None) -> None:
        self.name = name
        self._fd = fd
        self._bell = bell
        self._owner = owner
        self._waiting = b""
        os.set_blocking(fd, False)

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s* or when interrupted."""
        with losing(self.name):
            readable, writable, rung = ready(self._fd, bool(self._waiting), self._bell.fileno(), timeout_s)
            if rung:
                self._bell.hush()
            if writable:
                self._push()
            return self._pull() if readable else b""

    def write(self, data: bytes) -> None:
        """Send *data* without waiting. What cannot be sent yet is buffered, up to `MOST_WAITING` bytes."""
        # All or nothing: half a line would damage the next line too.
        if not data or len(self._waiting) + len(data) > MOST_WAITING:
            return
        self._waiting += data
        with losing(self.name):
            self._push()

    def close(self) -> None:
        """Close the connection."""
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
    """A wire over a port that cannot be polled, only read through pyserial (`loop://`, `rfc2217://` and similar)."""

    # An order may leave this late, because the bell cannot interrupt pyserial's wait.
    POLL_S = 0.02

    def __init__(self, name: str, port: SerialPort, bell: Bell) -> None:
        self.name = name
        self._port = port
        self._bell = bell
        port.timeout = self.POLL_S

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived; waits for *timeout_s* or one poll, whichever is shorter."""
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
        """Close the connection."""
        with suppress(OSError):
            self._port.close()
