"""STARTING: what a board does from power-on to its main loop, on the emulated board (ring/starting.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from firmware_bridge.device.apds9960 import Apds9960
from firmware_bridge.device.codec import VERSION, compose
from firmware_bridge.device.framing import LineFraming, seal
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip
from firmware_bridge.protocol.messages import Event, Hello, Message, read
from firmware_bridge.simulation.emulated import EmulatedBoard
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.physics.world import IDEAL, World
from firmware_bridge.simulation.testbench import SimulatedGate

US = 1_000_000
STEP_S = 0.005
LONG_S, LONG_STEP_S = 20.0, 0.25  # a long wait, during which exact times don't matter


CHIPS = ("RP2040", "RP2350")
ONE_CHIP = pytest.mark.parametrize("start", ["RP2350"], indirect=True)  # tests with many starts
EITHER_CHIP = pytest.mark.parametrize("start", CHIPS, indirect=True)  # tests of registers that differ between chips


class Start:
    """One start of a board with a rig, and all its output."""

    def __init__(self, rig: SimulatedGate, flash: Path, chip: str) -> None:
        self.board = EmulatedBoard(rig, lambda words, at: 0, flash=BoardFlash(flash), chip=chip)
        self.rig = rig
        self.now = 0.0
        self.said: list[Message] = []
        self._lines = LineFraming()

    def listen(self, seconds: float) -> Start:
        """Run for *seconds*, and record the output."""
        end = self.now + seconds
        step = STEP_S if seconds < LONG_S else LONG_STEP_S
        while self.now < end:
            self.now += step
            for body in self._lines.feed(self.board.outgoing(self.now)):
                message = read(body, VERSION)
                assert message is not None, body
                self.said.append(message)
        return self

    def greet(self) -> Start:
        """Start a session."""
        return self.tell("hi", v=VERSION)

    def tell(self, word: str, **fields: object) -> Start:
        """Send a line, and record the answer."""
        pairs = [("h", "test"), *fields.items()] if word != "hi" else [*fields.items(), ("h", "test")]
        self.board.receive(seal(compose(word, pairs)), self.now)
        return self.listen(0.2)

    @property
    def hello(self) -> Hello:
        """Return the last hello."""
        return [each for each in self.said if isinstance(each, Hello)][-1]

    def events(self, word: str) -> list[dict[str, str]]:
        """Return the fields of all events called *word*, each once."""
        events = {(each.boot, each.number): each for each in self.said if isinstance(each, Event)}
        return [dict(each.fields) for each in events.values() if each.word == word]


@pytest.fixture(params=[pytest.param("RP2040", marks=pytest.mark.long), "RP2350"])
def start(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Start]]:
    """Return a function that powers a board, with a prepared rig; with `--long`, tests run on both chips."""
    started: list[Start] = []

    def power(
        ready: Callable[[SimulatedGate], object] = lambda rig: None, world: World = IDEAL, chip: type[Chip] = USUAL
    ) -> Start:
        rig = SimulatedGate(world, Random(1), chip)
        ready(rig)
        started.append(Start(rig, tmp_path / "flash", request.param))
        return started[-1]

    yield power
    for each in started:
        each.board.close()


@EITHER_CHIP
def test_a_sound_board_says_so(start):
    """The self-test finds that both light barriers work, the sensor answers, and the flash is writable."""
    board = start().listen(0.1).greet()

    assert board.events("boot") == [{"why": "power", "test": "ok"}]
    assert (board.hello.sensor, board.hello.firmware) == ("tcs34725", "0.1.0+emu")


def test_each_start_has_a_name_of_its_own(start):
    """The name of a boot contains the number of starts, stored in the flash, and random digits."""
    board = start().listen(0.1).greet()
    first = board.hello.boot
    board.board.restart(board.now)
    board.listen(0.1).greet()

    assert board.hello.boot != first
    assert int(board.hello.boot[:6], 16) == int(first[:6], 16) + 1


@pytest.mark.parametrize(("beam", "told"), [("A", "dark-a"), ("B", "dark-b")])
def test_a_beam_that_something_blocks_is_told(start, beam, told):
    """A blocked beam or a dead emitter is reported as a fault at once by the self-test."""
    board = start(lambda rig: rig.beams([(beam, True, 0)], 0)).listen(0.1).greet()

    assert board.events("boot") == [{"why": "power", "test": told}]
    assert board.events("fault") == [{"what": "beam-dead"}]


def test_a_board_without_its_sensor_counts_all_the_same(start):
    """A missing sensor is reported by the self-test, the hello says "none", and cubes are counted."""
    board = start(lambda rig: rig.sensor_gone(0)).listen(0.1).greet()

    assert board.events("boot") == [{"why": "power", "test": "sensor"}]
    assert board.hello.sensor == "none"

    board.rig.load({"red": 1})
    board.rig.slide(int(board.now * US))
    board.listen(2.0)

    assert [each["k"] for each in board.events("pass")] == ["out"]


@EITHER_CHIP
def test_a_fault_of_the_firmware_starts_it_anew(start, tmp_path):
    """An exception is stored in the flash, the board restarts, and its boot event reports the exception."""
    board = start().listen(0.1)
    board.board.loud = False
    (tmp_path / "flash" / "custom.py").write_text("def obey(word, fields):\n    raise RuntimeError('a fault')\n")
    board.board.restart(board.now)
    board.listen(0.1).greet().tell("lamp", c=1, rgb="ff0000").listen(3.0).greet()

    assert [each["test"] for each in board.events("boot")] == ["ok", "crash"]
    assert "a fault" in (tmp_path / "flash" / "crash.old").read_text()


HANGS = "import time\nwhile True:\n    time.sleep_ms(100)\n"
RAISES = "def obey(word, fields):\n    raise RuntimeError('a fault')\n"


@EITHER_CHIP
def test_what_hangs_before_the_first_turn_starts_the_board_anew(start, tmp_path):
    """The watchdog runs from the first line, so a custom.py that hangs restarts the board after eight seconds."""
    board = start().listen(0.1)
    (tmp_path / "flash" / "own.py").write_text(HANGS)
    board.board.restart(board.now)
    board.listen(7.0)
    (tmp_path / "flash" / "own.py").unlink()
    board.listen(2.0).greet()

    assert [each["why"] for each in board.events("boot")][-1] == "watchdog"


@ONE_CHIP
def test_a_board_that_hangs_again_and_again_starts_once_a_minute(start, tmp_path):
    """After three failed starts within a minute, there is a minute between further starts."""
    board = start().listen(0.1)
    (tmp_path / "flash" / "own.py").write_text(HANGS)
    board.board.restart(board.now)
    begun = board.board.starts

    board.listen(30.0)
    assert board.board.starts == begun + 3
    board.listen(57.0)
    assert board.board.starts == begun + 3
    board.listen(70.0)
    assert board.board.starts in (begun + 4, begun + 5)


def crash(board: Start) -> None:
    """Send the command that crashes the firmware, and let the board restart."""
    board.listen(1.0).greet().tell("lamp", c=1, rgb="ff0000").listen(2.5)


@ONE_CHIP
def test_a_board_that_crashes_three_times_in_a_minute_waits_a_minute(start, tmp_path):
    """After three crashes within a minute the board is silent for a minute, and then works again."""
    board = start().listen(0.1)
    board.board.loud = False
    (tmp_path / "flash" / "custom.py").write_text(RAISES)
    board.board.restart(board.now)
    for _ in range(3):
        crash(board)
    said, files = len(board.said), (tmp_path / "flash" / "boot.count").read_text()

    board.listen(55.0)
    assert (len(board.said), (tmp_path / "flash" / "boot.count").read_text()) == (said, files)

    board.listen(6.0).greet()
    assert board.events("boot")[-1]["test"] == "crash"


@pytest.mark.long
@ONE_CHIP
def test_crashes_that_are_far_apart_cost_no_minute(start, tmp_path):
    """A run of more than a minute doesn't count as a failed start."""
    board = start().listen(0.1)
    board.board.loud = False
    (tmp_path / "flash" / "custom.py").write_text(RAISES)
    board.board.restart(board.now)
    for _ in range(4):
        crash(board)
        board.listen(61.0)

    assert isinstance(board.listen(2.0).said[-1], Hello)
    assert len(board.events("boot")) >= 4


@pytest.mark.long
@ONE_CHIP
def test_a_start_by_the_plug_forgets_the_crashes(start, tmp_path):
    """After a power cycle the board doesn't wait, whatever happened before."""
    board = start().listen(0.1)
    board.board.loud = False
    (tmp_path / "flash" / "custom.py").write_text(RAISES)
    board.board.restart(board.now)
    for _ in range(3):
        crash(board)
    board.listen(5.0)
    said = len(board.said)

    board.board.restart(board.now)

    assert len(board.listen(0.5).said) > said


@EITHER_CHIP
def test_a_cube_is_seen_in_colour_on_either_chip(start):
    """On a chip whose I2C can't send single bytes, a bus in software clears the sensor's interrupts."""
    board = start().listen(0.5).greet()
    board.rig.load({"red": 1})
    board.rig.slide(int(board.now * US), "red", 60.0)
    board.listen(2.0)

    assert [each["k"] for each in board.events("pass")] == ["out"]
    assert sum(len(each["f"].split(",")) for each in board.events("frame")) >= 4


def test_what_the_owner_has_broken_stops_nothing(start, tmp_path):
    """A custom.py that can't be read is reported and ignored."""
    board = start().listen(0.1)
    (tmp_path / "flash" / "custom.py").write_text("this is no Python\n")
    board.board.restart(board.now)
    board.listen(0.1).greet()

    assert board.events("boot")[-1]["test"] == "custom"
    assert board.hello.firmware == "0.1.0"


@pytest.mark.parametrize("wrong", ["GAIN = 5", "GAIN = 'much'", "PROTOCOL = None", "NAME = 'a b'", "ABILITIES = '$'"])
def test_a_value_that_makes_no_sense_is_as_none(start, tmp_path, wrong):
    """An impossible gain or name in custom.py is reported and ignored."""
    board = start().listen(0.1)
    (tmp_path / "flash" / "custom.py").write_text(f"{wrong}\n")
    board.board.restart(board.now)
    board.listen(0.1).greet()

    assert board.events("boot")[-1]["test"] == "custom"
    assert (board.hello.firmware, board.hello.abilities) == ("0.1.0+own", "glmbp")


def test_a_wish_for_the_prompt_ends_the_program_once(start):
    """The order `prompt` is answered, the board restarts silently, and after a power cycle it is a ring again."""
    board = start().listen(0.1).greet().tell("prompt", c=1)
    said = len(board.said)
    silent = board.listen(3.0)

    assert len(silent.said) == said

    board.board.restart(board.now)

    assert isinstance(board.listen(0.1).said[-1], Hello)


def held(rig: SimulatedGate) -> None:
    """Lift the ring with its gate open."""
    rig.lift(True, 0)
    rig.gate(True, 0)
    rig.until(50_000)


def test_a_ring_held_up_while_its_gate_is_pushed_twice_goes_to_the_prompt(start):
    """A ring that is lifted while its gate is closed twice goes to the prompt, without a host."""
    board = start(held)
    for _ in range(2):
        board.listen(0.2)
        board.rig.gate(False, int(board.now * US))
        board.listen(0.2)
        board.rig.gate(True, int(board.now * US))

    assert board.listen(6.0).said == []


def test_a_ring_that_is_only_held_up_is_a_ring(start):
    """A ring that is only lifted with its gate open starts after five seconds, since a wire may be loose."""
    board = start(held).listen(4.5)

    assert board.said == []
    assert isinstance(board.listen(1.5).said[0], Hello)


def test_the_black_card_is_shown_once(start):
    """The counts of the black card are stored in the flash, since nobody shows the card again at each start."""
    board = start().listen(0.1).greet()
    board.rig.card(True, int(board.now * US))
    board.tell("look", c=1, what="black")
    (looked,) = board.events("look")
    board.rig.card(False, int(board.now * US))
    board.board.restart(board.now)
    board.rig.load({"red": 1})
    board.listen(0.5).greet()
    board.rig.slide(int(board.now * US))
    board.listen(2.0)

    assert [each["black"] for each in board.events("ref") if "black" in each] == [looked["counts"]]


def white_of(board: Start) -> int:
    """Return the clear count of white in one frame of a passage."""
    board.rig.load({"red": 1})
    board.rig.slide(int(board.now * US))
    board.listen(2.0)
    (white,) = [each["white"] for each in board.events("ref") if "white" in each]
    return int(white.split(":")[3]) // 8


@pytest.mark.parametrize(("lamp", "white"), [(IDEAL.white_counts, IDEAL.white_counts), (3_000, 3_000 * 16 / 60)])
def test_a_board_finds_the_gain_that_suits_its_lamp(start, tmp_path, lamp, white):
    """With a bright lamp, a lower gain is found at the first start, and stored."""
    board = start(lambda rig: None, replace(IDEAL, white_counts=lamp)).listen(0.5).greet()

    assert white_of(board) == pytest.approx(white, rel=0.05)
    assert board.events("fault") == []
    assert (tmp_path / "flash" / "gain").read_text() == ("60" if white == lamp else "16")


def test_a_board_finds_another_sensor_and_its_gain(start, tmp_path):
    """An APDS-9960 is found at its address, and its gain is stored with address and ID."""
    board = start(chip=Apds9960).listen(0.5).greet()
    brighter = Apds9960.CLEAR_RESPONSE / USUAL.CLEAR_RESPONSE

    assert (board.hello.sensor, board.events("boot")[0]["test"]) == ("apds9960", "ok")
    assert white_of(board) == pytest.approx(IDEAL.white_counts * brighter * 64 / 60, rel=0.05)
    assert board.events("fault") == []
    assert (tmp_path / "flash" / "gain").read_text() == f"64,{0x39AB}"


@EITHER_CHIP
def test_a_bus_that_hangs_is_freed(start):
    """If a sensor interrupted within a byte blocks the bus, nine clock pulses release it."""
    board = start().listen(0.5).greet()
    board.rig.sensor_hangs(int(board.now * US))
    white = white_of(board.listen(3.0))

    assert white == pytest.approx(IDEAL.white_counts, rel=0.05)


@EITHER_CHIP
def test_a_bus_that_hangs_at_the_start_is_freed(start):
    """A bus that is blocked at the start is released too, and the sensor found."""
    board = start(lambda rig: rig.sensor_hangs(0, 9)).listen(0.1).greet()

    assert (board.hello.sensor, board.events("boot")[0]["test"]) == ("tcs34725", "ok")
