"""Prints the latency of events: from a commit, and from the ring's last byte, to the slowest of four listeners.

Four measures in one run, the last three at the same time, as a machine's load
changes from minute to minute. `table`: a command is given to a live table in
the service's own process; the time starts before the command, so it includes
the decision, the commit with its fsync, and the event. `ring`: a virtual ring,
a process of its own on a pseudo-terminal, lets stations out; the time starts
when a passage's last byte is first written (as its truth file says) and ends when
the event arrives, so it includes pty, reading, checking, judging, commit and
stream. It is not a real ring: bytes, commit and sockets are real, the hand and
its cubes are not. Listeners are plain sockets on this machine.
`bare_commit` is a commit by SQLite of a row as large as the rows of one cube,
on the same disk, with the ledger's pragmas; `bare_stream` is one event from a
thread to the same number of listeners, through uvicorn alone. These two together
are the minimum: `ratio` says how much slower the ring is.
"""

from __future__ import annotations

import asyncio
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue
from statistics import quantiles
from urllib.request import Request, urlopen

from uvicorn import Config, Server

from companion.ledger.storage import connect
from companion.session.commands import Undo
from tests.web.plain_game import HEADER
from tests.web.served_house import HOST, ServedHouse
from web import Service
from web.http.asgi import Receive, Scope, Send

ROOT = Path(__file__).parents[2]
HEARD = b"event: table"
LISTENERS = 4
PACE_MS = 100  # interval between cubes, longer than the slowest event
ROW_BYTES = 900
BARE_EVENT = b'id: 1000\nevent: table\ndata: {"version":1000,"kept":true}\n\n'
Arrivals = list[list[int]]


def listen(port: int, count: int = LISTENERS) -> None:
    """Act as the listeners, in a process of their own: print the times of events when standard input ends."""
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
    """Start the listeners; call the yielded function to end them and get their times."""
    command = [sys.executable, "-m", "tests.bench.stream_latency", "--listen", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said(process, "listening")
        yield lambda: json.loads(process.communicate(timeout=10)[0])


@dataclass
class Measured:
    """Times in nanoseconds of each measure."""

    table: list[int] = field(default_factory=list)
    ring: list[int] = field(default_factory=list)
    bare_commit: list[int] = field(default_factory=list)
    bare_stream: list[int] = field(default_factory=list)

    def beside(self, slides: int) -> None:
        """Add the times of slides, commits and streams measured at the same time, so that load affects all of them."""
        with ThreadPoolExecutor() as apart:
            commits, streams = apart.submit(bare_commit, slides), apart.submit(bare_stream, slides)
            self.ring += from_the_ring(slides)
            self.bare_commit += commits.result()
            self.bare_stream += streams.result()

    def ratio(self) -> dict[str, float]:
        """Return the ring's time relative to a bare commit plus a bare stream."""
        ring, commit, stream = spread(self.ring), spread(self.bare_commit), spread(self.bare_stream)
        return {name: round(ring[name] / (commit[name] + stream[name]), 2) for name in ("p50_ms", "p95_ms")}


def spread(times_ns: list[int]) -> dict[str, float]:
    """Return the number of times, and their percentiles in milliseconds."""
    cuts = quantiles(times_ns, n=100)
    figures = {"p50_ms": cuts[49], "p95_ms": cuts[94], "p99_ms": cuts[98], "worst_ms": max(times_ns)}
    return {"count": len(times_ns), **{name: round(value / 1e6, 3) for name, value in figures.items()}}


def from_the_table(rounds: int) -> list[int]:
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
                    site.table.execute(Undo(), HOST)
                else:
                    site.table.do({"do": "deal"}, HOST)
                time.sleep(0.01)  # one command after another, without a queue
            times = latencies(moments, heard())
        service.stop()
        thread.join()
        site.ledger.close()
    return times


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program in its own process."""
    command = [sys.executable, "-m", "companion", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def said(process: subprocess.Popen[str], words: str) -> str:
    """Return the first line of *process* that contains *words*."""
    assert process.stdout is not None
    return next(line for line in process.stdout if words in line)


def post(port: int, token: str, path: str, body: object) -> None:
    """Send JSON with the token of this machine's scripts."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"http://127.0.0.1:{port}{path}"
    urlopen(Request(address, json.dumps(body).encode(), headers), timeout=5).close()


def from_the_ring(slides: int) -> list[int]:
    """Return the times from a passage's last byte to the slowest listener."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script, truth, line = folder / "script.jsonl", folder / "truth.jsonl", folder / "ring"
        steps: list[object] = [{"load": {"red": slides}}, {"wait_ms": 3000}]
        steps += [step for _ in range(slides) for step in ({"slide": 1, "speed_mm_s": 300}, {"wait_ms": PACE_MS})]
        script.write_text("".join(json.dumps(step) + "\n" for step in steps))
        mock = ("ring", "mock", "--pty", str(line), "--script", str(script), "--truth", str(truth), "--seed", "1")
        with running(*mock) as ring:
            said(ring, "virtual ring")
            serve = ("serve", "--ring", str(line), "--bind", "127.0.0.1", "--port", "0", "--data", str(folder / "data"))
            with running(*serve) as house:
                port = int(said(house, "http://").rstrip("/\n").rpartition(":")[2])
                post(port, (folder / "data" / "token").read_text(), "/api/v1/games", HEADER)
                with listeners(port) as heard:
                    began = time.monotonic_ns()  # on a busy machine, cubes may have come out before that
                    while truth.read_text().count("\n") < slides:
                        time.sleep(0.1)
                    time.sleep(0.5)  # the last event is still on its way to the listeners
                    arrivals = heard()
        written = [json.loads(row)["written_ns"] for row in truth.read_text().splitlines() if '"out"' in row]
    return latencies([moment for moment in written if moment > began], arrivals)


def bare_commit(rounds: int) -> list[int]:
    """Return the times that bare commits of one row take, at the pace of the slides."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        connection = connect(Path(folder) / "bare.sqlite")
        connection.execute("CREATE TABLE bare (body TEXT)")
        for _ in range(rounds):
            time.sleep(PACE_MS / 1000)  # a disk that was idle has another latency
            began = time.monotonic_ns()
            connection.execute("INSERT INTO bare VALUES (?)", ("x" * ROW_BYTES,))
            times.append(time.monotonic_ns() - began)
        connection.close()
    return times


class BareStreams:
    """An application that sends events and does nothing else."""

    def __init__(self) -> None:
        self.over = False
        self._woken: list[asyncio.Event] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one stream."""
        woken = asyncio.Event()
        self._woken.append(woken)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        while not self.over:
            await send({"type": "http.response.body", "body": BARE_EVENT, "more_body": True})
            await woken.wait()
            woken.clear()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def tell(self) -> None:
        """Send an event to every stream."""
        for woken in self._woken:
            woken.set()


def bare_stream(rounds: int) -> list[int]:
    """Return the times of one event from a thread to the slowest listener."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        streams = BareStreams()
        server = Server(Config(streams, http="h11", ws="none", lifespan="off", log_config=None, access_log=False))
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=lambda: loop.run_until_complete(server.serve([sock])))
        thread.start()
        moments = []
        with listeners(sock.getsockname()[1]) as heard:
            for _ in range(rounds):
                time.sleep(PACE_MS / 1000)
                moments.append(time.monotonic_ns())
                loop.call_soon_threadsafe(streams.tell)
            time.sleep(0.2)  # the last event is still on its way
            times = latencies(moments, heard())
        streams.over = server.should_exit = True
        loop.call_soon_threadsafe(streams.tell)
        thread.join()
        loop.close()
    return times


def latencies(written: list[int], arrivals: Arrivals) -> list[int]:
    """Return for each passage the time until the slowest listener got the first event after it."""
    return [max(next(at for at in heard if at >= moment) for heard in arrivals) - moment for moment in written]


def main() -> None:
    """Measure all, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--slides", type=int, default=200)
    parser.add_argument("--turns", type=int, default=4, help="number of turns in which the measurements are made")
    parser.add_argument("--listen", type=int, metavar="PORT", help="run as the listeners of this port")
    args = parser.parse_args()
    if args.listen:
        listen(args.listen)
    else:
        found = Measured()
        for _ in range(args.turns):
            found.table += from_the_table(args.rounds // args.turns)
            found.beside(args.slides // args.turns)
        figures = {name: spread(times) for name, times in vars(found).items()}
        about = {"bench": "stream_latency", "listeners": LISTENERS, "slides": args.slides}
        print(json.dumps({**about, **figures, "ratio": found.ratio()}, indent=1))


if __name__ == "__main__":
    main()
