"""CHIPS: requirements for every colour sensor, and how a ring finds its own."""

from __future__ import annotations

import pytest

from firmware_bridge.device.apds9960 import Apds9960
from firmware_bridge.device.frame_filter import dazzling
from firmware_bridge.device.gain import Gain
from firmware_bridge.device.sensor import Sensor, marked
from firmware_bridge.device.sensor_chips import CHIPS, CHOICES, USUAL, chip_named
from firmware_bridge.device.sensor_driver import FRAME_BYTES, Bus, frame_us, half_us
from firmware_bridge.simulation.testbench import Registers, registers_of

LONGEST_NAME = 8
HOSTS_HALF_US = 1_200  # a host counts a frame as whole if its middle is at least this long within a passage
MOST_US = 300  # by how much a chip's value may differ from that
PASSAGE_US = 10_000  # a passage of this length has at least one whole frame
BLACK = (8, 16, 8, 40)


class Wire(Bus):
    """An I2C bus with the registers of simulated chips; the time is an argument."""

    def __init__(self, *chips) -> None:
        self.now = 0
        self.there = {chip.ADDRESS: registers_of(chip, lambda at, steps, gain: (1, 2, 3, gain)) for chip in chips}
        self.asked: list[int] = []

    @property
    def sensor(self) -> Registers:
        """Return the addressed chip."""
        self.asked.append(self.address)
        if self.address not in self.there:
            raise OSError(5)
        return self.there[self.address]

    def set(self, command: int, value: int) -> None:
        """Write one byte."""
        self.sensor.write(command, bytes([value]), self.now)

    def read_into(self, command: int, buffer: bytearray) -> None:
        """Fill *buffer* with bytes."""
        buffer[:] = self.sensor.read(command, len(buffer), self.now)

    def command(self, command: int) -> None:
        """Send a command without data."""
        self.sensor.write(command, b"", self.now)

    def wait_us(self, us: int) -> None:
        """Advance the clock."""
        self.now += us


@pytest.fixture(params=CHIPS, ids=lambda chip: chip.NAME)
def chip(request):
    """Each chip of the table."""
    return request.param


def test_names_and_ids_tell_the_chips_apart():
    """Chips have unique names (for hellos and calibrations), and unique pairs of address and ID."""
    known = [(chip.ADDRESS, name) for chip in CHIPS for name in chip.IDS]

    assert len(set(known)) == len(known)
    assert len({chip.NAME for chip in CHIPS}) == len(CHIPS)
    assert all(chip_named(chip.NAME) is chip for chip in CHIPS)
    assert chip_named("none") is None


def test_a_chip_can_be_told_on_the_wire(chip):
    """A name is at most eight lower-case letters and digits, and an address has seven bits."""
    assert chip.NAME.isascii()
    assert chip.NAME.isalnum()
    assert not any(letter.isupper() for letter in chip.NAME)
    assert len(chip.NAME) <= LONGEST_NAME
    assert 0x08 <= chip.ADDRESS < 0x78


def test_a_chip_is_fast_enough_for_a_cube(chip):
    """The exposure is about as long as hosts assume, and a passage of ten milliseconds has one whole frame."""
    assert abs(half_us(chip) - HOSTS_HALF_US) <= MOST_US
    assert 0 < chip.SHORTEST_FRAME_US <= frame_us(chip)
    assert frame_us(chip) + chip.STEP_US <= PASSAGE_US


def test_gains_ascend_and_an_owner_may_choose_each(chip):
    """Gains ascend, and `GAIN` in custom.py accepts each."""
    assert list(chip.GAINS) == sorted(set(chip.GAINS))
    assert set(chip.GAINS) <= set(CHOICES)


def test_a_count_near_the_most_is_dazzled(chip):
    """The threshold for dazzling is below the largest count, which fits into sixteen bits."""
    assert dazzling(chip) < chip.FULL < 1 << 16


def test_the_responses_of_a_chip_are_those_of_three_filters(chip):
    """Red, green and blue each see most of their own light, in percent of clear."""
    red, green, blue = chip.RESPONSES

    assert (max(red), max(green), max(blue)) == (red[2], green[1], blue[0])


def test_no_response_of_a_chip_is_ten_times_too_high_or_too_low(chip):
    """Each filter sees at least 4 % of each light, all three 100 to 125 %, and clear counts 6 to 60 per µW/cm²."""
    assert min(min(row) for row in chip.RESPONSES) >= 4
    assert all(100 <= sum(light) <= 125 for light in zip(*chip.RESPONSES, strict=True))
    assert 600 <= chip.CLEAR_RESPONSE < 6_000


def test_a_ring_takes_the_chip_that_answers(chip):
    """A ring finds whichever chip answers at its address; frames come at its pace, in the order red, green, blue."""
    wire = Wire(chip)
    sensor = Sensor(wire)
    assert sensor.name == "none"

    assert sensor.begin()
    began = wire.now
    frame = bytearray(FRAME_BYTES)
    wire.now += frame_us(chip)
    sensor.chip.read_into(frame)

    assert (sensor.name, sensor.kind) == (chip.NAME, chip)
    assert sensor.chip.works()
    assert sensor.chip.counts(frame) == (1, 2, 3, sensor.gain.now)
    assert wire.there[chip.ADDRESS].until(began + 3 * frame_us(chip)) == [(began + frame_us(chip), False)]


def test_its_interrupt_comes_again_once_it_was_cleared(chip):
    """The interrupt stays until it is cleared, and comes again with the next frame."""
    wire = Wire(chip)
    sensor = Sensor(wire)
    sensor.begin()
    began = wire.now
    registers = wire.there[chip.ADDRESS]
    registers.until(began + frame_us(chip))

    wire.now = began + frame_us(chip) + 100
    sensor.chip.clear()

    assert registers.until(began + 2 * frame_us(chip)) == [(wire.now, True), (began + 2 * frame_us(chip), False)]


def test_each_gain_reaches_the_chip(chip):
    """The chip uses the gain that the ring has set."""
    wire = Wire(chip)
    for gain in chip.GAINS:
        sensor = Sensor(wire, fixed=gain)
        sensor.begin()
        frame = bytearray(FRAME_BYTES)
        wire.now += frame_us(chip)
        sensor.chip.read_into(frame)

        assert sensor.chip.counts(frame)[3] == gain


def test_a_chip_that_has_lost_its_settings_does_not_work(chip):
    """A chip that lost its settings by a power failure doesn't work until it is set up again."""
    wire = Wire(chip)
    sensor = Sensor(wire)
    sensor.begin()
    wire.there[chip.ADDRESS].gone(wire.now)
    assert not sensor.chip.works()

    wire.there[chip.ADDRESS].back(wire.now)
    assert not sensor.chip.works()
    assert sensor.begin()
    assert sensor.chip.works()


def test_an_address_with_another_id_is_no_known_sensor(chip):
    """A device with another ID at the same address is ignored."""
    other = type("Other", (chip,), {"IDS": (0x77,)})

    assert not Sensor(Wire(other)).begin()


def test_a_chip_that_is_plugged_in_late_is_found(chip):
    """All chips are searched for until one has answered; after that only this kind."""
    wire = Wire()
    sensor = Sensor(wire)
    assert not sensor.begin()
    assert set(wire.asked) == {each.ADDRESS for each in CHIPS}

    wire.there = Wire(chip).there
    assert sensor.begin()
    assert sensor.kind is chip

    wire.there, wire.asked = Wire(*(each for each in CHIPS if each.ADDRESS != chip.ADDRESS)).there, []
    assert not sensor.begin()
    assert set(wire.asked) == {chip.ADDRESS}


def test_a_stored_gain_and_black_card_are_the_same_chip_s(chip):
    """A stored gain and black card are only used for the same chip."""
    for stored in CHIPS:
        gain = stored.GAINS[0]
        sensor = Sensor(Wire(chip), marked(stored, (gain,)))
        sensor.begin()
        black = sensor.restored(marked(stored, (*BLACK, gain)))

        assert sensor.gain.settled is (stored is chip)
        assert black == (BLACK if stored is chip else None)


def test_the_usual_chip_stores_what_rings_have_always_stored():
    """The usual chip stores the gain as one number, and black as four counts with or without a gain."""
    sensor = Sensor(Wire(USUAL), (60,))
    sensor.begin()

    assert (sensor.marked((60,)), sensor.marked((*BLACK, 60))) == ((60,), (*BLACK, 60))
    assert sensor.restored((*BLACK, 60)) == sensor.restored(BLACK) == BLACK


def test_a_gain_that_the_chip_does_not_have_is_not_used():
    """A gain that the chip doesn't have is ignored, and the ring finds its own."""
    gain = Gain(Apds9960, fixed=60)

    assert (gain.now, gain.settled) == (16, False)


def test_the_apds_9960_is_what_its_data_sheet_says():
    """Datasheet pages 4 and 25: address 0x39, ID 0xAB, steps of 2.78 ms, 1025 counts, gains up to 64, data at 0x94."""
    assert (Apds9960.ADDRESS, Apds9960.IDS[0], Apds9960.STEP_US, Apds9960.FULL) == (0x39, 0xAB, 2_780, 1_025)
    assert Apds9960.GAINS == (1, 4, 16, 64)
    assert [Apds9960.addressed(command) for command in (0x80, 0x92, 0x94, 0x9B)] == [
        (Apds9960.ENABLE, True),
        (Apds9960.ID, True),
        (Apds9960.DATA, True),
        (Apds9960.DATA + 7, True),
    ]
    assert [Apds9960.addressed(command) for command in (0x00, 0x7F, 0xE6, 0xE7)] == [None] * 4
