"""A ring on a Pi's own pins: the same passages, faults and references, with mock pins on the rig."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path

import pytest

from firmware_bridge.device.apds9960 import Apds9960
from firmware_bridge.device.framing import seal
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.passages.passage import measured
from firmware_bridge.pi_ring.gpio_address import ADDRESS_KEYS, Pinout, parse_gpio_address
from firmware_bridge.pi_ring.hal import Timestamps
from firmware_bridge.pi_ring.service import FIRMWARE, OnPins, Persistence, device_name, parts_of_this_pi, settle
from firmware_bridge.protocol.connection import Connection, Greeted
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.simulation.virtual.ring import FIRMWARE as VIRTUAL
from rungs.wire import Bell, Wire, WireLost
from tests.firmware_bridge.pi_ring.simulated_pi import Memory, SimulatedBus, SimulatedPi, TimedPins

TOML = Path(__file__).resolve().parents[3] / "hardware" / "pins.toml"
STEP_S = 0.002


class Table:
    """A host with a simulated Pi."""

    def __init__(self, **pi: object) -> None:
        self.pi = SimulatedPi(**pi)
        names = (f"s{number}" for number in range(1, 1000))
        self.host = Connection(names.__next__)
        self.now = 0.0
        self.heard: list[object] = []
        self.host.connected(0.0)
        self.spend(0.3)

    def spend(self, seconds: float) -> Table:
        """Run both sides for *seconds*."""
        end = self.now + seconds
        while self.now < end:
            self.pi.receive(self.host.outgoing(self.now), self.now)
            self.now += STEP_S
            for each in self.host.receive(self.pi.outgoing(self.now), self.now):
                self.heard.append(each)
                if isinstance(each, Event):
                    self.host.recorded(each)
        return self

    def slide(self, colour: str = "red", fault: str = "", speed_mm_s: float = 0.0) -> list[Event]:
        """Let a cube out, and return its passages."""
        before = len(self.events())
        self.pi.rig.load({colour: 2})
        assert self.pi.rig.slide(self.pi.now_us, colour, speed_mm_s, fault)
        self.until(lambda: not self.pi.rig.busy).spend(0.3)
        return [event for event in self.events()[before:] if event.word == "pass"]

    def until(self, done: Callable[[], bool], most_s: float = 30.0) -> Table:
        """Run until *done*."""
        end = self.now + most_s
        while not done() and self.now < end:
            self.spend(0.05)
        assert done()
        return self

    def events(self, *words: str) -> list[Event]:
        """Return the events so far, or those with one of *words*."""
        told = [each for each in self.heard if isinstance(each, Event)]
        return [event for event in told if not words or event.word in words]

    def order(self, word: str, **fields: object) -> str:
        """Send an order, and return its error ("" if it was carried out)."""
        answers = len(self.answers())
        self.host.order(QueuedCommand(word, tuple(fields.items())))
        self.until(lambda: len(self.answers()) > answers)
        return self.answers()[-1]

    def answers(self) -> list[str]:
        """Return the errors of orders, with "" for each order that was carried out."""
        return [each.why for each in self.heard if type(each).__name__ == "OrderAnswered"]


@pytest.fixture(scope="module")
def table() -> Table:
    """A host with a ring on mock pins, after its start."""
    return Table()


def test_it_says_what_it_is(table):
    """The hello names a real ring, its sensor, and its abilities according to the wiring."""
    hello = next(each.hello for each in table.heard if isinstance(each, Greeted))

    assert (hello.firmware, hello.sensor, hello.simulated, hello.abilities) == (FIRMWARE, "tcs34725", False, "gl")
    assert table.events("boot")[0].fields == {"why": "power", "test": "ok"}


@pytest.mark.parametrize("speed_mm_s", [20, 80, 400])
def test_a_cube_is_told_with_its_frames_and_references(table, speed_mm_s):
    """A passage has edges, frames and references as from a board."""
    (passage,) = table.slide("blue", speed_mm_s=speed_mm_s)
    parts = [each for each in table.events() if passage.number - int(passage.fields["parts"]) <= each.number]
    seen = measured([each for each in parts if each.number <= passage.number])

    assert passage.fields["k"] == "out"
    assert [(beam, on) for beam, on, _ in seen.edges] == [("A", True), ("B", True), ("A", False), ("B", False)]
    assert seen.full
    assert seen.white and seen.dark
    assert 90 <= int(passage.fields["len"]) <= 110


@pytest.mark.parametrize(("fault", "verdicts"), [("back", ["back"]), ("poke", ["poke"]), ("stuck", ["stuck", "out"])])
def test_what_is_no_plain_passage_is_told_too(table, fault, verdicts):
    """A cube that goes back, a touch and a stuck cube are reported with their kind."""
    assert [passage.fields["k"] for passage in table.slide("red", fault)] == verdicts


def test_two_together_are_a_pair(table):
    """Two cubes that touch are reported as a pair."""
    (passage,) = table.slide("red", "pair")

    assert passage.fields["k"] == "pair"


def test_edges_have_the_time_of_the_pin_not_of_whoever_hears_of_them(table):
    """Edges have the times of the pins to the microsecond, although the loop runs rarely."""
    edges = [("A", True, 0), ("B", True, 11_117), ("A", False, 23_451), ("B", False, 34_568)]
    table.pi.rig.beams(edges, table.pi.now_us)
    table.spend(0.2)

    assert table.events("edge")[-1].fields["e"] == "A+0,B+11117,A-23451,B-34568"


def test_switches_are_told_once_they_have_settled(table):
    """Gate and lift cause one event for each change, even if the contact bounces."""
    before = len(table.events())
    table.pi.rig.gate(True, table.pi.now_us)
    table.spend(0.1).pi.rig.lift(True, table.pi.now_us)
    table.spend(0.1).pi.rig.gate(False, table.pi.now_us)
    table.spend(0.1).pi.rig.lift(False, table.pi.now_us)
    table.spend(0.1)

    told = [(each.word, each.fields) for each in table.events()[before:] if each.word in ("gate", "lift")]
    assert told == [("gate", {"open": "1"}), ("lift", {"up": "1"}), ("gate", {"open": "0"}), ("lift", {"up": "0"})]


def test_shaking_with_the_gate_open_is_a_fault(table):
    """Three jolts within a second with an open gate are a fault."""
    before = len(table.events("fault"))
    table.pi.rig.load({"red": 1})
    table.slide("red", "shake_open")

    assert [each.fields["what"] for each in table.events("fault")[before:]] == ["gate-open-while-shaking"]


@pytest.mark.parametrize("what", ["white", "dark", "black"])
def test_a_reference_is_taken_anew_on_order(table, what):
    """An order to read a reference is answered at once, and the counts come as an event."""
    assert table.order("look", what=what) == ""

    table.until(lambda: table.events("look") and table.events("look")[-1].fields["what"] == what)
    assert table.events("look")[-1].fields["sum"] == "8"


def test_a_lamp_that_is_not_wired_is_unknown(table):
    """Orders for a lamp or a beeper that isn't wired, and for the prompt of a board, are unknown."""
    assert table.order("lamp", rgb="ff0000") == "unknown"
    assert table.order("beep", hz=2000, ms=80) == "unknown"
    assert table.order("prompt") == "unknown"


def test_a_sensor_that_is_gone_costs_colours_and_no_cubes():
    """Without a sensor cubes are counted without frames; a sensor that comes back is set up automatically."""
    table = Table()
    table.pi.rig.sensor_gone(table.pi.now_us)
    (blind,) = table.slide("red")
    assert table.order("look", what="white") == "sensor"
    table.pi.rig.sensor_back(table.pi.now_us)
    table.spend(1.5)
    (seeing,) = table.slide("red")

    assert (blind.fields["k"], blind.fields["parts"]) == ("out", "1")
    assert [each.fields["what"] for each in table.events("fault")] == ["sensor-missing"]
    assert (seeing.fields["k"], int(seeing.fields["parts"]) > 3) == ("out", True)


def test_a_ring_without_a_sensor_starts_all_the_same():
    """Without a sensor at the start, the hello says `none`, and the self-test reports it."""
    table = Table(sensor=False)
    hello = next(each.hello for each in table.heard if isinstance(each, Greeted))

    assert (hello.sensor, table.events("boot")[0].fields["test"]) == ("none", "sensor")


def test_a_sensor_that_holds_the_bus_at_the_start_is_freed():
    """A sensor that blocks the bus at the start is released by clock pulses, and found."""
    table = Table(hung=True)
    hello = next(each.hello for each in table.heard if isinstance(each, Greeted))

    assert (hello.sensor, table.events("boot")[0].fields["test"]) == ("tcs34725", "ok")


def test_a_ring_with_another_sensor_tells_its_cubes():
    """An APDS-9960 is found at its address, and passages have its frames."""
    table = Table(chip=Apds9960)
    hello = next(each.hello for each in table.heard if isinstance(each, Greeted))
    (seeing,) = table.slide("red")

    assert (hello.sensor, table.events("boot")[0].fields["test"]) == ("apds9960", "ok")
    assert (seeing.fields["k"], int(seeing.fields["parts"]) > 3) == ("out", True)


def test_a_sensor_that_comes_to_hold_the_bus_is_freed():
    """A sensor that blocks the bus later is released too, and passages have frames again."""
    table = Table()
    table.pi.rig.sensor_hangs(table.pi.now_us)
    table.spend(3.0)
    (seeing,) = table.slide("red")

    assert (seeing.fields["k"], int(seeing.fields["parts"]) > 3) == ("out", True)


def test_a_beam_that_is_blocked_at_the_start_is_named():
    """Beams whose emitters aren't seen at the start are named by the self-test."""
    table = Table(emitting=False)

    assert table.events("boot")[-1].fields["test"] == "dark-a,dark-b"
    assert table.events("fault")[-1].fields["what"] == "beam-dead"


def test_switches_that_are_not_wired_are_not_told():
    """Switches that aren't wired are `x`, and white is read whenever the gate is empty."""
    table = Table(wiring=parse_gpio_address("gpio:?gate=none&lift=none&shake=none&emitters=none"))
    hello = next(each.hello for each in table.heard if isinstance(each, Greeted))
    (passage,) = table.slide("red")

    assert hello.abilities == "x"
    assert passage.fields["k"] == "out"
    assert table.events("gate") == []


def test_a_light_and_a_beeper_may_be_wired():
    """Three lamps can be wired to make a colour, and a piezo to make a tone that ends after its time."""
    table = Table(wiring=parse_gpio_address("gpio:?light=16,20,21&beeper=12"))
    pins = table.pi.pins
    assert table.order("lamp", rgb="ff0033") == ""
    assert [round(pins.pin(number).state, 1) for number in (16, 20, 21)] == [1.0, 0.0, 0.2]
    assert table.order("beep", hz=2000, ms=100) == ""
    assert (pins.pin(12).frequency, pins.pin(12).state) == (2000, 0.5)

    table.spend(0.3)
    assert (pins.pin(12).frequency, pins.pin(12).state) == (None, 0)


def test_closed_it_leaves_nothing_on():
    """After the end, lamp and emitters are off, and the pins have no callbacks."""
    pi = SimulatedPi()
    pi.run(0.2)
    lamp, emitters, beam = (pi.pins.pin(number) for number in (23, 24, 17))
    assert (lamp.state, emitters.state) == (1, 1)

    pi.hal.close()

    assert (lamp.state, emitters.state, beam.when_changed) == (0, 0, None)


def test_stamps_of_our_clock_are_taken_as_they_are():
    """Timestamps of our clock are used unchanged, but never later than now."""
    stamps = Timestamps()

    assert stamps.at(10.0, now=10.2) == 10.0
    assert stamps.at(10.3, now=10.25) == 10.25


def test_stamps_of_another_clock_are_brought_to_ours():
    """Timestamps of another clock are converted by the smallest offset, which is found again after a clock change."""
    stamps, epoch = Timestamps(), 1_700_000_000.0
    assert stamps.at(epoch + 10.0, now=10.5) == pytest.approx(10.5)
    assert stamps.at(epoch + 11.0, now=11.1) == pytest.approx(11.1)
    assert stamps.at(epoch + 12.0, now=12.6) == pytest.approx(12.1)

    assert stamps.at(epoch + 3_613.0, now=13.1) == pytest.approx(13.1)


def test_the_usual_pins_are_those_of_the_drawings():
    """The pins of a ring's address without settings are those in hardware/pins.toml."""
    drawn = tomllib.loads(TOML.read_text())["pi"]
    named = {{"beam_a": "a", "beam_b": "b"}.get(name, name): each["pin"] for name, each in drawn.items()}

    assert {name: pin for name, pin in named.items() if name in ADDRESS_KEYS} == dict(Pinout().pins)
    assert (named["sda"], named["scl"], Pinout().bus) == (2, 3, 1)


def test_an_address_changes_what_it_names():
    """The address can change each pin by its key."""
    asked = parse_gpio_address("gpio:?a=4&int=9&gate=none&bus=0&light=16,20,21")

    assert (asked.a, asked.interrupt, asked.gate, asked.bus, asked.light) == (4, 9, None, 0, (16, 20, 21))
    assert parse_gpio_address("gpio:") == Pinout()


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?c=4", "with a pin's number for some of"),
        ("?nonsense", "with a pin's number for some of"),
        ("?a=28", "a is a number from 0 to 27, not `28`"),
        ("?gate=open", "gate is a number from 0 to 27, or `none`, not `open`"),
        ("?lamp=none", "lamp is a number from 0 to 27, not `none`"),
        ("?light=16", "light must be three pins"),
        ("?a=27", "a and b can't both be on pin 27"),
        ("?bus=x", "bus is a number"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(query, reason):
    """An invalid address is refused with one sentence."""
    with pytest.raises(InputError, match="gpio:") as refused:
        parse_gpio_address("gpio:" + query)

    assert reason in str(refused.value)


def test_a_machine_without_pins_says_so():
    """Without a Raspberry Pi or its packages, opening the pins raises an error of one sentence."""
    with pytest.raises(WireLost, match=r"^gpio: .*\.$"):
        parts_of_this_pi(Pinout())


def test_a_pi_has_one_name_for_good(tmp_path):
    """The device id is derived from the Pi's serial number or its machine id, and contains neither."""
    cpuinfo, machine = tmp_path / "cpuinfo", tmp_path / "machine-id"
    machine.write_text("0123456789abcdef0123456789abcdef\n")
    named = device_name((cpuinfo, machine))
    cpuinfo.write_text("Model\t\t: Some Pi\nSerial\t\t: 10000000abcdef01\n")

    assert named != device_name((cpuinfo, machine)) == device_name((cpuinfo, machine))
    assert len(named) == 12
    assert "abcdef" not in named


def test_the_black_card_is_kept_over_a_start(tmp_path):
    """Stored counts of the black card survive a restart; an invalid file is treated like a missing file."""
    Persistence(tmp_path / "gpio").keep("black", (20, 23, 18, 61))
    assert Persistence(tmp_path / "gpio").stored("black") == (20, 23, 18, 61)
    (tmp_path / "gpio" / "black").write_text("20,many")

    assert Persistence(tmp_path / "gpio").stored("black") == ()
    assert Persistence(tmp_path).stored("black") == ()


def test_a_black_card_that_is_shown_is_known_after_the_next_start(table):
    """Passages after a restart contain the counts of the black card that was shown before it."""
    table.pi.rig.card(True, table.pi.now_us)
    assert table.order("look", what="black") == ""
    table.until(lambda: table.events("look")[-1].fields["what"] == "black")
    table.pi.rig.card(False, table.pi.now_us)
    shown = table.events("look")[-1].fields["counts"]
    table.pi.start()
    table.spend(2.0)
    table.slide("blue")

    assert [each.fields["black"] for each in table.events("ref") if "black" in each.fields][-1] == shown


def test_it_is_the_firmware_of_all_rings():
    """A ring on pins has the same firmware version as a virtual one."""
    assert FIRMWARE == VIRTUAL


class Still:
    """A Pi on which nothing happens, and whose bus can be made to fail."""

    def __init__(self) -> None:
        self.pi = SimulatedPi()
        self.broken = False

    def __call__(self, wiring: Pinout) -> tuple[TimedPins, SimulatedBus]:
        """Return its pins and bus."""
        self.pi.pins.ticks = self._ticks
        return self.pi.pins, SimulatedBus(self.pi)

    def _ticks(self) -> float:
        if self.broken:
            raise ZeroDivisionError
        return 1.0


@pytest.fixture
def on_pins():
    """A ring on idle pins in real time, with its Pi."""
    bell, boots, still = Bell(), iter(["00000001", "00000002"]), Still()
    ring = OnPins(Pinout(), still, Memory(), boots.__next__)
    yield ring, bell, still
    ring.close()
    bell.close()


class Slow(Still):
    """Pins whose receivers follow their emitters with a delay; the test sets the time."""

    def __init__(self) -> None:
        super().__init__()
        self._now_us = 0
        self._due: list[tuple[int, Callable[[], None]]] = []

    def __call__(self, wiring: Pinout) -> tuple[TimedPins, SimulatedBus]:
        """Return pins and bus, with emitters connected to receivers."""
        pins, bus = super().__call__(wiring)
        for after_us, receiver in ((500, wiring.a), (1_000, wiring.b)):
            self._follow(pins, f"GPIO{wiring.emitters}", receiver, after_us)
        return pins, bus

    def wait(self, us: int) -> None:
        """Advance the clock, and change the pins that are due."""
        self._now_us += us
        now, self._due = self._due, [one for one in self._due if one[0] > self._now_us]
        for at, change in sorted(now, key=itemgetter(0)):
            if at <= self._now_us:
                change()

    def _follow(self, pins: TimedPins, emitters: str, receiver: int, after_us: int) -> None:
        before = pins.outputs.get(emitters, lambda on: None)
        pin = pins.pin(receiver)

        def switched(on: bool) -> None:
            before(on)
            self._due.append((self._now_us + after_us, pin.drive_low if on else pin.drive_high))

        pins.outputs[emitters] = switched


def test_the_self_test_gives_receivers_their_time():
    """The self-test waits until receivers have followed their emitters."""
    bell, slow = Bell(), Slow()
    ring = OnPins(Pinout(), slow, Memory(), lambda: "00000001", slow.wait)
    try:
        assert b" test=ok*" in greeted(ring(bell), "s1")
    finally:
        ring.close()
        bell.close()


def greeted(wire: Wire, session: str) -> bytes:
    """Return the ring's answer to a new session."""
    wire.write(seal(f"hi v=1 h={session}"))
    heard = b""
    while b"$boot " not in heard or not heard.endswith(b"\n"):
        heard += wire.read(5.0)
    return heard


def test_plugged_anew_it_is_the_same_ring(on_pins):
    """Without a host the ring keeps running, and a new connection meets the same boot with its stored events."""
    ring, bell, _ = on_pins
    first = ring(bell)
    assert b" to=s1 " in greeted(first, "s1")
    first.close()

    second = ring(bell)
    heard = greeted(second, "s2")
    second.close()

    assert b" to=s2 " in heard
    assert b"$boot b=00000001 n=1 " in heard


def test_a_ring_whose_thread_died_is_seen_and_started_anew(on_pins):
    """If the ring's thread dies the wire is lost at once, and the next connection meets a new boot."""
    ring, bell, still = on_pins
    first = ring(bell)
    greeted(first, "s1")
    still.broken = True
    with pytest.raises(WireLost):
        while True:
            first.write(seal("hi v=1 h=s1"))
            first.read(5.0)
    first.close()
    still.broken = False

    second = ring(bell)
    heard = greeted(second, "s2")
    second.close()

    assert b"$boot b=00000002 n=1 " in heard


def test_a_start_that_fails_lets_its_pins_go():
    """An exception in the self-test releases all pins and switches off the light, and the next open works."""
    bell, still, faults = Bell(), Still(), [OSError("the bus"), ZeroDivisionError("a bug of ours")]

    def wait(us: int) -> None:
        if faults:
            raise faults.pop(0)
        settle(us)

    ring = OnPins(Pinout(), still, Memory(), lambda: "00000001", wait)
    for fault in list(faults):
        with pytest.raises(type(fault)):
            ring(bell)
        assert still.pi.pins.pin(23).state == 0

    wire = ring(bell)
    assert b"$boot b=00000001 n=1 " in greeted(wire, "s1")
    wire.close()
    ring.close()
    bell.close()


def test_an_ended_ring_leaves_its_lamps_off(on_pins):
    """The end of the program switches off the lamps."""
    ring, bell, still = on_pins
    wire = ring(bell)
    greeted(wire, "s1")
    lamp, emitters = still.pi.pins.pin(23), still.pi.pins.pin(24)
    assert (lamp.state, emitters.state) == (1, 1)
    wire.close()

    ring.close()

    assert (lamp.state, emitters.state) == (0, 0)
