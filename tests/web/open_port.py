"""A connection to a server on a port by plain sockets, for any kind of client behaviour that a test needs."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from http.client import HTTPConnection
from threading import Thread

from web import Service

PATIENCE_S = 60.0


@dataclass
class OpenPort:
    """A server on *port* of this machine; *service* and *thread* run it."""

    port: int
    service: Service | None = None
    thread: Thread | None = None

    def connect(self) -> socket.socket:
        """Return a connection on which nothing has been sent."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)

    def say(self, text: str | bytes) -> socket.socket:
        """Return a connection on which *text* has been sent."""
        sock = self.connect()
        sock.sendall(text.encode() if isinstance(text, str) else text)
        return sock

    def stream(self, last: int | None = None) -> socket.socket:
        """Return an open event stream whose first event has been received."""
        resumed = "" if last is None else f"Last-Event-ID: {last}\r\n"
        sock = self.say(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n{resumed}\r\n")
        hear(sock, b"event: ring")
        return sock

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return status and text of *path*."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def hear(sock: socket.socket, words: bytes) -> bytes:
    """Read until *words* have arrived, and return everything received."""
    heard = b""
    while words not in heard:
        part = sock.recv(65536)
        if not part:
            raise AssertionError(f"hung up after {heard!r}")
        heard += part
    return heard


def rest(sock: socket.socket) -> bytes:
    """Read until the other side closes the connection, and return everything received."""
    heard = b""
    while part := sock.recv(65536):
        heard += part
    return heard
