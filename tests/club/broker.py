"""A Mosquitto for one test, on a free loopback port and in a separate folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin")
MISSING = "Mosquitto is missing on this machine; `make unit` installs it"
PATIENCE_S = 20.0
OPEN = """listener {port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
max_inflight_messages 0
max_queued_messages 5000
"""


_FIRST, _EACH, _PROCESSES = 20_000, 100, 120
_next = count(os.getpid() % _PROCESSES * _EACH)


def free_port() -> int:
    """Return a free port of the loopback.

    It is below the ports that the system assigns to connections, and each process has its own range of ports.
    Otherwise the port might be taken before the broker listens on it.
    """
    while True:
        port = _FIRST + next(_next) % (_PROCESSES * _EACH)
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


class Broker:
    """A broker that can be killed and started again on the same port."""

    def __init__(self, folder: Path, file: Path | None = None, port: int = 0) -> None:
        """Start with the configuration in *file*, which names *port*. Without a file, no passwords are needed."""
        self.port = port or free_port()
        self._file = file or folder / "mosquitto.conf"
        if file is None:
            self._file.write_text(OPEN.format(port=self.port), encoding="utf-8")
        self._log = folder / "mosquitto.log"
        self.start()

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def start(self) -> None:
        """Start the broker, and return when its port accepts connections."""
        assert PROGRAM is not None, MISSING
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(self._file)], stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE_S
        while not self._listens():
            assert self._process.poll() is None and time.monotonic() < until, self.log

    def kill(self) -> None:
        """Kill the process, which closes no connection properly."""
        self._process.kill()
        self._process.wait(PATIENCE_S)

    def freeze(self) -> None:
        """Suspend the process: its port accepts connections, but nothing is answered."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        self._process.wait(PATIENCE_S)

    def caller(self) -> socket.socket:
        """Return a socket that is connected to the broker."""
        return socket.create_connection(("127.0.0.1", self.port))

    def _listens(self) -> bool:
        with socket.socket() as trial:
            trial.settimeout(0.1)
            return trial.connect_ex(("127.0.0.1", self.port)) == 0
