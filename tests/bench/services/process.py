"""A service as a process: started, requested until it answers, measured, and ended."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

ASKED_EVERY_S = 0.002
PATIENCE_S = 30.0
SIZES = ("Rss", "Pss", "Private_Dirty")


@dataclass(frozen=True)
class Running:
    """A service that has answered, with the time and the processor time until its first answer."""

    pid: int
    port: int
    first_answer_s: float
    processor_s: float

    def get(self, path: str, language: str = "en") -> int:
        """Request *path*, and return the status when the answer is complete."""
        return asked(self.port, path, language)

    def weight_mb(self) -> dict[str, float]:
        """Return resident, proportional and private memory in MB."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        found = {name: re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE) for name in SIZES}
        return {f"{name.lower()}_mb": round(int(match[1]) / 1024, 1) for name, match in found.items() if match}


def free_port() -> int:
    """Return a port that was free just now."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def asked(port: int, path: str, language: str = "en") -> int:
    """Return the status of GET *path*, or 0 if there is no answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Accept-Language": language, "Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except OSError:
        return 0
    finally:
        connection.close()


@contextmanager
def running(command: list[str], folder: Path, port: int, path: str = "/") -> Iterator[Running]:
    """Start *command* in *folder*, yield when *path* has been answered, and end the process afterwards."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=as_after_a_first_start(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            while asked(port, path) != 200:
                if process.poll() is not None or time.perf_counter() - began > PATIENCE_S:
                    raise SystemExit(f"no answer: {' '.join(command)}")
                time.sleep(ASKED_EVERY_S)  # polling without a pause would take processor time from the measured program
            took = time.perf_counter() - began
            yield Running(process.pid, port, took, _processor_s(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def as_after_a_first_start() -> dict[str, str]:
    """Return the environment without PYTHONDONTWRITEBYTECODE, so that a second start compiles nothing."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _processor_s(pid: int) -> float:
    """Return the processor time of all threads of *pid*, which a busy machine changes least."""
    return sum(_used_ns(task / "schedstat") for task in Path(f"/proc/{pid}/task").iterdir()) / 1e9


def _used_ns(file: Path) -> int:
    try:
        return int(file.read_text().split()[0])
    except (FileNotFoundError, ProcessLookupError):
        return 0  # a thread that has ended meanwhile, such as one for a request
