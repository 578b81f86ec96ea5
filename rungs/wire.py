"""Wires to a device: reads return as soon as bytes arrive, writes never wait, and a bell interrupts a read.

>>> wire = open_wire("loop://")
>>> wire.write(b"ping")
>>> wire.read(1.0)
b'ping'
>>> wire.close()

This module imports pyserial and the standard library only, so a program can use it without pytest.
"""

from __future__ import annotations

import errno
import os
import select
import termios
import tty
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from fcntl import ioctl
from math import ceil
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

BAUD = 115_200
PORTION = 4096
# Callers may pass infinity, which has no number of milliseconds.
LONGEST_WAIT_S = 60.0
MOST_WAITING = 16_384  # bytes; lines beyond this are dropped if a device does not read, and its link resends them


def pattern(text: str) -> str:
    """Mark *text* for gettext, as the pattern of a sentence."""
    return text


NO_DEVICE = "No device at %(port)s: is it plugged in?"
IN_USE = pattern("Another program is using %(port)s.")
NOT_PERMITTED = pattern("No permission to open %(port)s.")
NOT_OPENED = pattern("%(port)s can't be opened: %(why)s.")
UNPLUGGED = pattern("%(port)s is gone (unplugged).")
GONE = pattern("%(port)s is gone (%(why)s).")


class Sentence(str):
    """An English sentence that remembers the *pattern* and the *fills* it was made from, so that it can be translated.

    >>> text = Sentence("%(port)s is busy.", port="/dev/ttyACM0")
    >>> text, text.pattern
    ('/dev/ttyACM0 is busy.', '%(port)s is busy.')
    """

    __slots__ = ("fills", "pattern")

    pattern: str
    fills: dict[str, str]

    def __new__(cls, pattern: str, **fills: str) -> Sentence:
        """Fill *pattern*, in gettext's `%(name)s` style."""
        text = super().__new__(cls, pattern % fills)
        text.pattern, text.fills = pattern, fills
        return text


class WireLost(Exception):
    """The wire to a device cannot be opened, or is lost. Its message is one sentence.

    *unexpected* is the original exception if wires do not normally raise its type. It may be a
    bug, and should be logged.
    """

    def __init__(self, reason: str, unexpected: Exception | None = None) -> None:
        super().__init__(reason)
        self.unexpected = unexpected

    @property
    def reason(self) -> str:
        """The sentence; a `Sentence` if it can still be translated."""
        reason: str = self.args[0]
        return reason


class Wire(Protocol):
    """One open connection to a device. Raises `WireLost` when the connection is lost. May be closed twice."""

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


def ready(fd: int, writing: bool, bell: int, timeout_s: float) -> tuple[bool, bool, bool]:
    """Wait until *fd* is ready or the *bell* has rung; return (readable, writable, rung). Pass -1 for no descriptor.

    Uses `poll`, because `select.select` fails for descriptors beyond 1023.
    """
    waiting = select.poll()
    if fd >= 0:
        waiting.register(fd, select.POLLIN | (select.POLLOUT if writing else 0))
    if bell >= 0:
        waiting.register(bell, select.POLLIN)
    # Rounded up: after a wake-up a fraction of a millisecond too early nothing would be due, and the caller would spin.
    events = dict(waiting.poll(max(ceil(min(timeout_s, LONGEST_WAIT_S) * 1000), 0)))
    found = events.get(fd, 0)
    # A hang-up or an error counts as readable: the read raises it.
    return bool(found & ~select.POLLOUT), bool(found & select.POLLOUT), bell in events


@contextmanager
def opening(port: str) -> Iterator[None]:
    """Turn every exception raised while *port* is opened into `WireLost` with a sentence.

    It catches more than OSError: `termios.error` isn't an OSError, and pyserial raises a TypeError if
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
        raise WireLost(Sentence(GONE, port=port, why=_why(fault)), _unexpected(fault)) from fault


def _unexpected(fault: Exception) -> Exception | None:
    return None if isinstance(fault, (OSError, termios.error)) else fault


def _unopened(port: str, fault: Exception) -> Sentence:
    number = getattr(fault, "errno", None) or next(iter(fault.args), None)  # termios.error has no errno
    if number in (errno.EAGAIN, errno.EBUSY):
        return Sentence(IN_USE, port=port)
    if number in (errno.EACCES, errno.EPERM):
        return Sentence(NOT_PERMITTED, port=port)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return Sentence(NO_DEVICE, port=port)
    return Sentence(NOT_OPENED, port=port, why=_why(fault))


def _why(fault: Exception) -> str:
    """Return the error's message, or its type if there is no message."""
    if isinstance(fault, OSError):
        return str(fault) or type(fault).__name__
    match fault.args:
        case (int(), str(text)):  # termios.error
            return text
        case _:
            return f"{type(fault).__name__}: {fault}"


class Bell:
    """Interrupts a thread that waits for bytes, by writing to a pipe."""

    def __init__(self) -> None:
        self._heard, self._rung = os.pipe()
        os.set_blocking(self._heard, False)
        # If the pipe is full, the bell has rung enough, so ringing never waits.
        os.set_blocking(self._rung, False)
        # Held while ringing and closing, because a closed descriptor's number may soon belong to another file.
        # Re-entrant, because signal handlers also call ring().
        self._lock = RLock()
        self._closed = False

    def __repr__(self) -> str:
        return f"<Bell closed={self._closed}>"

    def fileno(self) -> int:
        """Return the file descriptor to wait for."""
        return self._heard

    def ring(self) -> None:
        """Interrupt the current or the next wait. It does nothing after the bell has been closed."""
        with self._lock, suppress(BlockingIOError):
            if not self._closed:
                os.write(self._rung, b"!")

    def hush(self) -> None:
        """Discard all rings so far."""
        with suppress(BlockingIOError):
            os.read(self._heard, PORTION)

    def close(self) -> None:
        """Close the bell; no thread may wait for it any more. It may be called twice."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._heard)
                os.close(self._rung)


class FileWire:
    """A wire over a file descriptor that can be polled: a serial port, a pseudo-terminal or a socket.

    It owns the descriptor, or the pyserial port *owner* that contains it. *bell* interrupts a read.
    """

    def __init__(self, name: str, fd: int, bell: Bell | None = None, owner: SerialPort | None = None) -> None:
        self.name = name
        self._fd = fd
        self._bell = bell
        self._owner = owner
        self._waiting = b""
        self._closed = False
        os.set_blocking(fd, False)

    def __repr__(self) -> str:
        return f"<FileWire name={self.name!r} waiting={len(self._waiting)}>"

    def fileno(self) -> int:
        """Return the file descriptor, for programs that wait for several wires."""
        return self._fd

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived, or empty bytes after *timeout_s* or when interrupted."""
        with losing(self.name):
            bell = self._bell.fileno() if self._bell else -1
            readable, writable, rung = ready(self._fd, bool(self._waiting), bell, timeout_s)
            if rung and self._bell:
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
        """Close the connection. It may be called twice."""
        if self._closed:
            return
        self._closed = True
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
            raise WireLost(Sentence(UNPLUGGED, port=self.name))
        return data


class PolledWire:
    """A wire over a port that cannot be polled, only read through pyserial (`loop://`, `rfc2217://` and similar)."""

    # A write may start this late, because the bell cannot interrupt pyserial's wait.
    POLL_S = 0.02

    def __init__(self, name: str, port: SerialPort, bell: Bell | None = None) -> None:
        self.name = name
        self._port = port
        self._bell = bell
        port.timeout = self.POLL_S

    def __repr__(self) -> str:
        return f"<PolledWire name={self.name!r} port={self._port!r}>"

    def read(self, timeout_s: float) -> bytes:
        """Return bytes as soon as any have arrived; waits for *timeout_s* or one poll, whichever is shorter."""
        if self._bell:
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


def open_wire(url: str, bell: Bell | None = None, baud: int = BAUD) -> Wire:
    """Open *url* exclusively: a port's path, or any pyserial URL. Raise `WireLost` with a sentence."""
    from serial import serial_for_url

    with opening(url), ExitStack() as undoing:
        port = serial_for_url(url, baud, timeout=0, do_not_open=True)
        # If anything fails from here on, the port is closed, or the next attempt would find it in use.
        undoing.callback(port.close)
        # Two readers of one port would each get half of the bytes. Set here, it also applies to `alt://` and
        # `hwgrep://`.
        port.exclusive = True
        port.open()
        wire = _wire(url, port, bell)
        undoing.pop_all()
    return wire


def _wire(url: str, port: Any, bell: Bell | None) -> Wire:
    try:
        return FileWire(url, port.fileno(), bell, port)
    except (AttributeError, OSError):
        return PolledWire(url, port, bell)


class Terminal:
    """A raw pseudo-terminal: programs open it at *path* as a serial port, and *wire* is the other end.

    With *link*, a symlink of that name points to the terminal, and replaces an earlier symlink of that name.
    """

    def __init__(self, link: Path | None = None) -> None:
        ours, self._theirs = os.openpty()
        tty.setraw(ours)
        tty.setraw(self._theirs)
        # The other end stays open here: otherwise our end fails whenever no program has it open.
        self.path = os.ttyname(self._theirs)
        self.wire = FileWire(str(link or self.path), ours)
        self._link = link
        self._released = False
        if link is not None:
            self._point(link)

    def __repr__(self) -> str:
        return f"<Terminal path={self.path!r} link={self._link}>"

    def close(self) -> None:
        """Close both ends, and remove the symlink if it still points here."""
        if self._link is not None and self._link.is_symlink() and str(self._link.readlink()) == self.path:
            self._link.unlink()
        self.wire.close()
        self.release()

    @property
    def unread(self) -> int:
        """The number of bytes that no program has read yet."""
        waiting = array("i", [0])
        ioctl(self._theirs, termios.FIONREAD, waiting)
        return waiting[0]

    @property
    def opened(self) -> bool:
        """True if a program has the terminal open. Valid only after `release`."""
        waiting = select.poll()
        waiting.register(self.wire.fileno(), 0)
        return not waiting.poll(0)

    def release(self) -> None:
        """Close our hold on the other end. From then on, reads raise `WireLost` while no program has it open."""
        if not self._released:
            self._released = True
            os.close(self._theirs)

    def _point(self, link: Path) -> None:
        if link.exists() and not link.is_symlink():
            self.close()
            raise WireLost(Sentence(NOT_OPENED, port=str(link), why="there is a file of that name"))
        with opening(str(link)):
            beside = link.with_name(f".{link.name}.{os.getpid()}")
            beside.symlink_to(self.path)
            beside.replace(link)
