"""Rig: a simulated gate in time: its pins, its sensor's readings, and the truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from firmware_bridge.device.beam_recogniser import Recogniser
from firmware_bridge.device.frame_filter import blocked
from firmware_bridge.device.references import ReferenceWatch
from firmware_bridge.device.sensor import Sensor
from firmware_bridge.device.sensor_chips import CHIPS
from firmware_bridge.device.sensor_driver import Bus, Chip, frame_us
from firmware_bridge.device.tcs34725 import Tcs34725
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.below import Below
from firmware_bridge.simulation.physics.bench import REFERENCE_FRAMES
from firmware_bridge.simulation.physics.disturbances import CAUSES
from firmware_bridge.simulation.physics.kinds import second_generator
from firmware_bridge.simulation.physics.light import GAIN
from firmware_bridge.simulation.physics.world import IDEAL, NO_FAULTS, World, world
from firmware_bridge.simulation.testbench import Change, SensorRegisters, SimulatedGate, registers_of
from firmware_bridge.simulation.testbench.slides import BETWEEN_US, CLOSES_US, EARLIER_US, bounced
from firmware_bridge.simulation.virtual import VirtualRing
from tests.effort import seeds

STATIONS = {"red": 9, "blue": 9, "white": 9}
STEP_US = 2_400
FRAME_US = frame_us(Tcs34725)


class Board(Bus):
    """The simplest board for a rig: it records all changes, and reads each frame."""

    def __init__(self, place: World = IDEAL, seed: int = 1, sensing: bool = True) -> None:
        self.rig = SimulatedGate(place, Random(seed))
        self.now = 0
        self.changes: list[Change] = []
        self.frames: list[tuple[int, tuple[int, int, int, int]]] = []
        self.sensor = Sensor(self, fixed=GAIN)
        self.rig.load(STATIONS)
        self.rig.emitters(True, 0)
        self.rig.lamp(True, 0)
        if sensing:
            assert self.sensor.begin()
        self.rig.until(0)

    def set(self, command: int, value: int) -> None:
        self.rig.sensor.write(command, bytes([value]), self.now)

    def command(self, command: int) -> None:
        self.rig.sensor.write(command, b"", self.now)

    def read_into(self, command: int, buffer: bytearray) -> None:
        buffer[:] = self.rig.sensor.read(command, len(buffer), self.now)

    def wait_us(self, us: int) -> None:
        """Ignore the sensor's warm-up time."""

    def live(self, until_us: int) -> Board:
        """Run until *until_us*."""
        due = self.rig.due_us()
        while due is not None and due <= until_us:
            self._hear(due)
            due = self.rig.due_us()
        self._hear(until_us)
        return self

    def slid(self, count: int = 1, **wish: object) -> Board:
        """Let *count* slides happen, one after another."""
        for _ in range(count):
            assert self.rig.slide(self.now, **wish)
            while self.rig.busy:
                self._hear(self.rig.due_us())
        return self

    def reference(self, what: str) -> tuple[float, ...]:
        """Return the mean of some frames, without the first ones."""
        self.rig.lamp(what != "dark", self.now)
        self.rig.card(what == "black", self.now)
        self.live(self.now + 2 * FRAME_US)
        self.frames = []
        self.live(self.now + 40 * FRAME_US)
        self.rig.lamp(True, self.now)
        self.rig.card(False, self.now)
        return mean([each for _, each in self.frames])

    def turns(self, *pins: str) -> list[tuple[int, str, bool]]:
        """Return the changes of *pins*."""
        return [(each.at_us, each.pin, each.level) for each in self.changes if each.pin in pins]

    def verdicts(self) -> list[str]:
        """Return the verdicts on the beams' edges, by the board's rules."""
        recogniser, found = Recogniser(), []
        for at, pin, level in self.turns("a", "b"):
            found += [recogniser.tick(at), recogniser.edge(pin.upper(), level, at)]
        return [passage.kind for passage in found if passage]

    def _hear(self, now: int) -> None:
        self.now = now
        for change in self.rig.until(now):
            self.changes.append(change)
            if change.pin == "int" and not change.level and self.sensor.chip.works():
                frame = bytearray(8)
                self.sensor.chip.read_into(frame)
                self.frames.append((change.at_us - STEP_US // 2, self.sensor.chip.counts(frame)))
                self.sensor.chip.clear()


def mean(frames: list[tuple[int, int, int, int]]) -> tuple[float, ...]:
    """Return the mean of each channel."""
    return tuple(fmean(channel) for channel in zip(*frames, strict=True))


def twin(place: World, seed: int) -> tuple[PhysicsBench, Below]:
    """Return a model of the same gate and cubes without time, with the same random numbers."""
    lots = Random(seed)
    physics = second_generator(lots)
    bench = PhysicsBench(place, physics, Random(0))
    below = Below(bench.cubes, lots, physics)
    below.stations.update(STATIONS)
    return bench, below


def test_at_rest_the_pins_are_as_the_wiring_says():
    """At rest gate and lift are LOW, shake and interrupt HIGH, and beams without emitters seem blocked."""
    rig = SimulatedGate(IDEAL, Random(1))

    assert {pin: rig.level(pin) for pin in ("gate", "lift", "shake", "int", "a", "b")} == {
        "gate": False,
        "lift": False,
        "shake": True,
        "int": True,
        "a": True,
        "b": True,
    }


def test_beams_without_their_emitters_seem_blocked():
    """Beams without their emitters seem blocked, which a board uses for its self-test."""
    rig = SimulatedGate(IDEAL, Random(1))

    rig.emitters(True, 100)
    rig.emitters(False, 200)

    on, off = [(100, pin, False) for pin in "ab"], [(200, pin, True) for pin in "ab"]
    assert [(each.at_us, each.pin, each.level) for each in rig.until(300)] == on + off


def test_a_rig_at_rest_has_nothing_to_say():
    """An idle hour without events takes one call."""
    rig = SimulatedGate(World(), Random(1))
    assert rig.due_us() is None

    Sensor(board := Board(sensing=False)).begin()

    assert board.rig.until(3_600_000_000) == [Change(3 * STEP_US, "int", False)]
    assert board.rig.due_us() is None
    assert not board.rig.busy


def test_a_slide_takes_the_time_of_a_hand():
    """In a slide the gate opens, the cube comes a moment later, and then the gate closes."""
    board = Board().slid(speed_mm_s=80.0)
    gate, beams = board.turns("gate"), board.turns("a", "b")

    assert gate[0] == (0, "gate", True)
    assert BETWEEN_US < beams[0][0] < BETWEEN_US + 100_000
    closed = min(at for at, _, level in gate if at > beams[-1][0])
    assert CLOSES_US <= closed - beams[-1][0] < CLOSES_US + 100_000
    assert gate[-1][2] is False


def test_a_switch_bounces_for_a_few_milliseconds():
    """A switch changes at once, bounces, and is at rest within 3 ms."""
    for seed in range(50):
        turns = bounced(True, 1_000, Random(seed))

        assert turns[0] == (1_000, True)
        assert turns[-1][1] is True
        assert len(turns) > 2
        assert all(one[0] < other[0] and one[1] != other[1] for one, other in pairwise(turns))
        assert turns[-1][0] < 4_000


@pytest.mark.parametrize("seed", seeds(5))
@pytest.mark.parametrize("kind", ["out", "pair", "back", "stuck"])
def test_the_edges_are_those_of_the_physics(kind, seed):
    """The edges at the pins equal the physical model's edges, to the microsecond."""
    place = replace(World(), rates=NO_FAULTS)
    board = Board(place, seed).slid(colour="red", fault="" if kind == "out" else kind)
    bench, below = twin(place, seed)
    going = bench.going(kind, below.take(kind, "red"))

    seen = board.turns("a", "b")
    expected = [(BETWEEN_US + round(at * 1e6), beam.lower(), on) for beam, on, at in going.edges]
    assert seen == expected
    assert [(each.first_us, each.last_us) for each in board.rig.happened][-1] == (seen[0][0], seen[-1][0])


@pytest.mark.parametrize("colour", sorted(STATIONS))
def test_frames_through_the_registers_are_those_of_the_physics(colour):
    """Frames read by the driver have the physical model's counts, on average."""
    board = Board().slid(colour=colour, speed_mm_s=20.0)
    bench, below = twin(IDEAL, 1)
    passing = bench.passing("out", below.take("out", colour), 20.0)
    first = board.turns("a")[0][0]
    begin, end = blocked(list(passing.edges))[0]

    def full(frames: list[tuple[int, tuple[int, int, int, int]]]) -> list[tuple[int, int, int, int]]:
        return [each for at, each in frames if begin + 1_200 <= at <= end - 1_200]

    read = full([(at - first, each) for at, each in board.frames])
    told = full([(frame.at_us, frame.counts) for frame in passing.frames])
    assert abs(len(read) - len(told)) <= 1
    assert len(read) > 30
    assert mean(read) == pytest.approx(mean(told), abs=1.0)


def test_one_frame_comes_each_4_8_ms_while_each_is_read():
    """The sensor has a frame every 4.8 ms as long as each is read, with or without a cube."""
    board = Board().slid()

    assert {b - a for (a, _), (b, _) in pairwise(board.frames)} == {FRAME_US}


@pytest.mark.parametrize("what", ["white", "dark", "black"])
@pytest.mark.parametrize("ambient", [0.0, 0.4])
def test_references_are_those_of_the_physics(what, ambient):
    """White shutter, dark room and black card have the physical model's counts."""
    place = world({"ambient": ambient, "ambient_modulation": 0.0})
    bench, _ = twin(place, 3)
    expected = [each / REFERENCE_FRAMES for each in bench.reference(what)]

    assert Board(place, 3).reference(what) == pytest.approx(expected, abs=1.0)


def test_an_open_gate_shows_the_board():
    """Through an open gate the sensor sees the board, and white again when the gate is closed."""
    board = Board(world({"board": 0.8}))
    white = board.reference("white")[3]
    board.rig.gate(True, board.now)
    bare = board.reference("white")[3]
    board.rig.gate(False, board.now)

    assert bare == pytest.approx(400 * (0.8 + 0.12), rel=0.05)
    assert board.reference("white")[3] == pytest.approx(white, abs=2)


@pytest.mark.parametrize("steps", [1, 4, 40])
@pytest.mark.parametrize("field", [0, 1, 2, 3])
def test_longer_frames_and_other_gains_count_in_proportion(steps, field):
    """Longer frames and other gains count in proportion."""
    board = Board(sensing=False)
    board.set(0x80 | 0x01, 256 - steps)
    board.set(0x80 | 0x0F, field)
    board.set(0x80, 0x03)
    board.now = 10**6
    frame = bytearray(8)
    board.sensor.chip.read_into(frame)

    expected = 400 * (0.887 + 0.12) * steps * (1, 4, 16, 60)[field] / 60
    assert board.sensor.chip.counts(frame)[3] == pytest.approx(min(expected, 65_535), rel=0.03, abs=2)


def test_a_frame_may_see_the_lamp_go_on():
    """A frame during which the lamp is switched on counts only the steps with light."""
    board = Board(sensing=False)
    board.rig.lamp(False, 0)
    board.set(0x80 | 0x01, 256 - 10)
    board.set(0x80 | 0x0F, 3)
    board.set(0x80, 0x03)
    board.rig.lamp(True, 2 * STEP_US + 5 * STEP_US)
    board.now = 12 * STEP_US
    frame = bytearray(8)
    board.sensor.chip.read_into(frame)

    assert board.sensor.chip.counts(frame)[3] == pytest.approx(5 * 400 * (0.887 + 0.12), rel=0.02)


@pytest.mark.parametrize(
    ("fault", "verdicts"),
    [
        ("back", ["back"]),
        ("pair", ["pair"]),
        ("poke", ["poke"]),
        ("stuck", ["stuck", "out"]),
        ("glitch", ["glitch"]),
        ("waiting", ["out", "stuck", "poke"]),
        ("surplus", ["out", "out"]),
        ("lift", []),
        ("shake_open", []),
        *((trouble, ["out"]) for trouble in CAUSES),
    ],
)
def test_each_fault_of_a_script_happens(fault, verdicts):
    """Each of the virtual ring's faults gives its verdicts, and is in the truth."""
    board = Board().slid(fault=fault)

    assert board.verdicts() == verdicts
    assert [each.kind for each in board.rig.happened] == (verdicts or [fault])


def test_a_fault_that_there_is_not_is_refused():
    """An unknown name of a fault is refused, and nothing happens."""
    rig = SimulatedGate(IDEAL, Random(1))

    with pytest.raises(ValueError, match="a slide has no fault `snow`"):
        rig.slide(0, "red", fault="snow")
    assert not rig.busy


def test_a_lifted_ring_is_set_down_again():
    """During a lift the lift pin is HIGH for 1.5 s, with bounces at both ends."""
    turns = Board().slid(fault="lift").turns("lift")

    assert turns[0][2] is True
    assert turns[-1][2] is False
    assert 1_500_000 <= turns[-1][0] - turns[0][0] < 1_504_000


def test_shaking_is_three_jolts_with_the_gate_open():
    """Shaking is three jolts with an open gate, each LOW for some milliseconds."""
    board = Board().slid(fault="shake_open")
    shakes, gate = board.turns("shake"), board.turns("gate")

    starts = [shakes[0][0]] + [b[0] for a, b in pairwise(shakes) if b[0] - a[0] > 50_000]
    assert len(starts) == 3
    assert gate[0][0] < starts[0]
    assert shakes[-1][2] is True
    assert shakes[-1][0] < gate[-1][0]


@pytest.mark.parametrize(("fault", "told"), [("ambient_light", "ambient-light"), ("dirty_window", "dirty-window")])
def test_other_light_is_there_before_its_slide(fault, told):
    """Unusual light begins long enough before the gate opens for the board to notice it, and ends afterwards."""
    board, watch = Board(), ReferenceWatch()
    references = [[8 * round(each) for each in board.reference(what)] for what in ("white", "dark")]
    assert watch.looked(*references) == []
    board.rig.slide(board.now, fault=fault)

    opens = board.now + EARLIER_US
    references = [[8 * round(each) for each in board.reference(what)] for what in ("white", "dark")]
    assert board.now < opens
    assert watch.looked(*references) == [told]
    board.slid()
    assert board.rig.world == IDEAL


def test_a_lamp_into_the_open_gate_dazzles():
    """A lamp that shines into the open gate saturates every frame of the passage."""
    board = Board().slid(fault="saturated")
    begin, end = board.turns("b")[0][0], board.turns("a")[1][0]

    assert {each[3] for at, each in board.frames if begin < at < end} == {1024}
    assert board.reference("white")[3] < 500


def test_a_missing_sensor_does_not_answer_while_the_cube_passes():
    """A missing sensor doesn't answer during the slide, and must be set up again afterwards."""
    board = Board()
    board.rig.slide(0, fault="sensor_missing")
    board.live(BETWEEN_US)
    assert not board.sensor.chip.works()
    with pytest.raises(OSError, match="no sensor answers"):
        board.sensor.chip.clear()

    board.slid()
    assert not board.sensor.chip.works()
    assert board.sensor.begin()
    assert board.sensor.chip.works()


def test_a_sensor_can_be_taken_away_and_given_back():
    """A test can remove and return the sensor at any time."""
    board = Board()
    board.rig.sensor_gone(1_000)
    board.now = 2_000
    assert not board.sensor.begin()

    board.rig.sensor_back(3_000)
    board.now = 4_000
    assert board.sensor.begin()


def test_slides_wait_for_each_other():
    """Slides requested at once happen one after another."""
    board = Board()
    for _ in range(3):
        board.rig.slide(0, speed_mm_s=100.0)
    board.live(10_000_000)

    assert board.verdicts() == ["out"] * 3
    assert all(one.last_us + CLOSES_US + BETWEEN_US < other.first_us for one, other in pairwise(board.rig.happened))


def test_what_is_not_there_does_not_come_out():
    """An empty ring lets nothing out, but it can be lifted, and a named colour comes out."""
    rig = SimulatedGate(IDEAL, Random(1))

    assert not rig.slide(0)
    assert not rig.busy
    assert rig.slide(0, fault="lift")
    assert rig.slide(0, "red")


def test_stations_are_counted():
    """A cube that came out is no longer under the ring, but a cube that went back is."""
    board = Board().slid(3).slid(fault="back").slid(fault="pair").slid(fault="lift")
    left = sum((each.colours for each in board.rig.happened if each.kind in ("out", "pair")), ())

    assert board.rig.under.total() == 27 - 5
    assert len(left) == 5
    assert all(board.rig.under[colour] == 9 - left.count(colour) for colour in STATIONS)
    board.rig.under.clear()
    assert not board.rig.slide(board.now)


def test_anything_can_be_played_to_the_beams():
    """A test can make any edges of the beams."""
    board = Board()
    board.rig.beams([("B", True, 5), ("A", True, 7), ("B", False, 400), ("A", False, 900)], 1_000)

    assert board.live(10_000).turns("a", "b") == [
        (1_005, "b", True),
        (1_007, "a", True),
        (1_400, "b", False),
        (1_900, "a", False),
    ]


def test_the_world_ages_once():
    """After calibration the lamp ages once, and so it does for objects at rest."""
    board = Board(world({"after_calibration": {"drift": 0.7}}))
    before = board.reference("white")[3]
    board.rig.calibrated()
    board.rig.calibrated()

    assert board.reference("white")[3] == pytest.approx(0.7 * before, rel=0.03)


def everything(seed: int, sensing: bool) -> Board:
    """Return a board after twenty slides with faults."""
    return Board(world({"rates": {"surplus": 0.2, "lift": 0.1}}), seed, sensing).slid(20)


def test_the_same_seed_and_deeds_tell_the_same():
    """The same seed gives the same changes and frames; another seed gives other changes and frames."""
    first, again, other = everything(4, True), everything(4, True), everything(5, True)

    assert (first.changes, first.frames) == (again.changes, again.frames)
    assert first.changes != other.changes


def test_what_happens_does_not_depend_on_who_looks():
    """Cubes and times are the same whether or not the board reads its sensor."""
    looking, blind = everything(4, True), everything(4, False)

    assert looking.rig.happened == blind.rig.happened
    assert looking.turns("a", "b", "gate", "lift") == blind.turns("a", "b", "gate", "lift")


def test_a_virtual_ring_of_the_same_seed_draws_the_same():
    """Kinds and colours equal those of a virtual ring with the same seed."""
    place = world({"rates": {"surplus": 0.2, "stuck": 0.1}})
    board = Board(place, 7, sensing=False).slid(15)
    virtual = VirtualRing(place, Random(7), iter(["00000001"]).__next__, 0.0)
    virtual.load(STATIONS)
    for _ in range(15):
        virtual.slide(0.0)

    assert [(each.kind, each.colours) for each in board.rig.happened] == [
        (each.kind, each.colours) for each in virtual.unwritten()
    ]


def test_the_beams_tell_what_happened_over_many_slides():
    """The verdicts on a hundred slides with faults equal the truth."""
    board = Board(World(), 11, sensing=False)
    board.rig.load({"red": 60, "blue": 60, "white": 60})
    board.slid(100)

    assert board.verdicts() == [each.kind for each in board.rig.happened if each.kind != "lift"]


class OtherFamily(Chip):
    """A chip with other registers. In a frame, red comes first, and each value has its high byte first."""

    NAME, ADDRESS, IDS, GAINS = "other", 0x10, (0xC6,), (1, 8)

    def counts(self, frame: bytearray) -> tuple[int, int, int, int]:
        red, green, blue, clear = (high << 8 | low for high, low in zip(frame[::2], frame[1::2], strict=True))
        return red, green, blue, clear


class OtherRegisters(SensorRegisters):
    """A minimal model of such a chip."""


def dark(begun_us: int, steps: int, gain: int) -> tuple[int, int, int, int]:
    """Return zero counts."""
    return 0, 0, 0, 0


def test_the_model_of_a_chip_is_that_of_its_family():
    """All chips of the table use the same model of their registers, at their own addresses."""
    models = [registers_of(chip, dark) for chip in CHIPS]

    assert [(type(model), model.address) for model in models] == [(SensorRegisters, chip.ADDRESS) for chip in CHIPS]


def test_a_chip_with_frames_of_its_own_needs_a_model_of_its_own():
    """A chip with frames of its own is refused, since the usual model sends clear first, low byte first."""
    with pytest.raises(ValueError, match=r"^other overrides counts, so it needs a model of its registers in MODELS"):
        registers_of(OtherFamily, dark)


def test_a_chip_of_another_family_gets_the_model_of_that_family():
    """A chip of another family gets that family's model, even by inheritance."""
    models = {Chip: SensorRegisters, OtherFamily: OtherRegisters}
    writable = {"WRITABLE": ((Chip.CONTROL, 0x01),)}
    successor = type("Successor", (OtherFamily,), {"IDS": (0xC7,), **writable})

    found = [type(registers_of(chip, dark, models)) for chip in (successor, Tcs34725)]

    assert found == [OtherRegisters, SensorRegisters]
