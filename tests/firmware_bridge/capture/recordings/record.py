"""Records the captures of this folder: `python -m tests.firmware_bridge.capture.recordings.record`.

All of them are simulated: a virtual ring with a fixed seed, a script for its
hand, and a clock that is an argument. Nothing was recorded from a real ring.
The same program always writes the same bytes; a changed simulation changes them.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random

from companion.ports.ring import RingEventKind
from firmware_bridge.capture.files import captures
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.colour import CalibratedJudge, Calibration, Pass
from firmware_bridge.colour.channels import NOMINAL, Channels
from firmware_bridge.passages.passage import MeasuredPassage, Passages, measured_again
from firmware_bridge.protocol.connection import Connection, Greeted
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.simulation.physics.world import Rates, World
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import step
from firmware_bridge.simulation.virtual import VirtualRing
from rungs.capture import CLOSED, LOST

HERE = Path(__file__).parent
PROGRAM = "tests/firmware_bridge/capture/recordings/record.py (simulated)"
STARTED = 1_767_294_000.0  # 2026-01-01 19:00 UTC, an arbitrary time
SEED = 11
TOKEN = 17
UNDER = {"red": 3, "blue": 3, "green": 3}
FIVE = ("red", "yellow", "green", "blue", "black")
CLOSE = ("red", "yellow", "lemon", "blue")
PASSES = 6
STEP_S = 0.002
AFTER_S = 1.2  # one heartbeat more
MOST_S = 60.0

LEMON: Channels = (0.700, 0.548, 0.238, 0.507)
QUIET = World(rates=Rates(0, 0, 0, 0, 0, 0, 0), reflectance={**NOMINAL, "lemon": LEMON})

Steps = Sequence[Mapping[str, object]]


def slid(*colours: str, **how: object) -> dict[str, object]:
    """Return the step of the script that lets cubes of *colours* out."""
    return {"slide": max(len(colours), 1), **({"colours": list(colours)} if colours else {}), **how}


SCRIPTS: Mapping[str, Steps] = {
    "went-back": [slid("red", fault="back")],
    "poke": [slid(fault="poke")],
    "two-together": [slid("red", fault="pair")],
    "surplus": [slid("red", fault="surplus")],
    "stuck": [slid("red", fault="stuck")],
    "gate-open-while-shaking": [slid(fault="shake_open")],
    "lifted": [slid(fault="lift")],
    "ambient-light": [slid("red", fault="ambient_light")],
    "saturated": [slid("red", fault="saturated")],
    "dirty-window": [slid("red", fault="dirty_window")],
    "unknown-colour": [slid("orange")],
    "colour-not-in-the-ring": [slid("yellow")],
    "link-lost": [slid("red"), {"wait_ms": 200}, {"unplug_ms": 1500}, slid("blue")],
    "device-restarted": [slid("red"), {"wait_ms": 200}, {"restart": True}, {"wait_for": "armed"}, slid("blue")],
    "sensor-missing": [slid("red", fault="sensor_missing")],
}
"""The script for each fault, except `ambiguous-colour`, whose script is searched for (see `ambiguous`)."""


@dataclass
class Recording:
    """A conversation of a host with a virtual ring, with its own clock, recorded by *capture*."""

    script: Steps
    capture: CaptureWriter | None = None
    under: Mapping[str, int] = None  # type: ignore[assignment]  # what lies below, `UNDER` when left out
    now: float = 0.0

    def __post_init__(self) -> None:
        names, boots = count(1), (f"{number:08x}" for number in count(0x51))
        self.host = Connection(lambda: f"s{next(names)}")
        self.ring = VirtualRing(QUIET, Random(SEED), boots.__next__, self.now, device="simulated")
        self.hand = Hand([step({"wait_for": "armed"}), *map(step, self.script)])
        self.events: list[Event] = []

    def run(self) -> Recording:
        """Run until the script is done, and a little longer."""
        self._plug()
        until = MOST_S
        while self.now < until:
            self.hand.act(self.ring, self.now)
            if self.hand.unplugged_s:
                self._unplug()
            self._exchange()
            self.now += STEP_S
            if self.hand.done and self.ring.acknowledged:
                until = min(until, self.now + AFTER_S)
        assert self.hand.done, self.script
        if self.capture:
            self.capture.note(CLOSED)
        return self

    def _exchange(self) -> None:
        said = self.host.outgoing(self.now)
        self.ring.receive(said, self.now)
        heard = self.ring.outgoing(self.now + STEP_S / 2)
        if self.capture and said:
            self.capture.sent(said)
        if self.capture and heard:
            self.capture.received(heard)
        for each in self.host.receive(heard, self.now):
            self._answer(each)

    def _answer(self, heard: object) -> None:
        if isinstance(heard, Greeted):
            under = ",".join(f"{colour}:{n}" for colour, n in (self.under or UNDER).items())
            self.host.order(QueuedCommand("under", (("n", 0), ("u", under))), QueuedCommand("arm", (("tok", TOKEN),)))
        if isinstance(heard, Event):
            self.events.append(heard)
            self.host.recorded(heard)

    def _plug(self) -> None:
        if self.capture:
            self.capture.opened("virtual ring (simulated)")
        self.host.connected(self.now)

    def _unplug(self) -> None:
        if self.capture:
            self.capture.note(f"{LOST}: virtual ring (simulated) is gone (unplugged).")
        self.now += self.hand.unplugged_s
        self.hand.unplugged_s = 0.0
        self._plug()


def passages(events: Sequence[Event]) -> list[MeasuredPassage]:
    """Return the readings of each passage among *events*."""
    passages, found = Passages("simulated"), []
    for event in events:
        told = passages.take(event, Unread(), {})
        if told is not None and told.kind is RingEventKind.OUT and (seen := measured_again(told.raw)) is not None:
            found.append(seen)
    return found


class Unread:
    """A judge that decides nothing."""

    def judge(self, reading: object, under: object) -> object:
        """Return no colour."""
        from companion.ports.ring import Judgement

        return Judgement(None)


def calibration(colours: Sequence[str]) -> Calibration:
    """Return a calibration for the ring that made these captures, computed from separate passes."""
    made: list[Pass] = []
    black = white = (0.0, 0.0, 0.0, 0.0)
    for colour in colours:
        script = [slid(*[colour] * PASSES)]
        for seen in passages(Recording(script, under={colour: 9}).run().events):
            assert seen.white and seen.dark and seen.black
            made.append(Pass(colour, seen.full, seen.white, seen.dark))
            black, white = less(seen.black, seen.dark), less(seen.white, seen.dark)
    return Calibration("simulated", "tcs34725", "simulated", "2026-01-01T18:00:00Z", black, white, tuple(made))


def less(counts: Channels, dark: Channels) -> Channels:
    """Return *counts* minus the room's light."""
    r, g, b, c = (count - off for count, off in zip(counts, dark, strict=True))
    return r, g, b, c


def ambiguous(close: Calibration) -> Steps:
    """Return a slide at the lowest speed at which a judge calibrated by *close* can't decide between two colours."""
    judge = CalibratedJudge(close)
    for speed in range(60, 400):
        steps = [slid("lemon", speed_mm_s=speed)]
        (seen,) = passages(Recording(steps, under={"lemon": 1, "yellow": 1}).run().events)
        if judge.judge(seen.reading(), {}).why == "ambiguous":
            return steps
    raise SystemExit("No speed leaves the judge in doubt: choose closer colours.")


def record(name: str, steps: Steps, folder: Path, under: Mapping[str, int] | None = None) -> Path:
    """Record *steps* as the capture *name* in *folder*; return its path."""
    with tempfile.TemporaryDirectory() as scratch:
        recording = Recording(steps, under=under or UNDER)
        clock: Callable[[], float] = lambda: recording.now  # noqa: E731
        recording.capture = CaptureWriter(Path(scratch), PROGRAM, clock, lambda: STARTED)
        recording.run()
        recording.capture.close()
        (file,) = captures(Path(scratch))
        return Path(shutil.copyfile(file, folder / f"{name}.log"))


def main() -> None:
    """Record all captures."""
    close = replace(calibration(CLOSE), copy="two close colours")
    (HERE / "five.json").write_text(json.dumps(calibration(FIVE).line()) + "\n")
    (HERE / "close.json").write_text(json.dumps(close.line()) + "\n")
    for name, steps in SCRIPTS.items():
        record(name, steps, HERE)
    record("ambiguous-colour", ambiguous(close), HERE, {"lemon": 1, "yellow": 1})


if __name__ == "__main__":
    main()
