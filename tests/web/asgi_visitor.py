"""An ASGI client without sockets: it sends a request and records the messages of the response."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from web.http.asgi import App, Message, Scope


@dataclass
class Visitor:
    """One request; with *holding*, the client reads nothing until it is released."""

    path: str = "/api/v1/events"
    method: str = "GET"
    headers: dict[str, str] = field(default_factory=dict)
    address: str = "10.0.0.7"
    query: bytes = b""
    body: list[Message] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = asyncio.Event()
        self._broken = False
        self._heard = asyncio.Condition()
        self.taking = asyncio.Event()
        self.taking.set()

    def come(self, app: App) -> asyncio.Task[Any]:
        """Send the request to *app* and return its task."""
        return asyncio.create_task(app(self.scope(), self._receive, self._send))  # type: ignore[arg-type]

    def scope(self) -> Scope:
        """Return the request as an ASGI scope."""
        headers = {"host": "companion.local", **self.headers}
        return {
            "type": "http",
            "method": self.method,
            "path": self.path,
            "query_string": self.query,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (self.address, 50000),
        }

    def leave(self) -> None:
        """Disconnect."""
        self._left.set()

    def fail(self) -> None:
        """Raise an error in the server while it waits for the client's next message."""
        self._broken = True
        self._left.set()

    async def hears(self, words: str) -> str:
        """Wait until the response contains *words*, and return all of its text so far."""
        async with asyncio.timeout(5), self._heard:
            await self._heard.wait_for(lambda: words in self.text)
        return self.text

    @property
    def text(self) -> str:
        """The text of the response so far."""
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    @property
    def status(self) -> int:
        """The status of the response."""
        return int(self.sent[0]["status"])

    async def _receive(self) -> Message:
        if self.body:
            return self.body.pop(0)
        await self._left.wait()
        if self._broken:
            raise OSError("the connection is gone")
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self.taking.wait()
        async with self._heard:
            self.sent.append(message)
            self._heard.notify_all()
