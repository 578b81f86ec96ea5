"""REFERENCES: white and dark are read frame by frame while the shutter is closed (wire/reference_capture.py)."""

from __future__ import annotations

import pytest

from firmware_bridge.device.controller import Controller, ControllerHands
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.gain import Gain, restored
from firmware_bridge.device.hal import Hal
from firmware_bridge.device.reference_capture import PATIENCE_US, ROUTINE_US, ReferenceCapture
from firmware_bridge.device.sensor import Sensor
from firmware_bridge.device.sensor_driver import Bus, frame_us
from firmware_bridge.device.tcs34725 import Tcs34725

LIT = (135, 150, 121, 402)  # at a gain of 60
ROOM = (36, 36, 28, 100)
NOTHING = (0, 0, 0, 0)
WAIT = -1
STEPS = Tcs34725.GAINS
FRAME_US = frame_us(Tcs34725)
FULL = 1024  # the sensor can't count further


class Bench(Hal, Bus):
    """A shutter under a lamp; *lights* has additional light frame by frame, the last entry for all later ones."""

    def __init__(self, *lights: tuple[int, int, int, int]) -> None:
        self.lights = list(lights or (NOTHING,))
        self.lamp_on = True
        self.switched = 0
        self.in_the_gate = False
        self.frames = 0
        self.gone = False
        self.clear = 1.0  # the share of the lamp's light that passes the window
        self.kept: dict[str, tuple[int, ...]] = {}
        self.gain = 0
        self.name = 0x44
        self.freed = 0

    def lamp(self, on: bool) -> None:
        """Switch the lamp on or off."""
        self.switched += on != self.lamp_on
        self.lamp_on = on

    def blocked(self) -> bool:
        """Return whether something is in the gate."""
        return self.in_the_gate

    def stale(self) -> None:
        """Do nothing: every frame is fresh."""

    def fresh(self) -> int:
        """Return that a frame is complete, unless there is no sensor."""
        return -1 if self.gone else 0

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store *numbers* under *what*."""
        self.kept[what] = numbers

    def free(self) -> None:
        """Add one to the number of times that the bus was freed."""
        self.freed += 1

    def set(self, command: int, value: int) -> None:
        """Write a register."""
        self.command(command)
        if command == 0x80 | Tcs34725.CONTROL:
            self.gain = STEPS[value]

    def command(self, command: int) -> None:
        """Receive a command."""
        if self.gone:
            raise OSError(5)

    def wait_us(self, us: int) -> None:
        """Do nothing: the test sets the time."""

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Return a frame, or the sensor's ID."""
        self.command(command)
        if len(buffer) == 1:
            buffer[0] = self.name
            return
        light = self.lights[min(self.frames, len(self.lights) - 1)]
        self.frames += 1
        shone = (int(lit * self.clear) * self.lamp_on + more for lit, more in zip(LIT, light, strict=True))
        r, g, b, c = (min(counts * self.gain // 60, FULL) for counts in shone)
        buffer[:] = b"".join(value.to_bytes(2, "little") for value in (c, r, g, b))


class Nobody(ControllerHands):
    """A module without orders of its own."""


class Looks:
    """A ring that reads its references at this bench, at a gain of 60 unless it has to find or keep another."""

    def __init__(self, bench: Bench, fixed: int = 60) -> None:
        self.bench = bench
        self.link = Endpoint([("fw", "1")], "00000001")
        self.controller = Controller(self.link, Nobody())
        self.looking = ReferenceCapture(bench, Sensor(bench, fixed=fixed), self.controller)
        self.now = 0

    def spend(self, us: int, closed: bool = True) -> Looks:
        """Run the loop for a while."""
        end = self.now + us
        while self.now < end:
            self.now += FRAME_US
            self.looking.turn(self.now, closed)
        return self

    @property
    def faults(self) -> list[str]:
        """Return the faults reported so far."""
        return [each.line.decode().split("what=")[1].split("*")[0] for each in self.link.store.events]


def summed(counts: tuple[int, int, int, int]) -> tuple[int, ...]:
    """Return the sum over eight frames."""
    return tuple(8 * count for count in counts)


def test_white_and_dark_are_there_soon_after_the_start():
    """After the start, white and dark are eight frames each; the lamp is off for dark, and on again afterwards."""
    looks = Looks(Bench()).spend(200_000)

    assert looks.controller.references == {"white": summed(LIT), "dark": summed(NOTHING)}
    assert looks.bench.lamp_on


def test_nothing_is_taken_while_the_shutter_is_open():
    """No reference is read while the shutter is open."""
    assert Looks(Bench()).spend(200_000, closed=False).controller.references == {}


def test_they_are_taken_again_while_the_shutter_stays_closed():
    """While the shutter is closed, references are read again every five seconds."""
    looks = Looks(Bench()).spend(200_000)
    frames = looks.bench.frames

    assert looks.spend(ROUTINE_US - 300_000).bench.frames == frames
    assert looks.spend(500_000).bench.frames == 2 * frames


@pytest.mark.parametrize("frames", range(1, 20))
def test_a_light_switched_on_in_the_middle_is_no_dirty_window(frames):
    """A light switched on during a reading doesn't count as a dirty window, since unusual values are read again."""
    looks = Looks(Bench()).spend(200_000)
    looks.bench.lights = [NOTHING] * (looks.bench.frames + frames) + [ROOM]

    assert looks.spend(ROUTINE_US + 500_000).faults == []


def test_a_window_that_stays_dirty_is_told_once():
    """A window that is dirty in two readings is reported, once."""
    looks = Looks(Bench()).spend(200_000)
    looks.bench.clear = 0.6

    assert looks.spend(3 * ROUTINE_US).faults == ["dirty-window"]


def test_a_sensor_that_falls_silent_is_gone_until_it_answers():
    """A sensor without frames for 0.1 s counts as gone, and is looked for every second."""
    looks = Looks(Bench()).spend(200_000)
    looks.bench.gone = True
    looks.looking.order("white")

    assert not looks.spend(2 * PATIENCE_US).controller.sensing

    looks.bench.gone = False

    assert looks.spend(1_200_000).controller.sensing


def test_what_was_ordered_waits_for_the_sensor():
    """An ordered reference waits for the sensor to come back."""
    looks = Looks(Bench()).spend(200_000)
    looks.bench.gone = True
    looks.looking.order("black")
    looks.spend(300_000)
    looks.bench.gone = False
    looks.spend(1_500_000)

    assert list(looks.bench.kept) == ["black"]


def test_an_order_that_waits_is_taken_once_however_often_it_comes():
    """A reference ordered many times while a cube is in the gate is read once, and uses no more memory."""
    looks = Looks(Bench()).spend(200_000)
    for _ in range(1_000):
        looks.looking.order("white")
        looks.looking.order("dark")
    looks.spend(1_000_000)

    assert [each.line.decode().split("what=")[1].split()[0] for each in looks.link.store.events] == ["white", "dark"]


def test_the_lamp_stays_on_while_something_is_in_the_gate():
    """The lamp stays on while something is in the gate, so an ordered dark waits."""
    looks = Looks(Bench()).spend(200_000)
    switched = looks.bench.switched
    looks.bench.in_the_gate = True
    looks.looking.order("dark")

    assert looks.spend(100_000, closed=False).bench.switched == switched

    looks.bench.in_the_gate = False

    assert looks.spend(100_000, closed=False).bench.switched == switched + 2


class Noted(Bus):
    """A bus that records writes and waits."""

    def __init__(self) -> None:
        self.notes: list[tuple[int, int]] = []

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Return the sensor's ID."""
        buffer[0] = 0x44

    def set(self, command: int, value: int) -> None:
        """Record the write."""
        self.notes.append((command, value))

    def command(self, command: int) -> None:
        """Ignore the command."""

    def wait_us(self, us: int) -> None:
        """Record the wait."""
        self.notes.append((WAIT, us))


def test_a_sensor_is_let_warm_up_before_it_counts():
    """Datasheet, Enable Register: the sensor needs 2.4 ms between power-on and its first cycle."""
    bus = Noted()
    assert Sensor(bus).begin()
    enable = 0x80 | Tcs34725.ENABLE

    first, *_, wait, last = bus.notes
    assert (first, last) == ((enable, Tcs34725.POWER_ON), (enable, Tcs34725.ON))
    assert wait[0] == WAIT
    assert wait[1] >= 2_400


def shown(white: int, fixed: int = 0) -> Looks:
    """Return a ring after it has read a shutter whose white has *white* counts at a gain of 60."""
    looks = Looks(Bench(), fixed)
    looks.bench.clear = white / LIT[3]
    return looks.spend(500_000)


@pytest.mark.parametrize(
    ("white", "gain"), [(60, 60), (330, 60), (590, 60), (700, 16), (1_500, 16), (3_500, 16), (5_000, 4), (60_000, 1)]
)
def test_a_ring_finds_the_gain_that_suits_its_lamp(white, gain):
    """For any lamp and print, the ring finds the gain at which white stays below the sensor's limit."""
    looks = shown(white)

    assert (looks.bench.gain, looks.bench.kept["gain"]) == (gain, (gain,))
    assert looks.controller.references["white"][3] == pytest.approx(8 * min(white * gain / 60, FULL), abs=16)
    assert looks.controller.references["white"][3] < 8 * 1_000 or gain == 1
    assert looks.faults == []


def test_a_dazzled_white_after_the_start_lowers_the_gain():
    """If white is dazzled after a new lamp, the ring lowers its gain, and scales the black card."""
    looks = shown(400)
    looks.controller.references["black"] = (8, 16, 8, 40)
    looks.bench.clear = 5.0

    looks.spend(ROUTINE_US + 500_000)

    assert (looks.bench.gain, looks.bench.kept["gain"]) == (16, (16,))
    assert looks.controller.references["black"] == (2, 4, 2, 11)
    assert looks.bench.kept["black"] == (2, 4, 2, 11, 16)


@pytest.mark.parametrize("share", [0.5, 0.7, 1.0, 1.25, 1.6])
@pytest.mark.parametrize("white", [100, 400, 600, 900, 1_500])
def test_a_gain_that_was_found_stays(white, share):
    """Dust, a warm lamp or another white sheet don't change the gain, since calibrations depend on it."""
    looks = shown(white)
    found = looks.bench.gain
    looks.bench.clear *= share
    looks.spend(2 * ROUTINE_US)

    assert looks.bench.gain == found


def test_the_sun_moves_no_gain():
    """If white is dazzled by sunlight the gain doesn't change, and "ambient-light" is reported."""
    looks = shown(400)
    looks.bench.lights = [(700, 700, 560, 2_000)]
    looks.spend(ROUTINE_US + 500_000)

    assert (looks.bench.gain, looks.faults) == (60, ["ambient-light"])


@pytest.mark.parametrize("gain", STEPS)
def test_a_gain_is_kept_over_the_start(gain):
    """A gain that was found survives a restart; an invalid stored gain is searched for again."""
    assert (Gain(stored=(gain,)).now, Gain(stored=(gain,)).settled) == (gain, True)
    assert (Gain(stored=(5,)).now, Gain(stored=(5,)).settled, Gain().now) == (16, False, 16)
    assert Gain(stored=(60,), fixed=gain).now == gain


def test_an_owners_gain_is_never_left():
    """A gain set in custom.py is never changed, dazzled or not."""
    assert shown(5_000, 60).bench.gain == 60


def test_the_black_card_is_kept_with_its_gain():
    """Stored counts of the black card are scaled to the current gain; those stored without a gain were taken at 60."""
    assert restored((8, 16, 8, 40, 60), 16) == (2, 4, 2, 11)
    assert restored((8, 16, 8, 40), 60) == (8, 16, 8, 40)
    assert restored((8, 16), 60) is restored((1, 2, 3, 4, 5), 60) is restored((), 60) is None


@pytest.mark.parametrize(("name", "known"), [(0x44, True), (0x4D, True), (0x10, True), (0x29, False), (0xFF, False)])
def test_a_sensor_is_known_by_its_name(name, known):
    """A sensor is accepted with the IDs 0x44 and 0x4D (datasheet), and 0x10, which some boards' sensors return."""
    bench = Bench()
    bench.name = name

    assert Sensor(bench).begin() is known


def test_a_bus_is_freed_before_it_is_used():
    """The bus is freed at the start, and each time a lost sensor is searched for."""
    looks = Looks(Bench())
    freed = looks.bench.freed
    looks.bench.gone = True
    looks.looking.order("white")
    looks.spend(2_500_000)

    assert freed == 1
    assert looks.bench.freed >= 3
