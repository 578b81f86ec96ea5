"""Idle sockets, incomplete requests, and hundreds of streams: the server still works for the players.

All come from fifty addresses of this machine. Meanwhile the host sends commands; the 95th percentile of their durations
is printed but not judged, as it depends on the machine.
"""

from __future__ import annotations

import resource
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.strangers.house import ADDRESSES, PATIENCE_S, House, at_home, p95_ms
from tests.strangers.report import Report

AIM_MS = 500
COMMANDS = 40
IDLE, HALF, STREAMS, SLOW = 500, 500, 1000, 200
ALL = IDLE + HALF + STREAMS + SLOW
HEARD_S = 0.05
CLEAN = (b"200", b"401", b"403", b"408", b"413", b"429", b"503")
"""Allowed answers to a socket: a normal one, or a refusal."""
LEFT_OVER = 8
"""File descriptors that may remain after an attack: workers of the server, and our connection."""

Says = Callable[[Random], bytes]


def sockets(folder: Path, inputs: int, lots: Random) -> Report:
    """Open up to *inputs* sockets of four kinds, in their proportions, in several rounds."""
    report = Report("sockets")
    _more_descriptors()
    with at_home(folder, report) as house:
        house.command()
        before = house.descriptors()
        while report.inputs < inputs:
            share = min(1.0, (inputs - report.inputs) / ALL)
            for name, most, says in KINDS:
                _crowd(house, name, max(1, round(share * most)), says, lots, report)
        report.figures["aim, ms"] = AIM_MS
        after = _settled(house, before + LEFT_OVER)
        report.figures["descriptors, before and after"] = f"{before} and {after}"
        report.expect(after <= before + LEFT_OVER, f"{after} descriptors after all have left, {before} before")
    return report


def _settled(house: House, most: int) -> int:
    """Return the number of descriptors left after the server has noticed that all clients have gone."""
    until = time.monotonic() + PATIENCE_S
    while (left := house.descriptors()) > most and time.monotonic() < until:
        house.command()
    return left


def _crowd(house: House, name: str, count: int, says: Says, lots: Random, report: Report) -> None:
    """Open *count* sockets, send what their kind *says*, and send the host's commands meanwhile."""
    with _open(house.port, count) as crowd:
        for each in crowd:
            _say(each, says(lots))
        seconds = [house.command() for _ in range(COMMANDS)]
        report.tried[name] += count
        most = house.descriptors()
        report.figures[f"{name}: command p95, ms"] = p95_ms(seconds)
        report.figures[f"{name}: descriptors"] = most
        for answer in _heard(crowd):
            report.answers[answer.decode("ascii", "replace") or "closed"] += 1
            report.expect(answer in (*CLEAN, b""), f"{name}: a socket is answered {answer!r}")


@contextmanager
def _open(port: int, count: int) -> Iterator[list[socket.socket]]:
    crowd: list[socket.socket] = []
    try:
        for number in range(count):
            address = (ADDRESSES[number % len(ADDRESSES)], 0)
            crowd.append(socket.create_connection(("127.0.0.1", port), 60.0, source_address=address))
        yield crowd
    finally:
        for each in crowd:
            each.close()


def _say(sock: socket.socket, words: bytes) -> None:
    try:
        sock.sendall(words)
    except OSError:
        return  # the server may have closed it already


def _heard(crowd: list[socket.socket]) -> Iterator[bytes]:
    """Yield the status that each socket was answered with, or "" if it was closed without an answer."""
    with selectors.DefaultSelector() as selector:
        for each in crowd:
            selector.register(each, selectors.EVENT_READ)
        for key, _ in selector.select(HEARD_S):
            assert isinstance(key.fileobj, socket.socket)
            yield _status(key.fileobj)


def _status(sock: socket.socket) -> bytes:
    try:
        head = sock.recv(4096)
    except OSError:
        return b""
    return head[9:12] if head.startswith(b"HTTP/1.1 ") else head[:40]


def _more_descriptors() -> None:
    """Raise this process's limit of open sockets: a thousand streams need more than the usual limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _nothing(lots: Random) -> bytes:
    return b""


def _half(lots: Random) -> bytes:
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    return head[: lots.randrange(1, len(head))]


def _stream(lots: Random) -> bytes:
    return b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"


def _slow_body(lots: Random) -> bytes:
    address = lots.choice((b"/api/v1/commands", b"/api/v1/import", b"/table/do", b"/pin"))
    length = lots.choice((1000, 65_000, 8_388_608))
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (address, length)
    return head + b"x" * min(length - 1, lots.choice((0, 10, 60_000)))


KINDS: tuple[tuple[str, int, Says], ...] = (
    ("idle", IDLE, _nothing),
    ("half heads", HALF, _half),
    ("streams", STREAMS, _stream),
    ("slow bodies", SLOW, _slow_body),
)
