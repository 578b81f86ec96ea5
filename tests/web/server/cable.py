"""A connection to a server that can be interrupted; data sent meanwhile arrives later, as over a bad radio link."""

from __future__ import annotations

import socket
from threading import Event, Thread

PATIENCE_S = 60.0


class Cable:
    """Forwards each connection at `port` to the server at *house*, unless it is interrupted."""

    def __init__(self, house: int) -> None:
        self._house = house
        self._whole = Event()
        self._whole.set()
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """Stop forwarding."""
        self._whole.clear()

    def mend(self) -> None:
        """Resume forwarding."""
        self._whole.set()

    def close(self) -> None:
        """End every connection."""
        self.mend()
        self._listener.shutdown(socket.SHUT_RDWR)  # accept() would otherwise block for ever
        for sock in (self._listener, *self._ends):
            sock.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._house), PATIENCE_S)
            except OSError:
                return
            self._ends += [near, far]
            for one, other in ((near, far), (far, near)):
                Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while part := one.recv(65536):
                self._whole.wait(PATIENCE_S)
                other.sendall(part)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # either end has closed its connection; the cable passes this on
