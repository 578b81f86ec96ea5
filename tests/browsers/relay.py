"""A proxy between a browser and the service, which finds the errors of a page's scripts in any engine.

It passes every answer on unchanged, including event streams, except that a whole page gets a script of ours before
all others, which records their errors. Each engine reports such errors in its own way, or not at all.
"""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

NOTED_AT = "/what-scripts-complain-of.js"
NOTING = b"""(() => {
  const note = (what) => {
    const all = JSON.parse(sessionStorage.faults || "[]");
    sessionStorage.faults = JSON.stringify([...all, `${location.pathname}: ${what}`]);
  };
  const lost = ({ src, href }) => `not loaded: ${src || href}`;
  addEventListener("error", (event) =>
    note(event.message ? `${event.message} (${event.filename}:${event.lineno})` : lost(event.target)), true);
  addEventListener("unhandledrejection", ({ reason }) => note(`${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    note(`not allowed: ${violatedDirective} ${blockedURI}`));
  const said = console.error;
  console.error = (...words) => { note(words.join(" ")); said(...words); };
})();
"""
HOP_BY_HOP = ("connection", "keep-alive", "transfer-encoding", "content-length")
PIECE = 65_536


class Passing(BaseHTTPRequestHandler):
    """Passes one request on to *house*, which `relayed` sets."""

    house = ""

    def do_GET(self) -> None:
        """Pass the request on."""
        if self.path == NOTED_AT:
            return self._said(200, [("Content-Type", "text/javascript")], NOTING)
        length = int(self.headers.get("Content-Length") or 0)
        given = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        given.pop("Accept-Encoding", None)
        connection = http.client.HTTPConnection(self.house)
        try:
            connection.request(self.command, self.path, self.rfile.read(length) or None, given)
            self._passed_back(connection.getresponse())
        except (BrokenPipeError, ConnectionResetError):
            pass  # a browser that has left the page doesn't wait for the answer
        finally:
            connection.close()
        return None

    do_POST = do_HEAD = do_GET  # noqa: N815 - the words of http.server

    def _passed_back(self, answer: http.client.HTTPResponse) -> None:
        told = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
        if (answer.getheader("Content-Type") or "").startswith("text/event-stream"):
            self._said(answer.status, told, None)
            while piece := answer.read1(PIECE):
                self.wfile.write(piece)
            return
        body = answer.read()
        ours = f'<head>\n    <script src="{NOTED_AT}"></script>'.encode()
        self._said(answer.status, told, body.replace(b"<head>", ours, 1) if body[:9] == b"<!doctype" else body)

    def _said(self, status: int, headers: list[tuple[str, str]], body: bytes | None) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body or b"")
        self.close_connection = True


class Relay(ThreadingHTTPServer):
    """A server whose threads end with the program, since an event stream never ends."""

    daemon_threads = True
    block_on_close = False


@contextmanager
def relayed(url: str) -> Iterator[str]:
    """Pass requests on to the service at *url*, and yield the address for these requests."""
    handler = type("Handler", (Passing,), {"house": urlsplit(url).netloc})
    with Relay(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
