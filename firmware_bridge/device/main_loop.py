"""The main loop of a ring, on top of a `Hal`; the same on a board and on a Raspberry Pi."""

from .clock import ExtendedClock
from .controller import Controller, ControllerHands, colour, reference, tone
from .endpoint import Endpoint
from .frame_capture import FrameCapture
from .hal import Hal
from .reference_capture import ReferenceCapture
from .sensor import Sensor
from .sensor_driver import frame_us
from .switch_debounce import SETTLED_US, SwitchDebounce

MOST_EVENTS = 12  # events written per turn, enough for a whole passage
FULL_US = 1_000  # between two attempts to write to a host that does not read
# Well below the watchdog's timeout of eight seconds; only `turn` feeds it.
LONGEST_REST_US = 1_000_000
ASTRAY_US = 20_000  # if a beam's level contradicts its edges for this long, an edge was lost


class Loop(ControllerHands):
    """The main loop of one ring. The owner calls `turn` repeatedly.

    *link* must be unused. *extra* is offered every order before this object is.
    """

    def __init__(self, hal: Hal, sensor: Sensor, link: Endpoint, extra: ControllerHands) -> None:
        self.link = link
        self.controller = Controller(link, self)
        self.leaving = False
        self._hal = hal
        self._sensor = sensor
        self._extra = extra
        self._clock = ExtendedClock(hal.mask + 1, hal.ticks())
        self._frame_capture = FrameCapture(hal, sensor)
        self._reference_capture = ReferenceCapture(hal, sensor, self.controller)
        self._gate = SwitchDebounce(hal.gate_open())
        self._lift = SwitchDebounce(hal.lifted())
        self._waiting = b""
        self._silent_us = 0
        self._astray_us = -1
        link.gate, link.lift = _level_text(self._gate.on), _level_text(self._lift.on)

    @property
    def now_us(self) -> int:
        """Microseconds since the start."""
        return self._clock.at(self._hal.ticks())

    def turn(self) -> None:
        """Do what is due, then wait until there is more to do."""
        self._hal.alive()
        if self._hal.blocked():
            # Frames first: when an edge ends a passage, the passage is reported with the frames captured so far.
            self._catch()
        self._sense()
        self._speak()
        # The answer to the order is sent first.
        if self.leaving and not self._waiting:
            self._hal.leave()
        if not self._hal.blocked():
            self._rest()

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Carry out the orders that need hardware (see `ControllerHands`)."""
        why = self._extra.obey(word, fields, now_us)
        if why is not None:
            return why
        if word == "look":
            return self._look(reference(fields))
        if word == "lamp":
            self._hal.light(*colour(fields))
        elif word == "beep":
            hz, ms = tone(fields)
            self._hal.tone(hz)
            self._silent_us = now_us + 1000 * ms
        elif word == "prompt":
            self.leaving = True
        else:
            return None
        return ""

    def _look(self, what: str) -> str:
        if not self.controller.sensing:
            return "sensor"
        self._reference_capture.order(what)
        return ""

    def _catch(self) -> None:
        """Capture the sensor's frames for a part of the passage."""
        self._reference_capture.abandon()
        caught = self._frame_capture
        caught.stretch(self.controller.sensing)
        # `past` works relative to the last reading.
        self._clock.at(self._hal.ticks())
        for n in range(caught.count):
            self.controller.frame(self._clock.past(caught.middle(n)), self._sensor.chip.counts(caught.frames[n]))
        if caught.failed:
            self._reference_capture.missed()

    def _sense(self) -> None:
        """Pass edges, jolts and changes of the switches to the controller, in order of time."""
        found = self._hal.edges()
        jolts = self._hal.jolts()
        now = self.now_us
        for beam, on, at in found:
            if self.controller.edge(beam, on, self._clock.past(at)) and self.controller.unseen:
                self._reference_capture.missed()
        self._mind(now, bool(found))
        self.controller.tick(now)
        for at in jolts:
            self.controller.jolt(self._clock.past(at))
        self._switches(now)
        self._reference_capture.turn(now, self._closed)

    @property
    def _closed(self) -> bool:
        """Return whether white and dark references can be taken: the shutter is closed and nothing is in the gate."""
        return self._gate.on == 0 and self.controller.resting

    def _mind(self, now: int, moved: bool) -> None:
        """Add a lost edge when the level of a beam has contradicted its edges for `ASTRAY_US`."""
        wrong = [beam for beam in ("A", "B") if self.controller.blocked(beam) != self._hal.level(beam)]
        # While edges are arriving, the level may already be newer than the edges read.
        if not wrong or moved:
            self._astray_us = -1
        elif self._astray_us < 0:
            self._astray_us = now
        elif now - self._astray_us >= ASTRAY_US:
            for beam in wrong:
                self.controller.edge(beam, self._hal.level(beam), now)

    def _switches(self, now: int) -> None:
        if self._gate.changed(self._hal.gate_open(), now):
            self.controller.gate(self._gate.on == 1, self._gate.since_us)
            self._reference_capture.fresh_wanted()
        if self._lift.changed(self._hal.lifted(), now):
            self.controller.lift(self._lift.on == 1, self._lift.since_us)

    def _speak(self) -> None:
        """Write the bytes that are due, then read from the host and answer at once."""
        now = self.now_us
        # Written first, because reporting a passage must not wait for the host's orders.
        self._write(now)
        data = self._hal.read()
        if data:
            self.controller.receive(data, now)
            self._write(now)
        if self._silent_us and now >= self._silent_us:
            self._silent_us = 0
            self._hal.tone(0)

    def _write(self, now: int) -> None:
        if not self._waiting:
            self._waiting = self.link.outgoing(now, MOST_EVENTS)
        if self._waiting:
            self._waiting = self._waiting[self._hal.write(self._waiting) :]

    def _rest(self) -> None:
        if not self._reference_capture.busy:
            self._hal.stale()
            if self.controller.resting:
                self._hal.tidy()
        now = self.now_us
        us = self._due_us(now) - now
        if us > 0:
            self._hal.rest(min(us, LONGEST_REST_US))

    def _due_us(self, now: int) -> int:
        """Return when to call `turn` again if nothing happens before."""
        due = [now + FULL_US] if self._waiting else [self.link.due_us(now)]
        if self._reference_capture.busy:
            due.append(now + frame_us(self._sensor.kind))
        elif self._reference_capture.due_us(self._closed) >= 0:
            due.append(self._reference_capture.due_us(self._closed))
        if self._gate.since_us >= 0 or self._lift.since_us >= 0 or self._astray_us >= 0:
            due.append(now + SETTLED_US // 2)
        if not self.controller.resting:
            due.append(now + ASTRAY_US)
        if self._silent_us:
            due.append(self._silent_us)
        return min(due)


def _level_text(on: int) -> str:
    return "x" if on < 0 else str(on)
