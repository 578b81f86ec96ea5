"""A device on the network: an address of its own, a connection that it keeps, and the cookies of a browser."""

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
    """What the house has answered; names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


class Visitor:
    """Somebody who asks the house at *port*, with *headers* of its own."""

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
        """Send a request and return the whole answer, on a new connection where the house has ended the last.

        Where it hangs up on that one too, before there is an answer, the status is `HUNG_UP`. Who is told that it asks
        too often goes on from another address, as any attacker would.
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
        """Send a form as a page of the house would."""
        return self.ask("POST", path, urlencode({"csrf": self.csrf, **fields}).encode(), FORM)

    @property
    def csrf(self) -> str:
        """The token of this browser's forms."""
        return self.ask("GET", "/pin").text.partition('name="csrf" value="')[2].partition('"')[0]

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _move(self) -> None:
        self._connection.close()
        address = f"127.1.{self._moves // 250 % 250}.{self._moves % 250 + 1}"
        type(self)._moves += 1
        self._connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S, source_address=(address, 0))

    def _asked(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        with suppress(ConnectionError):  # it need not hear a body to its end in order to refuse it
            self._connection.request(method, path, body, dict(headers))
        answer = self._connection.getresponse()
        heard = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        for each in answer.headers.get_all("Set-Cookie", ()):
            name, _, value = each.partition(";")[0].partition("=")
            if name == "companion":
                self.cookie = f"{name}={value}"
        return heard
