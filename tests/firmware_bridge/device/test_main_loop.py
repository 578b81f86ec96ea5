"""LOOP: the ring's main loop (wire/main_loop.py), with simulated hardware."""

from __future__ import annotations

import pytest

from firmware_bridge.device.clock import PICO_PERIOD, ExtendedClock
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.controller import ControllerHands
from firmware_bridge.device.endpoint import MOST_ANSWERED, MOST_REPLIES, Endpoint
from firmware_bridge.device.frame_capture import PLACES, FrameCapture
from firmware_bridge.device.framing import LONGEST, LineFraming, seal
from firmware_bridge.device.hal import Hal
from firmware_bridge.device.main_loop import MOST_EVENTS, Loop
from firmware_bridge.device.outbox import WINDOW
from firmware_bridge.device.sensor import Sensor
from firmware_bridge.device.sensor_driver import Bus

BEGUN = 5_000


class Still(Hal):
    """Hardware on which time passes only in `rest`, and nothing happens except what the test sets."""

    def __init__(self) -> None:
        self.now = BEGUN
        self.told: list[tuple[str, bool, int]] = []
        self.on = {"A": False, "B": False}
        self.from_host = b""
        self.to_host = b""
        self.takes = True

    def ticks(self) -> int:
        """Return the counter of the clock."""
        return self.now & self.mask

    def blocked(self) -> bool:
        """Return whether any beam is blocked."""
        return any(self.on.values())

    def level(self, beam: str) -> bool:
        """Return whether *beam* is blocked."""
        return self.on[beam]

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return the edges set by the test, once."""
        told, self.told = self.told, []
        return told

    def fresh(self) -> int:
        """Return -1: there is no frame."""
        return -1

    def stale(self) -> None:
        """Do nothing."""

    def pause(self) -> None:
        """Advance the clock by a millisecond."""
        self.now += 1_000

    def rest(self, us: int) -> None:
        """Advance the clock."""
        self.now += us

    def gate_open(self) -> int:
        """There is no switch."""
        return -1

    def lifted(self) -> int:
        """There is no switch."""
        return -1

    def jolts(self) -> list[int]:
        """There is no switch."""
        return []

    def lamp(self, on: bool) -> None:
        """There is no lamp."""

    def read(self) -> bytes:
        """Return the host's data."""
        said, self.from_host = self.from_host, b""
        return said

    def write(self, data: bytes) -> int:
        """Take the data for the host, if the host reads."""
        if not self.takes:
            return 0
        self.to_host += data
        return len(data)


class Pieces(Still):
    """Hardware that records the size of each write."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[int] = []

    def write(self, data: bytes) -> int:
        """Take the data for the host, if the host reads."""
        self.pieces.append(len(data))
        return super().write(data)


class Missing(Bus):
    """A bus without a device."""

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Raise the error of a missing device."""
        raise OSError(5)


class Late(Still, Bus):
    """Hardware with a frame that was complete just after the start, and is read *late_us* later."""

    def __init__(self, late_us: int) -> None:
        super().__init__()
        self.begun = self.now
        self.late_us = late_us
        self.read_at = -1

    def fresh(self) -> int:
        """Return the time of the frame, once."""
        return self.begun if self.read_at < 0 else -1

    def command(self, command: int) -> None:
        """Ignore the command."""

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Read it too late."""
        self.now = self.read_at = self.begun + self.late_us


class Hurried(Still, Bus):
    """A sensor that always has a new frame, each with another number, and a cube that stays in the gate."""

    def __init__(self) -> None:
        super().__init__()
        self.on["A"] = True
        self.taken = 0

    def fresh(self) -> int:
        """Return that a frame has just come."""
        return self.ticks()

    def command(self, command: int) -> None:
        """Ignore the command, but advance the clock."""
        self.now += 1_000

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Return the next frame."""
        self.taken += 1
        buffer[0] = self.taken


class Nobody(ControllerHands):
    """A module without orders of its own."""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Return None: the order isn't known here."""
        return None


def spent(loop: Loop, hal: Still, us: int) -> None:
    """Run the loop for a while."""
    end = hal.now + us
    while hal.now < end:
        loop.turn()


def test_a_beam_that_was_blocked_before_the_work_began_is_told_from_its_beginning():
    """`t` counts from the start, so a beam that was blocked before it has events at 0, not earlier."""
    hal = Still()
    hal.on["A"] = True
    hal.told = [("A", True, BEGUN - 3_000)]
    link = Endpoint([("fw", "1")], "00000001")
    loop = Loop(hal, Sensor(Missing()), link, Nobody())

    loop.turn()

    assert not loop.controller.resting

    spent(loop, hal, 3_000_000)
    told = [line.line for line in link.store.events]

    assert any(b" k=stuck " in line for line in told)
    assert all(b" t=0 " in line for line in told)


def test_a_reading_just_after_the_last_one_is_no_period_ago():
    """Readings of a clock that differ by some microseconds may come in any order."""
    clock = ExtendedClock(PICO_PERIOD, 100)
    clock.at(2_000_100)

    assert [clock.past(ticks) for ticks in (2_000_090, 2_000_100, 2_000_110)] == [1_999_990, 2_000_000, 2_000_010]
    assert clock.past(50) == 0


def test_a_host_that_asks_and_never_reads_fills_no_memory():
    """For a host that sends pings and never reads, only the latest answers are kept."""
    hal = Still()
    hal.takes = False
    link = Endpoint([("fw", "1")], "00000001")
    loop = Loop(hal, Sensor(Missing()), link, Nobody())
    hal.from_host = seal(compose("hi", [("v", VERSION), ("h", "test")]))
    loop.turn()

    for number in range(10 * MOST_REPLIES):
        hal.from_host = seal(compose("ping", [("h", "test"), ("id", number)]))
        loop.turn()
    hal.takes = True
    spent(loop, hal, 100_000)
    pongs = [body for body in LineFraming().feed(hal.to_host) if body.startswith("pong")]

    assert len(pongs) <= MOST_REPLIES
    assert f" id={10 * MOST_REPLIES - 1} " in pongs[-1]


def test_what_waited_for_a_host_goes_out_in_small_pieces():
    """Once a host reads again, everything is sent, in writes no longer than a passage and some answers."""
    hal = Pieces()
    link = Endpoint([("fw", "1")], "00000001", 128)
    loop = Loop(hal, Sensor(Missing()), link, Nobody())
    while link.store.has_room(1):
        link.report([("fault", [("what", "sensor-missing")])], 0)
    hal.takes = False
    for _ in range(2 * MOST_REPLIES):
        hal.from_host = seal(compose("hi", [("v", VERSION), ("h", "test")]))
        loop.turn()

    hal.takes = True
    spent(loop, hal, 100_000)

    said = LineFraming().feed(hal.to_host)
    assert sum(body.startswith("hello v=1 to=test") for body in said) >= MOST_REPLIES
    assert sum(body.startswith("fault") for body in said) >= WINDOW
    assert max(hal.pieces) <= (MOST_ANSWERED + MOST_EVENTS) * LONGEST


def test_more_frames_than_have_a_place_leave_the_first_ones_as_they_were():
    """Frames beyond the available buffers are dropped, and don't overwrite the first ones."""
    hal = Hurried()
    catching = FrameCapture(hal, Sensor(hal))

    catching.stretch(True)

    assert hal.taken > PLACES
    assert [frame[0] for frame in catching.frames[: catching.count]] == list(range(1, PLACES + 1))


@pytest.mark.parametrize(("late_us", "kept"), [(300, 1), (4_500, 1), (4_600, 0), (5_000, 0)])
def test_a_frame_that_is_read_too_late_is_let_go(late_us, kept):
    """A frame read too late is dropped, since the sensor may already be writing the next one."""
    hal = Late(late_us)
    catching = FrameCapture(hal, Sensor(hal))

    catching.stretch(True)

    assert catching.count == kept
