"""Measures the firmware on the emulated board over a damaged line, from the beam to the ledger; prints one JSON object.

Firmware, link, judge, table and ledger are the real ones; gate, sensor and
time are simulated. Bytes are damaged, lost and doubled in both directions, and
the board is restarted at intervals, once all is recorded. `--idle-hours`
measures an idle board instead. Figures "in simulated time" are those of
protocol and firmware with a wire without delay and an infinitely fast
processor, not those of a Pico.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

from companion.ledger import Ledger
from companion.model.snapshot import Who
from companion.ports.ring import Order, RingEvent, RingEventKind, RingView
from companion.session.commands import Answer
from companion.session.live_game import LiveGame
from companion.session.table import Table
from firmware_bridge.client.ring import Ring
from firmware_bridge.colour import Nominal
from firmware_bridge.colour.channels import NOMINAL
from firmware_bridge.factory.open import session_name
from firmware_bridge.protocol.connection import Connection
from firmware_bridge.protocol.messages import Event
from firmware_bridge.simulation.emulated import EmulatedRing
from firmware_bridge.simulation.physics.world import IDEAL, World, read_world
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.transport.in_process import DirectWire
from rungs.trouble import Damage
from tests.companion.toy import HEADER, Toy

HOST = Who("host", "tablet")
WIRE_S = 0.0005  # data arrives after a short delay
SETTLED_S = 0.5  # by then a restarted board has read its white reference
MEASURE_EVERY = 50


class Clock:
    """A clock that advances only while a caller waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now

    def wait(self, seconds: float) -> bool:
        """Advance the clock by *seconds*."""
        self.now += seconds + WIRE_S
        return False


class Evening:
    """A board, a damaged line, and a hand that slides one station after another."""

    def __init__(self, ring: EmulatedRing, damage: float, seed: int, passages: int, each_start: int) -> None:
        self.ring = ring
        self.happened: list[GroundTruth] = []
        self.last_edge: dict[int, float] = {}
        self.free: list[int] = []
        self.latest = ""
        self.done = threading.Event()
        self._down, self._up = (Damage(damage, Random(f"{seed} {way}")) for way in ("down", "up"))
        self._passages = passages
        self._each_start = each_start
        self._slid = 0
        self._started_at = 0
        self._settled_at = 0.0

    @property
    def damaged(self) -> int:
        """Return how many bytes were damaged."""
        return self._down.damaged + self._up.damaged

    def receive(self, data: bytes, now: float) -> None:
        """Receive the host's data over the damaged line."""
        self.ring.receive(self._down.passed(data), now)

    def outgoing(self, now: float) -> bytes:
        """Pass the board's data to the host over the damaged line, and let the hand act."""
        data = self.ring.outgoing(now)
        for deed in self.ring.rig.happened:
            if deed.kind == "out":
                self.latest = deed.colours[0]
                self.last_edge[len(self.last_edge) + 1] = deed.last_us / 1e6
        self.happened += self.ring.written(time.monotonic_ns())
        self._act(now)
        return self._up.passed(data)

    def due(self, now: float) -> float:
        """Return when there may be more output."""
        return self.ring.due(now)

    def _act(self, now: float) -> None:
        if not (self.ring.armed and self.ring.acknowledged):
            self._settled_at = now + SETTLED_S
        settled = now >= self._settled_at
        if self._slid == self._passages:
            if settled:
                self.done.set()
        elif self._slid - self._started_at == self._each_start:
            if settled:
                self._started_at = self._slid
                self.ring.restart(now)
        elif self.ring.has_room and (settled or self._slid > self._started_at):
            self._slid += 1
            self.ring.slide(now)
            self._measure()

    def _measure(self) -> None:
        memory = self.ring.board.memory
        if memory:
            self.free.append(memory.least_free)
        if self._slid % MEASURE_EVERY == 0:
            self.ring.board.measure()


class Listener:
    """Passes events to the table and records how long each commit takes; *really* returns the true colour of a cube."""

    def __init__(self, table: Table, clock: Clock, really: Callable[[], str]) -> None:
        self.events: dict[tuple[str, int], RingEvent] = {}
        self.at: dict[tuple[str, int], float] = {}
        self.commits: list[float] = []
        self.told = 0
        self._table = table
        self._clock = clock
        self._really = really

    def heard(self, *events: RingEvent) -> None:
        """Let the table commit *events*."""
        began = time.perf_counter()
        self._table.heard(*events)
        self.commits.append(time.perf_counter() - began)
        for event in events:
            if event.kind in (
                RingEventKind.OUT,
                RingEventKind.PAIR,
                RingEventKind.BACK,
                RingEventKind.POKE,
                RingEventKind.STUCK,
                RingEventKind.GLITCH,
            ):
                self.told += 1
                self.events.setdefault((event.boot, event.seq), event)
                self.at.setdefault((event.boot, event.seq), self._clock.now)
        for question in self._table.snapshot.questions:
            self._table.execute(Answer(question.id, self._really()), HOST)

    def ring_changed(self, view: RingView) -> None:
        """Do nothing."""


def digging(folder: Path, clock: Clock, load: dict[str, int], draws: int) -> Table:
    """Return a table with its own ledger that expects *draws* draws."""
    table = Table(LiveGame(Ledger.open(folder / "ledger.db"), {"toy": Toy()}, clock, Random(1)))
    table.open({**HEADER, "bag": load}, HOST)
    table.do({"do": "dig", "player": "red", "draws": draws}, HOST)
    return table


class Stopwatch:
    """Measures how long a run takes, from the creation of the stopwatch."""

    def __init__(self) -> None:
        self._began, self._cpu = time.monotonic(), time.process_time()

    def figures(self, passages: int) -> dict[str, float]:
        """Return the total time, and the time per passage."""
        wall, cpu = time.monotonic() - self._began, time.process_time() - self._cpu
        return {
            "wall_s": round(wall, 1),
            "wall_ms_per_passage": round(1000 * wall / passages, 2),
            "our_cpu_ms_per_passage": round(1000 * cpu / passages, 2),
        }


def _evening(options: argparse.Namespace, world: World, clock: Clock) -> Evening:
    ring = EmulatedRing(world, Random(options.seed), clock.now, options.port)
    return Evening(ring, options.damage, options.seed, options.passages, options.each_start)


def measured(options: argparse.Namespace, world: World, folder: Path) -> dict[str, object]:
    """Run the passages, and return the figures."""
    clock = Clock()
    load = dict.fromkeys(NOMINAL, options.passages)
    table = digging(folder, clock, load, 9 * options.passages)
    order = table.order()
    assert order is not None
    evening = _evening(options, world, clock)
    listener = Listener(table, clock, lambda: evening.latest)
    stopwatch = Stopwatch()
    ring = Ring(lambda bell: DirectWire("board", evening, clock, clock.wait), listener, Nominal(), session_name, clock)
    ring.arm(Order(order.token, load))
    ring.start()
    while not evening.done.wait(1) and ring._thread.is_alive():
        pass
    view = ring.view
    ring.close()
    cost = stopwatch.figures(options.passages)
    evening.happened += evening.ring.unwritten()
    evening.ring.close()
    table.close()
    return {
        "finished": evening.done.is_set(),
        **compared(evening, listener),
        **largest(listener),
        **on_record(folder / "ledger.db"),
        **told(evening, view),
        "commit_p50_ms": _ms(sorted(listener.commits), 50),
        "simulated_s": round(clock.now, 1),
        **cost,
    }


def compared(evening: Evening, listener: Listener) -> dict[str, object]:
    """Compare the received passages with the truth."""
    outs = [each for each in evening.happened if each.kind == "out"]
    names = {(each.boot, each.seq): each for each in outs}
    missed = [each for each in outs if (each.boot, each.seq) not in listener.events]
    heard = [(each, listener.events[name]) for name, each in names.items() if name in listener.events]
    wrong = [event for each, event in heard if event.judgement and event.judgement.colour not in (*each.colours, None)]
    waits = sorted(
        listener.at[each.boot, each.seq or 0] - edge
        for each, edge in zip(sorted(outs, key=lambda each: each.n), evening.last_edge.values(), strict=True)
        if (each.boot, each.seq) in listener.at
    )
    return {
        "passages": len(outs),
        "logged": len(heard),
        "doubled": listener.told - len(listener.events),
        "missed": len(missed),
        "invented": len(listener.events) - len(heard),
        "wrong": len(wrong) + sum(event.kind != "out" for _, event in heard),
        "unsure": sum(event.judgement is not None and event.judgement.colour is None for _, event in heard),
        "beam_to_ledger_p50_ms": _ms(waits, 50),
        "beam_to_ledger_p95_ms": _ms(waits, 95),
        "beam_to_ledger_longest_ms": round(waits[-1] * 1000, 2) if waits else None,
    }


def largest(listener: Listener) -> dict[str, object]:
    """Return the size of the largest passage: lines, bytes and frames."""
    raws = [event.raw for event in listener.events.values()]
    return {
        "largest_passage_lines": max(map(len, raws), default=0),
        "largest_passage_bytes": max((sum(len(line) + 1 for line in raw) for raw in raws), default=0),
        "largest_passage_frames": max(
            (sum(line.count(",") + 1 for line in raw if line.startswith("$frame")) for raw in raws), default=0
        ),
    }


def on_record(path: Path) -> dict[str, object]:
    """Count passages in the ledger, and the draws that they caused."""
    passages = "SELECT count(*) FROM row WHERE kind = 'ring' AND word = 'out'"
    draws = "SELECT count(*) FROM row WHERE kind = 'line' AND word = 'draw' AND ring IS NOT NULL"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        (in_ledger,), (drawn,) = file.execute(passages).fetchone(), file.execute(draws).fetchone()
    return {"passages_in_ledger": in_ledger, "draws_in_ledger": drawn}


def told(evening: Evening, view: RingView) -> dict[str, object]:
    """Return the counters of board and line."""
    board = evening.ring.board
    return {
        "starts": board.starts,
        "bytes_damaged": evening.damaged,
        "damaged_lines_heard": view.damaged,
        "repeated_lines_heard": view.repeated,
        "questions": board.questions,
        "edges": board.edges,
        "frames_read": board.wiring.frames,
        "heap_least_free": min(evening.free, default=None),
    }


def idle(options: argparse.Namespace, world: World) -> dict[str, object]:
    """Let an idle board run for hours with a host; return its memory over time."""
    clock, used = Clock(), []
    names = map(str, count(1))
    host = Connection(lambda: f"s{next(names)}")
    host.connected(0.0)
    began = time.monotonic()
    with closing(EmulatedRing(world, Random(options.seed), 0.0, options.port)) as ring:
        for minute in range(1, round(60 * options.idle_hours) + 1):
            ring.board.memory = None
            ring.board.measure()
            _converse(host, ring, clock, 60.0 * minute)
            assert ring.board.memory is not None, "the board has rested within a minute"
            used.append(ring.board.memory.used)
        least_free = ring.board.memory.least_free
    return {
        "idle_hours": options.idle_hours,
        "heap_used_first": used[0],
        "heap_used_last": used[-1],
        "heap_used_most": max(used),
        "heap_least_free": least_free,
        "starts": ring.board.starts,
        "questions": ring.board.questions,
        "wall_s": round(time.monotonic() - began, 1),
    }


def _converse(host: Connection, ring: EmulatedRing, clock: Clock, until: float) -> None:
    """Transfer data between host and board, and acknowledge all events."""
    while clock.now < until:
        for heard in host.receive(ring.outgoing(clock.now), clock.now):
            if isinstance(heard, Event):
                host.recorded(heard)
        ring.receive(host.outgoing(clock.now), clock.now)
        clock.wait(max(min(ring.due(clock.now), host.due(clock.now), until) - clock.now, 0.0))


def _ms(values: Sequence[float], percent: int) -> float | None:
    return round(values[len(values) * percent // 100] * 1000, 2) if values else None


def main() -> None:
    """Run what the arguments ask for, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--damage", type=float, default=0.002)
    parser.add_argument(
        "--each-start", type=int, default=500, help="number of passages between two starts of the board"
    )
    parser.add_argument("--idle-hours", type=float, default=0.0)
    parser.add_argument("--port", default="wasm", choices=("wasm", "unix"))
    parser.add_argument("--world", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    world = read_world(chosen.world) if chosen.world else IDEAL
    with tempfile.TemporaryDirectory() as folder:
        figures = idle(chosen, world) if chosen.idle_hours else measured(chosen, world, Path(folder))
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
