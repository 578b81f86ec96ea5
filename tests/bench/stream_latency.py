"""Prints how soon a page hears: from a commit, and from the ring's last byte, to the slowest of four listeners.

Two measures. `table`: a command is given to a live table in the service's own
process; the time runs from before the command, so deciding, committing with
its fsync and telling are all in it. `ring`: a virtual ring, a process of its
own behind a pseudo-terminal, lets stations out; the time runs from the moment
its passage's last byte was first written (its truth file) to the moment the
news arrives, so pty, reading, checking, judging, commit and stream are in it.
Nothing of it is a real ring: the bytes, the commit and the sockets are real,
the hand and its cubes are not. Listeners are plain sockets on this machine.
"""

from __future__ import annotations

import json
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from statistics import quantiles
from urllib.request import Request, urlopen

from companion.ledger.storage import connect
from tests.web.plain_game import HEADER
from tests.web.served_house import HOST, ServedHouse
from web import Service

ROOT = Path(__file__).parents[2]
HEARD = b"event: table"
LISTENERS = 4
Arrivals = list[list[int]]


def listen(port: int, count: int = LISTENERS) -> None:
    """Be the listeners, as a process of their own: print when news came to each, once standard input ends."""
    selector = selectors.DefaultSelector()
    arrivals: Arrivals = [[] for _ in range(count)]
    for number in range(count):
        sock = socket.create_connection(("127.0.0.1", port))
        sock.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = b""
        while HEARD not in heard:
            heard += sock.recv(65536)
        selector.register(sock, selectors.EVENT_READ, number)
    selector.register(sys.stdin, selectors.EVENT_READ, None)
    print("listening", flush=True)
    while True:
        for key, _ in selector.select():
            if key.data is None:
                print(json.dumps(arrivals), flush=True)
                return
            data = key.fileobj.recv(65536)  # type: ignore[union-attr]
            at = time.monotonic_ns()
            if HEARD in data:
                arrivals[key.data].append(at)


@contextmanager
def listeners(port: int) -> Iterator[Callable[[], Arrivals]]:
    """Have the listeners listen; what is yielded ends them and returns what they heard."""
    command = [sys.executable, "-m", "tests.bench.stream_latency", "--listen", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said(process, "listening")
        yield lambda: json.loads(process.communicate(timeout=10)[0])


def spread(times_ns: list[int]) -> dict[str, float]:
    """Return count and percentiles in milliseconds."""
    cuts = quantiles(times_ns, n=100)
    figures = {"p50_ms": cuts[49], "p95_ms": cuts[94], "p99_ms": cuts[98], "worst_ms": max(times_ns)}
    return {"count": len(times_ns), **{name: round(value / 1e6, 3) for name, value in figures.items()}}


def from_the_table(rounds: int) -> dict[str, float]:
    """Return the times from a command to the slowest listener."""
    with tempfile.TemporaryDirectory() as folder:
        site = ServedHouse(Path(folder)).play()
        service = Service(site.app, site.streams, "127.0.0.1", 0)
        ready: Queue[int] = Queue()
        thread = threading.Thread(target=service.run, args=(ready.put,))
        thread.start()
        moments = []
        with listeners(ready.get(timeout=10)) as heard:
            for number in range(rounds):
                moments.append(time.monotonic_ns())
                if number % 2:
                    site.table.undo(HOST)
                else:
                    site.table.do({"do": "deal"}, HOST)
                time.sleep(0.01)  # one tap after another, not a queue of them
            times = latencies(moments, heard())
        service.stop()
        thread.join()
        site.ledger.close()
    return spread(times)


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program as a process of its own."""
    command = [sys.executable, "-m", "companion", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def said(process: subprocess.Popen[str], words: str) -> str:
    """Return the first line of *process* that holds *words*."""
    assert process.stdout is not None
    return next(line for line in process.stdout if words in line)


def post(port: int, token: str, path: str, body: object) -> None:
    """Send JSON as this machine's own script."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"http://127.0.0.1:{port}{path}"
    urlopen(Request(address, json.dumps(body).encode(), headers), timeout=5).close()


def from_the_ring(slides: int) -> dict[str, float]:
    """Return the times from a passage's last byte to the slowest listener."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script, truth, line = folder / "script.jsonl", folder / "truth.jsonl", folder / "ring"
        steps: list[object] = [{"load": {"red": slides}}, {"wait_ms": 3000}]
        steps += [step for _ in range(slides) for step in ({"slide": 1, "speed_mm_s": 300}, {"wait_ms": 40})]
        script.write_text("".join(json.dumps(step) + "\n" for step in steps))
        mock = ("ring", "mock", "--pty", str(line), "--script", str(script), "--truth", str(truth), "--seed", "1")
        with running(*mock) as ring:
            said(ring, "virtual ring")
            serve = ("serve", "--ring", str(line), "--bind", "127.0.0.1", "--port", "0", "--data", str(folder / "data"))
            with running(*serve) as house:
                port = int(said(house, "http://").rstrip("/\n").rpartition(":")[2])
                post(port, (folder / "data" / "token").read_text(), "/api/v1/games", HEADER)
                with listeners(port) as heard:
                    while truth.read_text().count("\n") < slides:
                        time.sleep(0.1)
                    time.sleep(0.5)  # the last news is still on its way to the listeners
                    arrivals = heard()
        written = [json.loads(row)["written_ns"] for row in truth.read_text().splitlines() if '"out"' in row]
    return spread(latencies(written, arrivals))


def bare_commit(rounds: int) -> dict[str, float]:
    """Return the times of a commit of one row and nothing else, at the pace of the slides: the floor of it all."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        connection = connect(Path(folder) / "bare.sqlite")
        connection.execute("CREATE TABLE bare (body TEXT)")
        for _ in range(rounds):
            time.sleep(0.04)  # the pace of slides: a disk that rested answers differently
            began = time.monotonic_ns()
            connection.execute("INSERT INTO bare VALUES (?)", ("x" * 900,))
            times.append(time.monotonic_ns() - began)
        connection.close()
    return spread(times)


def latencies(written: list[int], arrivals: Arrivals) -> list[int]:
    """Return for each passage how long the slowest listener waited for the first news after it."""
    following = [*written[1:], written[-1] + 10**9]
    times = []
    for moment, until in zip(written, following, strict=True):
        firsts = [next((at for at in heard if moment <= at < until), None) for heard in arrivals]
        if None not in firsts:
            times.append(max(at for at in firsts if at is not None) - moment)
    return times


def main() -> None:
    """Measure both and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--slides", type=int, default=200)
    parser.add_argument("--listen", type=int, metavar="PORT", help="be the listeners")
    args = parser.parse_args()
    if args.listen:
        listen(args.listen)
    else:
        table, ring = from_the_table(args.rounds), {"slides": args.slides, **from_the_ring(args.slides)}
        figures = {"bench": "stream_latency", "listeners": LISTENERS, "table": table, "ring": ring}
        print(json.dumps(figures | {"bare_commit": bare_commit(args.slides)}))


if __name__ == "__main__":
    main()
