"""Measures passages over a pseudo-terminal on which bytes are damaged, lost and doubled in both directions.

Prints one JSON object. The ring is a virtual one in a process of its own, and
its clock jumps, so passages come as fast as the link accepts them: these are
figures of the protocol, not of a real ring.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.ports.ring import Order, RingEvent, RingEventKind, RingView
from firmware_bridge import open_ring

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black", "wood")


class Log:
    """Records passages, and the gaps between them."""

    def __init__(self, wanted: int) -> None:
        self.passages: list[RingEvent] = []
        self.times: list[float] = []
        self.done = threading.Event()
        self._wanted = wanted

    def heard(self, *events: RingEvent) -> None:
        """Record passages."""
        for event in events:
            if event.kind is RingEventKind.OUT:
                self.passages.append(event)
                self.times.append(time.monotonic())
        if len(self.passages) == self._wanted:
            self.done.set()

    def ring_changed(self, view: RingView) -> None:
        """Do nothing."""


def measured(passages: int, damage: float, seed: int, folder: Path) -> dict[str, object]:
    """Send *passages* passages over a line that damages the fraction *damage* of all bytes; return the figures."""
    script, truth, port = folder / "script.jsonl", folder / "truth.jsonl", folder / "ring"
    load = {colour: passages // len(COLOURS) + 1 for colour in COLOURS}
    steps = [{"load": load}, {"wait_for": "armed"}, {"slide": passages}]
    script.write_text("\n".join(map(json.dumps, steps)))
    arguments = ["--pty", port, "--script", script, "--truth", truth, "--seed", seed, "--damage", damage]
    mock = subprocess.Popen(
        [sys.executable, "-m", "companion", "ring", "mock", *map(str, arguments)], stdout=subprocess.PIPE
    )
    try:
        assert mock.stdout is not None
        mock.stdout.readline()
        log = Log(passages)
        ring = open_ring(str(port), log)
        ring.arm(Order(1, load))
        while not log.done.wait(1) and mock.poll() is None:
            pass
        view = ring.view
        time.sleep(0.5)  # wait for the last acknowledgements, so that the truth is written completely
        ring.close()
    finally:
        mock.terminate()
        mock.wait()
    return figures(log, truth, view)


def figures(log: Log, truth: Path, view: RingView) -> dict[str, object]:
    """Compare the received passages with the truth."""
    happened = [json.loads(line) for line in truth.read_text().splitlines()]
    names = [(event.boot, event.seq) for event in log.passages]
    heard = dict(zip(names, log.passages, strict=True))
    missed = [each for each in happened if (each["boot"], each["seq"]) not in heard]
    wrong = [each for each in happened if (each["boot"], each["seq"]) in heard and not right(each, heard)]
    gaps = sorted(later - earlier for earlier, later in zip(log.times, log.times[1:], strict=False))
    waits = sorted(
        at - each["written_ns"] / 1e9 for each, at in zip(happened, log.times, strict=False) if each["written_ns"]
    )
    return {
        "finished": log.done.is_set(),
        "passages": len(happened),
        "logged": len(log.passages),
        "doubled": len(names) - len(heard),
        "missed": len(missed),
        "wrong": len(wrong),
        "unsure": sum(event.judgement is not None and event.judgement.colour is None for event in log.passages),
        "longest_stall_ms": round(gaps[-1] * 1000, 1),
        "stall_p99_ms": round(gaps[len(gaps) * 99 // 100] * 1000, 2),
        "first_written_to_logged_p50_ms": round(waits[len(waits) // 2] * 1000, 2),
        "first_written_to_logged_longest_ms": round(waits[-1] * 1000, 1),
        "total_s": round(log.times[-1] - log.times[0], 1),
        "damaged_lines_heard": view.damaged,
        "repeated_lines_heard": view.repeated,
        "round_trip_ms": view.round_trip_ms,
    }


def right(truth: dict[str, object], heard: dict[tuple[object, object], RingEvent]) -> bool:
    """Return whether the passage was received correctly; an undecided colour is not wrong."""
    event = heard[truth["boot"], truth["seq"]]
    judged = event.judgement
    return event.kind == truth["kind"] and judged is not None and judged.colour in (truth["colour"], None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--damage", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(chosen.passages, chosen.damage, chosen.seed, Path(folder)), indent=1))
