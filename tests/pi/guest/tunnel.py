"""Tunnels many connections over one serial line; in a machine each of them leads to the service.

`python3 tunnel.py DEVICE` runs on the machine as one end of the tunnel. It sends a hello once it listens, since the
terminal echoes earlier data. Each other line of JSON is a connection's beginning, a piece of its data, or its end.
"""

import base64
import json
import os
import socket
import sys
import threading
import tty
from contextlib import suppress

SERVICE = ("127.0.0.1", 8000)
HELLO = b"hello\n"
WINDOW = 3000
"""The most bytes that may be unread. A terminal buffers 4,096 bytes; when it is full it stops its line, and user-mode
Linux 6.1 never restarts it (its `deactivate_fd` has no counterpart)."""
PIECE = 1024


class Tunnel:
    """Connections by number; *write* sends one line, and `hear` gets each line received."""

    def __init__(self, write):
        self._write = write
        self._lock = threading.Lock()
        self._open = {}
        self._on_their_way = 0
        self._room = threading.Condition()

    def hear(self, word):
        """Process a line from the other end."""
        told = json.loads(word)
        if "taken" in told:
            with self._room:
                self._on_their_way -= told["taken"]
                self._room.notify_all()
        else:
            self._take(**told)
            self._send(taken=len(word))

    def begin(self, number, connection):
        """Let the other end connect, and forward *connection* to it as *number*."""
        self._say(id=number, begin=True)
        self.carry(number, connection)

    def carry(self, number, connection):
        """Forward *connection* as *number*, until either end closes it."""
        self._open[number] = connection
        threading.Thread(target=self._sent, args=(number, connection), daemon=True).start()

    def _take(self, id, begin=False, data=None):
        if begin:
            self._reach(id)
        elif (connection := self._open.get(id)) is not None:
            # closed at this end already: the thread that reads from it informs the other end
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR) if data is None else connection.sendall(base64.b64decode(data))

    def _reach(self, number):
        try:
            self.carry(number, socket.create_connection(SERVICE))
        except OSError:
            # No service: the other end closes. Sent by another thread, as this one must keep reading to make room.
            threading.Thread(target=self._say, kwargs={"id": number}, daemon=True).start()

    def _sent(self, number, connection):
        with suppress(OSError):
            while data := connection.recv(PIECE):
                self._say(id=number, data=base64.b64encode(data).decode())
        self._open.pop(number, None)
        with suppress(OSError):
            self._say(id=number)
        connection.close()

    def _say(self, **told):
        size = len(_line(told))
        with self._room:
            self._room.wait_for(lambda: self._on_their_way + size <= WINDOW)
            self._on_their_way += size
        self._send(**told)

    def _send(self, **told):
        with self._lock:
            self._write(_line(told))


def _line(told):
    return json.dumps(told).encode() + b"\n"


def main(path):
    """Run the machine's end of the tunnel until the machine is switched off."""
    line = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)

    def write(data):
        while data:
            data = data[os.write(line, data) :]

    write(HELLO)
    tunnel = Tunnel(write)
    with os.fdopen(line, "rb", closefd=False) as words:
        for word in words:
            tunnel.hear(word)


if __name__ == "__main__":
    main(sys.argv[1])
