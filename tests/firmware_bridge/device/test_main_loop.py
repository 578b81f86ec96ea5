"""LOOP: what a ring does all the time (wire/main_loop.py), on a rim where every reading is said beforehand."""

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
from firmware_bridge.device.sensor_chip import Bus

BEGUN = 5_000


class Still(Hal):
    """A rim on which time passes only as long as it is rested on, and nothing happens that nobody says."""

    def __init__(self) -> None:
        self.now = BEGUN
        self.told: list[tuple[str, bool, int]] = []
        self.on = {"A": False, "B": False}
        self.from_host = b""
        self.to_host = b""
        self.takes = True

    def ticks(self) -> int:
        """Return the counter."""
        return self.now & self.mask

    def blocked(self) -> bool:
        """Tell whether a beam is blocked."""
        return any(self.on.values())

    def level(self, beam: str) -> bool:
        """Tell whether *beam* is blocked."""
        return self.on[beam]

    def edges(self) -> list[tuple[str, bool, int]]:
        """Hand out what is said."""
        told, self.told = self.told, []
        return told

    def fresh(self) -> int:
        """No frame comes."""
        return -1

    def stale(self) -> None:
        """Nothing to forget."""

    def pause(self) -> None:
        """Let a millisecond pass."""
        self.now += 1_000

    def rest(self, us: int) -> None:
        """Let the time pass."""
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
        """Return what the host says."""
        said, self.from_host = self.from_host, b""
        return said

    def write(self, data: bytes) -> int:
        """Hear it, if the host listens."""
        if not self.takes:
            return 0
        self.to_host += data
        return len(data)


class Pieces(Still):
    """A rim that counts the bytes of each piece that it is handed."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[int] = []

    def write(self, data: bytes) -> int:
        """Hear it, if the host listens."""
        self.pieces.append(len(data))
        return super().write(data)


class Missing(Bus):
    """A bus with nobody on it."""

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Nobody answers."""
        raise OSError(5)


class Late(Still, Bus):
    """A frame was whole a moment after the start; it is read so many microseconds after that."""

    def __init__(self, late_us: int) -> None:
        super().__init__()
        self.begun = self.now
        self.late_us = late_us
        self.read_at = -1

    def fresh(self) -> int:
        """The frame, once."""
        return self.begun if self.read_at < 0 else -1

    def command(self, command: int) -> None:
        """Nobody misses it."""

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Take long for it."""
        self.now = self.read_at = self.begun + self.late_us


class Hurried(Still, Bus):
    """A sensor that has a frame whenever it is asked, each with another number in it, and a cube that stays."""

    def __init__(self) -> None:
        super().__init__()
        self.on["A"] = True
        self.taken = 0

    def fresh(self) -> int:
        """A frame, just now."""
        return self.ticks()

    def command(self, command: int) -> None:
        """Nobody misses it; some time goes by."""
        self.now += 1_000

    def read_into(self, command: int, buffer: bytearray) -> None:
        """The next one."""
        self.taken += 1
        buffer[0] = self.taken


class Nobody(ControllerHands):
    """Has no orders of its own."""

    def obey(self, word: str, fields: dict[str, str], now_us: int) -> str | None:
        """Not mine."""
        return None


def spent(loop: Loop, hal: Still, us: int) -> None:
    """Turn for a while."""
    end = hal.now + us
    while hal.now < end:
        loop.turn()


def test_a_beam_that_was_blocked_before_the_work_began_is_told_from_its_beginning():
    """Event: `t` counts from the start, so nothing was before 0, not even a cube that sits in the gate already."""
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
    """Clock: two counters that differ by some microseconds may each be ahead."""
    clock = ExtendedClock(PICO_PERIOD, 100)
    clock.at(2_000_100)

    assert [clock.past(ticks) for ticks in (2_000_090, 2_000_100, 2_000_110)] == [1_999_990, 2_000_000, 2_000_010]
    assert clock.past(50) == 0


def test_a_host_that_asks_and_never_reads_fills_no_memory():
    """Memory: a day of questions without reading an answer keeps as many answers as have room, the latest ones."""
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
    """Memory: after a host that did not read, no piece is longer than a passage and a few answers, and all is told."""
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
    """Frame: what comes after all places are taken is let go, and not put in the place of the first."""
    hal = Hurried()
    catching = FrameCapture(hal, Sensor(hal))

    catching.stretch(True)

    assert hal.taken > PLACES
    assert [frame[0] for frame in catching.frames[: catching.count]] == list(range(1, PLACES + 1))


@pytest.mark.parametrize(("late_us", "kept"), [(300, 1), (4_500, 1), (4_600, 0), (5_000, 0)])
def test_a_frame_that_is_read_too_late_is_let_go(late_us, kept):
    """Frame: the sensor's own clock may make one in 4.54 ms, and who reads later may read the next one's numbers."""
    hal = Late(late_us)
    catching = FrameCapture(hal, Sensor(hal))

    catching.stretch(True)

    assert catching.count == kept
