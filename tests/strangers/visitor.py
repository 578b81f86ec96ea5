"""A device on the network: its own address, a persistent connection, and a browser's cookies."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

PATIENCE_S = 60.0
HUNG_UP = 0
TOO_OFTEN = b"asks too much"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Answer:
    """The server's response; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


class Visitor:
    """A client of the server at *port*, with its own *headers*."""

    _moves = 0

    def __init__(
        self,
        port: int,
        address: str = "127.0.0.1",
        headers: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.cookie = ""
        self.headers = dict(headers or {})
        self._port = port
        self._connection = HTTPConnection("127.0.0.1", port, timeout=patience_s, source_address=(address, 0))

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request and return the complete answer, on a new connection if the server has closed the last.

        If that one is closed without an answer too, the status is `HUNG_UP`. After a 429 it continues from another
        address, as an attacker would.
        """
        sent = {**self.headers, **({"Cookie": self.cookie} if self.cookie else {}), **(headers or {})}
        for _ in range(3):
            try:
                answer = self._asked(method, path, body, sent)
            except (HTTPException, ConnectionError):
                self._connection.close()
                continue
            if answer.status != 429 or TOO_OFTEN not in answer.body:
                return answer
            self._move()
        return Answer(HUNG_UP, {}, b"")

    def form(self, path: str, **fields: str) -> Answer:
        """Send a form as one of the server's pages would."""
        return self.ask("POST", path, urlencode({"csrf": self.csrf, **fields}).encode(), FORM)

    @property
    def csrf(self) -> str:
        """The token of this browser's forms."""
        return self.ask("GET", "/pin").text.partition('name="csrf" value="')[2].partition('"')[0]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _move(self) -> None:
        self._connection.close()
        address = f"127.1.{self._moves // 250 % 250}.{self._moves % 250 + 1}"
        type(self)._moves += 1
        self._connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S, source_address=(address, 0))

    def _asked(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        with suppress(ConnectionError):  # the server may refuse a body without reading all of it
            self._connection.request(method, path, body, dict(headers))
        answer = self._connection.getresponse()
        heard = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        for each in answer.headers.get_all("Set-Cookie", ()):
            name, _, value = each.partition(";")[0].partition("=")
            if name == "companion":
                self.cookie = f"{name}={value}"
        return heard
