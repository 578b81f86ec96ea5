"""Rig: the simulated colour sensor, register by register, after the TCS3472 datasheet."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.device.tcs34725 import Tcs34725
from firmware_bridge.simulation.testbench import SensorRegisters
from firmware_bridge.simulation.testbench.sensor_registers import AEN, AIEN, AINT, AVALID, PON, WEN, WLONG, in_a_row
from tests.effort import seeds

ENABLE, ATIME, WTIME, AILT, AIHT = Chip.ENABLE, Chip.ATIME, Chip.WTIME, Chip.AILT, Chip.AIHT
PERS, CONFIG, CONTROL, ID = Chip.PERS, Chip.CONFIG, Chip.CONTROL, Chip.ID
STATUS, DATA = Chip.STATUS, Chip.DATA
BYTE, RUN = 0x80, 0xA0  # command bytes: the same register again, or the next ones
CLEAR = 0xE6
GOING = PON | AEN | AIEN
FIRST_US = 2_400 + 2_400 + 2_400  # warm-up, initialisation, one step
FRAME_US = 4_800


class Light:
    """Light of which the n-th frame that is read has the counts (2, 3, 4, 1000 + n)."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, int]] = []
        self.clear = iter(range(1_000, 10_000))

    def __call__(self, begun_us: int, steps: int, gain: int) -> tuple[int, int, int, int]:
        self.asked.append((begun_us, steps, gain))
        return 2, 3, 4, next(self.clear)


@pytest.fixture
def light() -> Light:
    """The light on the sensor."""
    return Light()


@pytest.fixture
def sensor(light: Light) -> SensorRegisters:
    """A sensor that was just powered on."""
    return SensorRegisters(light)


def one(sensor: SensorRegisters, at: int, now_us: int) -> int:
    """Return one register."""
    return sensor.read(BYTE | at, 1, now_us)[0]


def put(sensor: SensorRegisters, at: int, value: int, now_us: int = 0) -> None:
    """Write one register."""
    sensor.write(BYTE | at, bytes([value]), now_us)


def frame(sensor: SensorRegisters, now_us: int) -> tuple[int, ...]:
    """Read clear, red, green and blue in one burst."""
    data = sensor.read(RUN | DATA, 8, now_us)
    return tuple(int.from_bytes(data[n : n + 2], "little") for n in range(0, 8, 2))


def test_power_up_values(sensor):
    """Register set: after power-up, times are 0xFF, the ID is a TCS34725's, and all other registers are 0."""
    held = sensor.read(RUN, 32, 0)

    assert {at: value for at, value in enumerate(held) if value} == {ATIME: 0xFF, WTIME: 0xFF, ID: 0x44}


def test_a_command_says_how_its_address_goes_on(sensor):
    """Command register: a command says whether the address stays at its register or advances to the next."""
    sensor.write(RUN | AILT, bytes([1, 2, 3, 4]), 0)

    assert sensor.read(RUN | AILT, 4, 0) == bytes([1, 2, 3, 4])
    assert sensor.read(BYTE | AILT, 4, 0) == bytes([1, 1, 1, 1])
    sensor.write(BYTE | AILT, bytes([7, 8, 9]), 0)
    assert sensor.read(RUN | AILT, 2, 0) == bytes([9, 2])


def test_a_byte_without_bit_7_is_no_command(sensor):
    """Command register: a byte without bit 7 doesn't change the address."""
    sensor.read(BYTE | ID, 1, 0)

    assert sensor.read(AILT, 1, 0) == bytes([0x44])


def test_what_is_read_only_or_reserved_does_not_change(sensor):
    """Register set: ID, status and data are read-only; of the others only defined bits are stored."""
    sensor.write(RUN, bytes([0xFF] * 32), 0)
    held = sensor.read(RUN, 19, 0)

    assert held[ID] == 0x44
    assert held[ENABLE] == 0x1B
    assert (held[PERS], held[CONFIG], held[CONTROL]) == (0x0F, WLONG, 0x03)
    assert (held[0x02], held[0x08], held[0x0E], held[0x10]) == (0, 0, 0, 0)


def test_the_first_frame_comes_after_the_warm_up(sensor):
    """Enable register: PON is followed by 2.4 ms of warm-up, 2.4 ms of initialisation, and the steps of a frame."""
    put(sensor, ENABLE, GOING)

    assert sensor.due_us() == FIRST_US
    assert sensor.until(FIRST_US - 1) == []
    assert one(sensor, STATUS, FIRST_US - 1) == 0
    assert sensor.until(FIRST_US) == [(FIRST_US, False)]
    assert one(sensor, STATUS, FIRST_US) == AINT | AVALID


def test_a_sensor_that_is_warm_begins_at_once(sensor):
    """Enable register: the warm-up follows PON, not AEN."""
    put(sensor, ENABLE, PON)
    put(sensor, ENABLE, GOING, 1_000_000)

    assert sensor.due_us() == 1_000_000 + FRAME_US


@pytest.mark.parametrize("enable", [0, PON, AEN, AIEN, AEN | AIEN, PON | AIEN | WEN])
def test_without_power_or_its_channels_nothing_is_counted(sensor, light, enable):
    """Enable register: without both PON and AEN nothing is counted."""
    put(sensor, ENABLE, enable)

    assert sensor.due_us() is None
    assert one(sensor, STATUS, 10**9) == 0
    assert frame(sensor, 10**9) == (0, 0, 0, 0)
    assert light.asked == []


@pytest.mark.parametrize("steps", [1, 2, 10, 256])
def test_a_frame_counts_for_so_many_steps(sensor, light, steps):
    """RGBC timing register: a frame has 256 minus ATIME steps of 2.4 ms, after 2.4 ms of initialisation."""
    put(sensor, ATIME, 256 - steps)
    put(sensor, ENABLE, GOING)
    end = 2_400 + 2_400 + steps * 2_400

    assert sensor.due_us() == end
    assert frame(sensor, end)[0] == 1_000
    assert light.asked == [(end - steps * 2_400, steps, 1)]


@pytest.mark.parametrize(("long", "each"), [(0, 2_400), (WLONG, 28_800)])
def test_a_cycle_may_wait(sensor, long, each):
    """Wait time and configuration: with WEN a cycle waits (256 - WTIME) x 2.4 ms, and twelve times that with WLONG."""
    put(sensor, WTIME, 256 - 3)
    put(sensor, CONFIG, long)
    put(sensor, ENABLE, GOING | WEN)
    sensor.write(CLEAR, b"", FIRST_US)

    assert sensor.due_us() == FIRST_US + FRAME_US + 3 * each


@pytest.mark.parametrize(("field", "gain"), list(enumerate([1, 4, 16, 60])))
def test_gain(sensor, light, field, gain):
    """Control register: AGAIN selects a gain of 1, 4, 16 or 60."""
    put(sensor, CONTROL, field)
    put(sensor, ENABLE, GOING)
    frame(sensor, FIRST_US)

    assert light.asked[0][2] == gain


FIVE_GAINS = (1, 2, 8, 32, 96)


def test_a_chip_may_have_more_than_four_gains(light):
    """Control register: AGAIN has as many bits as there are gains."""
    writable = (*Tcs34725.WRITABLE, (CONTROL, 0x07))
    sensor = SensorRegisters(light, type("FiveGains", (Tcs34725,), {"GAINS": FIVE_GAINS, "WRITABLE": writable}))

    put(sensor, CONTROL, 4)
    put(sensor, ENABLE, GOING)
    frame(sensor, FIRST_US)

    assert light.asked[0][2] == FIVE_GAINS[4]


def test_a_chip_whose_control_register_cannot_hold_its_gains_is_refused(light):
    """Five gains need a third bit of the control register, and a chip without it is refused."""
    chip = type("FiveGains", (Tcs34725,), {"GAINS": FIVE_GAINS})

    with pytest.raises(ValueError, match="tcs34725: 5 gains need the bits 0x07 of CONTROL in WRITABLE"):
        SensorRegisters(light, chip)


def test_the_pin_is_low_until_the_interrupt_is_cleared(sensor):
    """Command register: only after the special function that clears the interrupt does a frame set the pin again."""
    put(sensor, ENABLE, GOING)
    assert sensor.until(FIRST_US + 5 * FRAME_US) == [(FIRST_US, False)]
    assert sensor.due_us() is None

    later = FIRST_US + 5 * FRAME_US + 100
    sensor.write(CLEAR, b"", later)

    assert one(sensor, STATUS, later) == AVALID
    assert sensor.due_us() == FIRST_US + 6 * FRAME_US
    assert sensor.until(FIRST_US + 6 * FRAME_US) == [(later, True), (FIRST_US + 6 * FRAME_US, False)]


def test_the_status_tells_an_interrupt_that_the_pin_does_not(sensor):
    """AIEN connects an interrupt to the pin, immediately if there is one already."""
    put(sensor, ENABLE, PON | AEN)

    assert sensor.due_us() is None
    assert sensor.until(FIRST_US) == []
    assert one(sensor, STATUS, FIRST_US) == AINT | AVALID
    put(sensor, ENABLE, GOING, FIRST_US + 10)
    assert sensor.until(FIRST_US + 10) == [(FIRST_US + 10, False)]
    put(sensor, ENABLE, PON | AEN, FIRST_US + 20)
    assert sensor.until(FIRST_US + 20) == [(FIRST_US + 20, True)]


def test_letting_the_interrupt_out_disturbs_no_frame(sensor):
    """Interrupts: setting AIEN doesn't disturb the current cycle."""
    put(sensor, ENABLE, PON | AEN)
    put(sensor, ENABLE, GOING, FIRST_US - 1)

    assert sensor.due_us() == FIRST_US


@pytest.mark.parametrize(("field", "frames"), [(1, 1), (2, 2), (3, 3), (4, 5), (5, 10), (6, 15), (15, 60)])
def test_persistence(sensor, field, frames):
    """Persistence register: an interrupt needs this number of consecutive frames outside of the thresholds."""
    assert in_a_row(field) == frames
    put(sensor, PERS, field)
    sensor.write(RUN | AIHT, (900).to_bytes(2, "little"), 0)
    put(sensor, ENABLE, GOING)

    assert sensor.until(10**6) == [(FIRST_US + (frames - 1) * FRAME_US, False)]


def test_thresholds(sensor):
    """RGBC interrupt thresholds: a clear count between low and high causes no interrupt, and one above high does."""
    put(sensor, PERS, 1)
    sensor.write(RUN | AILT, (1_000).to_bytes(2, "little") + (1_004).to_bytes(2, "little"), 0)
    put(sensor, ENABLE, GOING)

    assert sensor.until(10**5) == [(FIRST_US + 5 * FRAME_US, False)]  # the frames count 1000, 1001, ...


def test_a_burst_tells_clear_red_green_blue(sensor):
    """RGBC data registers: a burst has clear, red, green and blue, two bytes each, the lower one first."""
    put(sensor, ENABLE, GOING)

    assert frame(sensor, FIRST_US) == (1_000, 2, 3, 4)


def test_an_upper_byte_belongs_to_the_lower_one_read_before(sensor):
    """RGBC data: an upper byte belongs to the lower byte read before it, even if another frame has ended since."""
    sensor._on_frame = lambda begun_us, steps, gain: (0, 0, 0, begun_us)
    put(sensor, ENABLE, GOING)
    first = FIRST_US - 2_400
    low = one(sensor, DATA, FIRST_US)
    high = one(sensor, DATA + 1, FIRST_US + FRAME_US)

    assert low | high << 8 == first
    assert one(sensor, DATA, FIRST_US + FRAME_US) != low
    assert one(sensor, DATA + 1, FIRST_US + FRAME_US) == (first + FRAME_US) >> 8


def test_a_frame_is_counted_once_and_only_if_somebody_looks(sensor, light):
    """A frame is computed only if it is read, and only once, so an hour of frames costs nothing."""
    put(sensor, ENABLE, PON | AEN)

    assert frame(sensor, 3_600_000_000) == frame(sensor, 3_600_000_000)
    assert len(light.asked) == 1
    assert 3_600_000_000 - FRAME_US - 2_400 < light.asked[0][0] <= 3_600_000_000 - 2_400


def test_a_sensor_that_was_stopped_keeps_its_last_frame(sensor):
    """System state machine: a sleeping sensor keeps its registers; after it wakes, data is valid only after a frame."""
    put(sensor, ENABLE, GOING)
    put(sensor, ENABLE, 0, FIRST_US + 1)
    assert sensor.due_us() is None
    assert frame(sensor, 10**6)[0] == 1_000

    put(sensor, ENABLE, GOING, 10**6)
    assert one(sensor, STATUS, 10**6) & AVALID == 0
    assert one(sensor, STATUS, 10**6 + FIRST_US) & AVALID


def test_new_settings_begin_a_frame_anew(sensor):
    """A change of time or gain restarts the current frame; writing the same value changes nothing."""
    put(sensor, ENABLE, GOING)
    put(sensor, ATIME, 0xFF, FIRST_US - 100)
    assert sensor.due_us() == FIRST_US

    put(sensor, CONTROL, 2, FIRST_US - 100)
    assert sensor.due_us() == FIRST_US - 100 + FRAME_US


def test_a_sensor_without_power_does_not_answer(sensor):
    """A sensor without power answers neither reads nor writes, and releases its interrupt pin."""
    put(sensor, ENABLE, GOING)
    sensor.gone(FIRST_US + 50)

    assert sensor.until(FIRST_US + 50) == [(FIRST_US, False), (FIRST_US + 50, True)]
    with pytest.raises(OSError, match="no sensor answers") as reading:
        sensor.read(BYTE | ID, 1, FIRST_US + 60)
    with pytest.raises(OSError, match="no sensor answers"):
        sensor.write(CLEAR, b"", FIRST_US + 60)
    assert reading.value.errno == 5


def test_a_sensor_that_had_no_power_has_forgotten_everything(sensor):
    """After a loss of power PON is 0, so that the driver notices the loss."""
    put(sensor, CONTROL, 2)
    put(sensor, ENABLE, GOING)
    sensor.gone(FIRST_US)
    sensor.back(FIRST_US + 1)

    assert (one(sensor, ENABLE, 10**6), one(sensor, CONTROL, 10**6)) == (0, 0)
    assert sensor.due_us() is None


@pytest.mark.parametrize("seed", seeds(20))
@pytest.mark.parametrize("persistence", [0, 2])
def test_it_tells_the_same_however_often_it_is_asked(seed, persistence):
    """The pin changes at the same times, whether simulated in one long step or in many short ones."""
    lots = Random(seed)
    enable, wait, steps = GOING | WEN * lots.randrange(2), lots.randint(1, 9), lots.randint(1, 9)
    deeds = sorted(lots.randrange(400_000) for _ in range(6))

    def turns(often: list[int]) -> list[tuple[int, bool]]:
        sensor = SensorRegisters(lambda begun_us, steps, gain: (0, 0, 0, begun_us // 7 % 3))
        for at, value in ((PERS, persistence), (ATIME, 256 - steps), (WTIME, 256 - wait), (ENABLE, enable)):
            put(sensor, at, value)
        found = []
        for now in sorted({*often, *deeds}):
            if now in deeds:
                sensor.write(CLEAR, b"", now)
            found += sensor.until(now)
        return found

    assert turns([500_000]) == turns(list(range(0, 500_001, 333)))
    assert persistence or turns([500_000])
