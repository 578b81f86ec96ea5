"""A cable to a house that can be pulled: what is sent meanwhile arrives when it is put back, as on a bad radio."""

from __future__ import annotations

import socket
from threading import Event, Thread

PATIENCE_S = 60.0


class Cable:
    """Every connection to `port` goes on to *house*, while the cable is whole."""

    def __init__(self, house: int) -> None:
        self._house = house
        self._whole = Event()
        self._whole.set()
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """Let nothing through from now on."""
        self._whole.clear()

    def mend(self) -> None:
        """Let everything through again."""
        self._whole.set()

    def close(self) -> None:
        """End every connection."""
        self.mend()
        self._listener.shutdown(socket.SHUT_RDWR)  # what waits for somebody to connect would wait for ever
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
            pass  # either end has hung up, which is what a cable carries too
