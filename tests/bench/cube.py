"""Prints how many Python calls one cube causes in each folder, from the ring's bytes to their acknowledgement.

A virtual ring lets cubes out in attempts of Andromeda, with the real reader
thread, table, ledger and streams. The ring's clock is stopped, so that no ping
or heartbeat interferes and every run has the same counts. Calls of built-in
functions are not counted. Calls after the acknowledgement, in the same thread,
are counted separately.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, groupby
from pathlib import Path
from queue import Queue
from random import Random
from statistics import median
from types import CodeType, FrameType

from companion.app.ring_controller import RingController
from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import command, header
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger
from companion.model.snapshot import Status, Who
from companion.ports.ring import RingListener
from companion.records import RECORD, VERSION
from companion.session.live_game import LiveGame
from companion.session.table import Table
from firmware_bridge.client.recorded_ring import RecordedRing
from firmware_bridge.client.ring import Opener, Ring
from firmware_bridge.colour import Nominal
from firmware_bridge.colour.channels import NOMINAL
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual.ring import VirtualRing
from firmware_bridge.transport.in_process import DirectWire, bell_pause
from rungs.wire import Bell
from web import SseStreams

ROOT = Path(__file__).parents[2]
HOST = Who("host", "tablet")
RING_S = 1000.0
LISTENERS = 4
PLAYERS = 3
SPEED_MM_S = 300.0
WAIT_S = 20.0
PASSAGE = (b"$ref ", b"$frame ", b"$edge ", b"$pass ")
Calls = Counter[tuple[str, CodeType]]
Parts = tuple[Calls, Calls]


class Counting:
    """Counts the calls of the current thread: those until the acknowledgement, and those after it."""

    def __init__(self) -> None:
        self.done: Queue[Parts] = Queue()
        self._parts: Parts | None = None
        self._now: Calls = Counter()

    def begin(self) -> None:
        """Start counting: a passage has arrived."""
        self._parts = (Counter(), Counter())
        self._now = self._parts[0]
        sys.setprofile(self._called)

    def acknowledged(self) -> None:
        """Count separately from now on, as the acknowledgement has been sent."""
        if self._parts is not None:
            self._now = self._parts[1]

    def end(self) -> None:
        """Stop counting: the thread waits for more bytes."""
        sys.setprofile(None)
        if self._parts is not None:
            self.done.put(self._parts)
        self._parts = None

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename != __file__:
            self._now[room(frame), frame.f_code] += 1


class CountedWire(DirectWire):
    """A wire to a ring in this process that counts the calls for each passage."""

    def __init__(self, ring: VirtualRing, bell: Bell, counting: Counting) -> None:
        super().__init__("bench", ring, still, bell_pause(bell))
        self._counting = counting
        self._portions: list[bytes] = []
        self._pausing = False

    def read(self, timeout_s: float) -> bytes:
        """Return the ring's output; a passage is returned separately, and starts the counting.

        After each portion there is a pause, in which the reader publishes its view.
        """
        if self._pausing:
            self._pausing = False
            return b""
        self._counting.end()
        if not self._portions:
            lines = super().read(timeout_s).splitlines(keepends=True)
            self._portions = [b"".join(group) for _, group in groupby(lines, lambda line: line.startswith(PASSAGE))]
        data = self._portions.pop(0) if self._portions else b""
        self._pausing = bool(data)
        if b"$pass " in data:
            self._counting.begin()
        return data

    def write(self, data: bytes) -> None:
        """Pass *data* to the ring, without counting."""
        counted = sys.getprofile()
        sys.setprofile(None)
        if b"$ack " in data:
            self._counting.acknowledged()
        super().write(data)
        sys.setprofile(counted)


def still() -> float:
    """Return the fixed time of the ring."""
    return RING_S


class House:
    """A table with a virtual ring whose cubes come out on request."""

    def __init__(self, folder: Path, lots: Random) -> None:
        self.counting = Counting()
        self.table = Table(LiveGame(Ledger.open(folder / "ledger.db"), {GAME.name: GAME}, time.monotonic, lots))
        self.device = VirtualRing(IDEAL, lots, (f"boot{number}" for number in count()).__next__, still())
        self._lots = lots
        self._folder = folder
        self._threads = Supervisor()
        self._bells: list[Bell] = []
        self.evening = RingController(self.table, self._ring)

    def _ring(self, listener: RingListener) -> Ring:
        names = (f"s{number}" for number in count()).__next__
        captures = self._folder / "captures"
        return RecordedRing(
            self._opener, listener, Nominal(), names, still, "bench", NOMINAL, captures, self._threads
        ).start()

    @property
    def _opener(self) -> Opener:
        def opened(bell: Bell) -> CountedWire:
            self._bells.append(bell)
            return CountedWire(self.device, bell, self.counting)

        return opened

    def play_on(self) -> None:
        """Play random moves until the ring is armed for a draw."""
        while (order := self.table.order()) is None:
            if self.table.snapshot.status is not Status.LIVE:
                own = header(PLAYERS, self._lots, False)
                self.table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **own}, HOST)
            else:
                self.table.do(GAME.line(command(self.table.snapshot.state, self._lots)), HOST)
        wait_until(lambda: self.device.armed == order.token)

    def slide(self) -> Parts:
        """Let one cube out, and return the calls counted for it."""
        before = self.table.snapshot.version
        assert self.device.slide(still(), speed_mm_s=SPEED_MM_S)
        self._bells[-1].ring()
        parts = self.counting.done.get(timeout=WAIT_S)
        assert self.table.snapshot.version > before, "the cube was no draw"
        return parts

    def close(self) -> None:
        """Close ring and ledger."""
        self.evening.close()
        self.table.close()


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until another thread makes *true* return true."""
    until = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.001)


@contextmanager
def told(house: House) -> Iterator[None]:
    """Serve event streams in their own event loop."""
    streams = SseStreams(house.table.snapshot)
    house.table.subscribe(streams.publish)
    house.table.subscribe_ring(streams.publish_ring)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    loop.call_soon_threadsafe(streams.start)
    yield
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def room(frame: FrameType | None) -> str:
    """Return the calling folder, two levels deep; calls in Python's own modules count for their caller."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and ".venv" not in path.parts:
            return "/".join(path.relative_to(ROOT).parts[:2])
        frame = frame.f_back
    return "python"


def main() -> None:
    """Count, and print the figures."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--cubes", type=int, default=60)
    parser.add_argument(
        "--names", type=int, default=0, metavar="N", help="also print the N functions that are called most"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), Random(1))
        with told(house):
            counted = []
            for _ in range(args.cubes):
                house.play_on()
                counted.append(house.slide())
        house.close()
    totals = sorted(before.total() for before, _ in counted)
    middle = min((parts for parts in counted), key=lambda parts: abs(parts[0].total() - median(totals)))
    rooms: Counter[str] = Counter()
    for (where, _), calls in middle[0].items():
        rooms[where] += calls
    figures = {
        "bench": "cube",
        "cubes": len(counted),
        "calls": {"fewest": totals[0], "median": median(totals), "most": totals[-1]},
        "after_acknowledgement": median(after.total() for _, after in counted),
        "rooms_of_the_median": dict(rooms.most_common()),
    }
    print(json.dumps(figures, indent=1))
    for (where, code), calls in middle[0].most_common(args.names):
        print(f"{calls:5} {where:28} {Path(code.co_filename).name}:{code.co_firstlineno} {code.co_qualname}")


if __name__ == "__main__":
    main()
