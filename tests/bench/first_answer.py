"""Prints how soon `companion serve` answers after its start, and what it weighs then.

Each start is a new process on a data folder of its own, already made for all
but the first; the answer is GET /healthz, asked again every 2 ms.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    """Return a port that was free a moment ago, so that it can be asked before anything is printed."""

    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def answer(port: int, path: str) -> bool:
    """Tell whether *path* is answered now."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def weight(pid: int) -> dict[str, float]:
    """Return resident memory of *pid* in MB: now, and at its highest."""
    text = Path(f"/proc/{pid}/status").read_text()
    return {
        name: round(int(match[1]) / 1024, 1)
        for name, field in (("rss_mb", "VmRSS"), ("peak_mb", "VmHWM"))
        if (match := re.search(rf"{field}:\s+(\d+) kB", text))
    }


def processor_s(pid: int) -> float:
    """Return the processor time that *pid* has used: what a busy machine does not stretch."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(data: Path, ring: str, companion: list[str]) -> dict[str, float]:
    """Start the service once and return its figures."""
    port = free_port()
    command = [*companion, "serve", "--ring", ring, "--bind", "127.0.0.1", "--port", str(port), "--data", str(data)]
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        drain = Thread(target=process.stdout.read, daemon=True)
        drain.start()
        while not answer(port, "/healthz"):
            if process.poll() is not None or time.perf_counter() - began > 30:
                raise SystemExit("the service did not answer")
            time.sleep(0.002)  # asking without a pause would take the processor from what is measured
        first = time.perf_counter() - began
        used = processor_s(process.pid)
        light = weight(process.pid)
        asked = time.perf_counter()
        assert answer(port, "/")
        page = time.perf_counter() - asked
        shown = weight(process.pid)
        ended = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        drain.join()
    return {
        "first_answer_s": first,
        "first_answer_processor_s": used,
        "first_page_s": page,
        "end_s": time.perf_counter() - ended,
        "rss_mb": light["rss_mb"],
        "rss_after_a_page_mb": shown["rss_mb"],
    }


def main() -> None:
    """Start it a number of times and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--ring", default="mock:")
    args = parser.parse_args()
    companion = [sys.executable, "-m", "companion"]
    with tempfile.TemporaryDirectory() as folder:
        runs = [start(Path(folder), args.ring, companion) for _ in range(args.starts)]
    figures = {name: round(statistics.median(run[name] for run in runs), 4) for name in runs[0]}
    slowest = round(max(run["first_answer_s"] for run in runs), 4)
    print(
        json.dumps({"bench": "first_answer", "ring": args.ring, "starts": args.starts, **figures, "slowest_s": slowest})
    )


if __name__ == "__main__":
    main()
