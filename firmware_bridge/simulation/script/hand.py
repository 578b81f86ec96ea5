"""The hand at a simulated ring: carries out the steps of a script, one after another, as time passes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import assert_never

from companion.kernel.shown import shows
from firmware_bridge.device.codec import VERSION
from firmware_bridge.simulation.fault_injection.troubles import FROM_OURS, LINE
from firmware_bridge.simulation.script.ring import SimulatedRing
from firmware_bridge.simulation.script.steps import (
    Calibrated,
    Do,
    LoadStations,
    Restart,
    Slide,
    Step,
    Trouble,
    Unplug,
    Wait,
    WaitFor,
)

SETTLED_S = 0.03  # how long a ring must have been armed and idle before `wait_for` continues
SLIDES_A_TURN = 8
NEVER = float("inf")


@shows("unplugged_s", "line_trouble", "_slid")
class Hand:
    """Carries out *steps* in order. Steps may be added later.

    The owner of the line must do two things itself, because they do not happen at the ring: disconnect for
    `unplugged_s` seconds, and start `line_trouble`.
    """

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self.unplugged_s = 0.0
        self.line_trouble: Trouble | None = None
        self._steps = deque(steps)
        self._urgent: deque[Trouble] = deque()
        self._slid = 0
        self._idle_until = 0.0
        self._settled_since: float | None = None

    @property
    def done(self) -> bool:
        """True when no step is left."""
        return not self._steps

    def add(self, step: Step) -> None:
        """Add *step* at the end. A trouble is carried out before all other steps. May be called from any thread."""
        if isinstance(step, Trouble):
            self._urgent.append(step)
        else:
            self._steps.append(step)

    def act(self, ring: SimulatedRing, now: float) -> float:
        """Carry out the steps that are due. Return when to call again (infinity: after the ring has changed)."""
        while self._urgent:
            self._trouble(self._urgent.popleft(), ring, now)
        while self._steps and now >= self._idle_until and not self.unplugged_s:
            again = self._do(self._steps[0], ring, now)
            if again > now:
                return again
        return self._idle_until if self._steps else NEVER

    def _do(self, step: Step, ring: SimulatedRing, now: float) -> float:
        """Carry out *step*, or as much of it as is possible now. Return when to continue."""
        match step:
            case Slide():
                return self._slide(step, ring, now)
            case Wait(seconds):
                self._idle_until = now + seconds
            case WaitFor():
                if not self._settled(ring, now):
                    return now + SETTLED_S
            case Unplug(seconds):
                self.unplugged_s = seconds
            case LoadStations() | Calibrated() | Restart() | Do():
                _at_once(step, ring, now)
            case Trouble():
                self._trouble(step, ring, now)
            case _:
                assert_never(step)
        self._steps.popleft()
        return now

    def _trouble(self, trouble: Trouble, ring: SimulatedRing, now: float) -> None:
        match trouble.word:
            case "unplugged":
                self.unplugged_s = trouble.seconds
            case "restarted":
                ring.restart(now)
            case "wrapped":
                ring.restart(now, wrapped=True)
            case "older" | "newer":
                ring.restart(now, version=VERSION + FROM_OURS[trouble.word])
            case "sensor-gone" | "sensor-back":
                ring.sensor(trouble.word == "sensor-back", now)
            case "store-full":
                ring.fill(now)
            case _:
                assert trouble.word in LINE
                self.line_trouble = trouble

    def _slide(self, slide: Slide, ring: SimulatedRing, now: float) -> float:
        """Let out a few stations. Wait while the ring has no room to store the events."""
        for _ in range(SLIDES_A_TURN):
            if self._slid >= slide.count:
                self._slid = 0
                self._steps.popleft()
                return now
            if not ring.has_room:
                return NEVER
            colour = slide.colours[self._slid] if self._slid < len(slide.colours) else ""
            ring.slide(now, colour, slide.speed_mm_s, slide.fault)
            self._slid += 1
        return NEVER if not ring.has_room else now + 1e-9

    def _settled(self, ring: SimulatedRing, now: float) -> bool:
        if not (ring.armed and ring.acknowledged):
            self._settled_since = None
            return False
        if self._settled_since is None:
            self._settled_since = now
        settled = now - self._settled_since >= SETTLED_S
        if settled:
            self._settled_since = None
        return settled


def _at_once(step: LoadStations | Calibrated | Restart | Do, ring: SimulatedRing, now: float) -> None:
    match step:
        case LoadStations(stations):
            ring.load(stations)
        case Calibrated():
            ring.calibrated()
        case Restart():
            ring.restart(now)
        case Do("jolt"):
            ring.jolt(now)
        case Do("open" | "close" as deed):
            ring.gate(deed == "open", now)
        case Do(deed):
            ring.lift(deed == "lift", now)
