"""The emulated board: the firmware's bytecode on MicroPython, with a rig; the time is an argument."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.kernel.supervisor import Supervisor
from firmware_bridge.device.clock import PICO_PERIOD
from firmware_bridge.device.framing import seal
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.simulation.emulated import Crashed, EmulatedBoard, EmulatedRing
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.emulated.runtimes import PORTS, command, installed
from firmware_bridge.simulation.emulated.service import BoardService
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.testbench import SimulatedGate
from rungs.wire import Bell, WireLost
from tests.firmware_bridge.simulation.emulated_bench import Desk
from tests.pauses import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
HEAP = 160 * 1024
HERE = ["wasm", *(port for port in PORTS if port != "wasm" and installed(port))]
"""The WebAssembly port is always tested: if it is missing, tests fail with advice."""

BITTEN = """
import machine
with open("causes", "a") as file:
    file.write(str(machine.reset_cause()))
machine.WDT(timeout=500)
"""
ASLEEP = "import time\nwhile True:\n    time.sleep_ms(10)\n"
ENDLESS = "while True:\n    pass\n"
GREEDY = """
from ring import pico, starting
def pause(self):
    bytearray(64)
pico.Pico.pause = pause
starting.run()
"""
BLINKS = """
NAME = "jan"
ABILITIES = "x"
def obey(word, fields):
    return "" if word == "blink" else None
"""
Made = Callable[..., EmulatedBoard]


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Made]:
    """Return a function that makes boards, with a test's own main.py or custom.py; they are closed at the end."""
    boards: list[EmulatedBoard] = []

    def make(patience_s: float = 30.0, port: str = "", **files: str) -> EmulatedBoard:
        flash = BoardFlash(tmp_path / "flash")
        for name, text in files.items():
            (flash.folder / f"{name}.py").write_text(text)
        rig = SimulatedGate(IDEAL, Random(1))
        rig.load({"red": 9})
        boards.append(EmulatedBoard(rig, lambda words, at_us: 0, port=port, flash=flash, patience_s=patience_s))
        return boards[-1]

    yield make
    for board in boards:
        board.close()


def ended(pid: int, most_s: float) -> bool:
    """Return whether the process *pid* ends in time."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], most_s)[0])
    finally:
        os.close(process)


@pytest.mark.parametrize("port", HERE)
def test_the_board_says_hello(made, port):
    """The hello says that the board is simulated, can slide when ordered, and has the emulated firmware."""
    desk = Desk(made(port=port)).listen(1.5)

    assert desk.host.hello.simulated
    assert "s" in desk.host.hello.abilities
    assert desk.host.hello.firmware.endswith("+emu")
    assert desk.told("boot", why="power", test="ok")


@pytest.mark.parametrize("port", HERE)
def test_a_slide_arrives_with_edges_frames_and_references(made, port):
    """A slide goes through pins, bus and link, and arrives as a passage with edges, frames and references."""
    board = made(port=port)
    desk = Desk(board).listen(0.5)
    board.rig.slide(board.us(desk.now))
    desk.until(lambda: desk.told("pass"))

    (passage,) = desk.told("pass")
    assert passage.fields["k"] == "out"
    assert passage.fields["len"] == "100"
    assert len(desk.told("frame")) > 1
    assert desk.told("ref")
    assert board.edges >= 4
    assert board.wiring.frames > 8


def test_ports_tell_the_same():
    """WebAssembly and unix ports send the same events at the same simulated times."""
    tellings = []
    for port in HERE:
        with Rigged(port) as (board, desk):
            board.rig.slide(board.us(desk.now))
            desk.until(lambda desk=desk: bool(desk.told("pass"))).listen(1.0)
            tellings.append(
                [(each.word, each.at_us, {**each.fields, "b": ""}) for each in desk.events],
            )

    assert tellings[0][-1][0] == "gate"
    assert all(telling == tellings[0] for telling in tellings)


class Rigged:
    """A board with a rig that always has the same seed."""

    def __init__(self, port: str) -> None:
        rig = SimulatedGate(IDEAL, Random(7))
        rig.load({"red": 2, "blue": 2})
        self._board = EmulatedBoard(rig, lambda words, at_us: 0, port=port)

    def __enter__(self) -> tuple[EmulatedBoard, Desk]:
        return self._board, Desk(self._board).listen(0.5)

    def __exit__(self, *_: object) -> None:
        self._board.close()


def test_starts_are_counted_on_the_flash(made):
    """Starts are counted in the flash, so that every start has a different boot number."""
    board = made()
    desk = Desk(board).listen(0.2)
    board.restart(desk.now)
    desk.listen(2.0)
    board.restart(desk.now)
    desk.listen(2.0)

    boots = [event.boot for event in desk.told("boot")]
    assert [int(boot[:6], 16) for boot in boots] == [1, 2, 3]
    assert len(set(boots)) == 3


def test_a_flash_is_kept_when_its_board_is_switched_off(made):
    """The contents of the flash survive the board: a second board continues the count of starts."""
    first = made()
    Desk(first).listen(0.2)
    first.close()
    desk = Desk(made()).listen(0.2)

    assert int(desk.told("boot")[0].boot[:6], 16) == 2


@pytest.mark.parametrize(
    ("program", "patience_s"), [(BITTEN + ASLEEP, 30.0), (BITTEN + ENDLESS, 0.5)], ids=["asleep", "endless"]
)
def test_a_board_that_feeds_no_watchdog_is_started_anew(made, program, patience_s):
    """A board that doesn't feed its watchdog is restarted, whether it waits or loops, and reports the cause."""
    board = made(patience_s=patience_s, main=program)
    board.outgoing(0.3)
    assert board.starts == 1
    board.outgoing(0.7)

    assert board.starts == 2
    board.outgoing(0.9)
    assert (board.flash.folder / "causes").read_text() == "13"


def test_a_program_that_hangs_without_a_watchdog_is_a_fault(made):
    """A program that hangs without a watchdog is a crash."""
    with pytest.raises(Crashed, match="hangs"):
        made(patience_s=0.3, main=ENDLESS).outgoing(0.1)


def test_a_firmware_that_fails_is_loud(made):
    """An exception in the firmware is raised in the test with its traceback."""
    desk = Desk(made(custom='def obey(word, fields):\n    raise RuntimeError("no such hand")\n')).listen(0.2)

    with pytest.raises(Crashed, match="no such hand"):
        desk.order("lamp", rgb="000000")


@pytest.mark.parametrize("port", HERE)
def test_a_firmware_left_to_itself_starts_anew_after_a_failure(made, port):
    """Without `loud`, the firmware handles an exception itself: it stores the exception, resets, and reports it."""
    board = made(port=port, custom='def obey(word, fields):\n    raise RuntimeError("no such hand")\n')
    board.loud = False
    desk = Desk(board).listen(0.2)
    desk.host.order(QueuedCommand("lamp", (("rgb", "000000"),)))
    desk.listen(5.0)

    assert board.starts == 2
    assert desk.told("boot", why="reset", test="crash")


@pytest.mark.parametrize(
    ("program", "patience_s", "why"),
    [("machine.reset()", 60.0, "reset"), ("while True:\n            pass", 0.5, "watchdog")],
)
def test_the_boot_says_truly_why_the_board_has_started(made, program, patience_s, why):
    """The boot event distinguishes a reset by the program from a hang, though both use the watchdog."""
    hanging = f"import machine\ndef obey(word, fields):\n    if word == 'end':\n        {program}\n"
    board = made(custom=hanging, patience_s=patience_s)
    desk = Desk(board).listen(1.5)
    desk.host.order(QueuedCommand("end"))
    desk.until(lambda: len(desk.told("boot")) > 1, 60.0)

    assert [event.fields["why"] for event in desk.told("boot")] == ["power", why]


FAST = (("A", True, 0), ("B", True, 1_500), ("A", False, 3_000), ("B", False, 4_500))
"""A cube at 1.3 m/s, faster than the answer to a ping."""


@pytest.mark.parametrize("after_us", [None, 3_000, 6_000, 9_000, 12_000])
def test_a_fast_cube_during_a_busy_turn_is_told_at_once(made, after_us):
    """A fast cube that passes while the board answers a ping is reported at once, not with the next heartbeat."""
    board = made()
    desk = Desk(board).listen(1.55)
    began = board.us(desk.now)
    if after_us is not None:
        board.receive(seal(f"ping h={desk.host.session} id=999"), desk.now)
    board.rig.beams([(beam, on, at + (after_us or 0)) for beam, on, at in FAST], began)
    desk.until(lambda: desk.told("pass"), 2.0)

    assert board.us(desk.heard_at) - began - (after_us or 0) - FAST[-1][2] < 30_000


def test_work_takes_its_time(made):
    """Answering a ping takes about 5 ms, as on an emulated chip, so that delays can be tested."""
    board = made()
    desk = Desk(board).listen(1.55)
    began = board.us(desk.now)
    board.receive(seal(f"ping h={desk.host.session} id=999"), desk.now)
    desk.until(lambda: b" id=999 " in desk.bytes)

    assert 3_000 < board.us(desk.heard_at) - began < 8_000


def test_the_promise_to_allocate_nothing_is_put_to_the_test(made):
    """A program that allocates memory while a cube passes fails, as it would on a board."""
    board = made(main=GREEDY)
    desk = Desk(board).listen(0.5)
    board.rig.slide(board.us(desk.now))

    with pytest.raises(Crashed, match="MemoryError"):
        desk.listen(5.0)


@pytest.mark.parametrize("port", HERE)
def test_a_custom_file_is_asked_by_the_boards_own(made, port):
    """A custom.py adds orders to the emulated board, whose own orders still work."""
    flash = BoardFlash(made().flash.folder)
    (flash.folder / "custom.py").write_text(BLINKS)
    board = made(port=port)
    desk = Desk(board).listen(0.2)

    assert [desk.order("blink"), desk.order("wink"), desk.order("under", n=0, u="red:1")] == ["", "unknown", ""]
    greeting = next(line for line in desk.bytes.decode().split("$") if line.startswith("hello"))
    assert ["+jan" in greeting, "sim=1" in greeting, "can=glmbpsx" in greeting] == [True] * 3


@pytest.mark.parametrize("text", ["this is no Python", "import nothing_of_that_kind", "1 / 0"])
def test_a_mistake_in_a_custom_file_is_shown(made, text):
    """A mistake in custom.py crashes the emulated board, so that the author notices it."""
    flash = BoardFlash(made().flash.folder)
    (flash.folder / "custom.py").write_text(text)
    board = made()

    with pytest.raises(Crashed, match=r"own\.py|nothing_of_that_kind"):
        Desk(board).listen(0.2)


def test_a_flash_with_another_firmware_is_told_from_this_one(made):
    """A flash with an older module counts as another firmware; an owner's file doesn't."""
    flash = made(custom=BLINKS).flash
    assert not flash.other

    manifest = flash.folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"wire/main_loop.mpy": "', '"wire/main_loop.mpy": "0'))

    assert flash.other


def test_a_board_sent_to_its_prompt_says_nothing_more(made):
    """The order `prompt` resets the board, which is then silent until its power is cycled."""
    board = made()
    desk = Desk(board).listen(0.2)
    assert desk.order("prompt") == ""
    desk.listen(1.0)

    assert board.starts == 2
    assert board.due(desk.now) == float("inf")

    board.restart(desk.now)
    desk.listen(2.0)
    assert len(desk.told("boot")) == 2


def test_the_counter_wraps_in_the_midst_of_a_passage(made):
    """If the counter wraps during a passage, its edges keep their distances."""
    board = made()
    desk = Desk(board).listen(0.2)
    board.restart(desk.now, PICO_PERIOD - 2_000_000)
    wraps_at = board.born_us + 2_000_000
    desk.listen(1.6)
    board.rig.slide(board.us(desk.now))
    desk.until(lambda: desk.told("pass"))

    (passage,) = desk.told("pass")
    (deed,) = board.rig.happened
    assert deed.first_us < wraps_at < deed.last_us
    assert passage.fields["us"] == str(deed.last_us - deed.first_us)
    assert abs(passage.at_us - (deed.first_us - board.born_us)) < 20_000


def test_a_host_that_does_not_read_stops_nothing(made):
    """If a host doesn't read, bytes and events wait on the board, and all arrive later."""
    board = made()
    desk = Desk(board).listen(0.5)
    board.reading = False
    for _ in range(3):
        board.rig.slide(board.us(desk.now))
    desk.listen(6.0)
    assert not desk.told("pass")
    board.reading = True
    desk.until(lambda: len(desk.told("pass")) == 3)

    numbers = [event.number for event in desk.events]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.long
@pytest.mark.parametrize("port", HERE)
def test_memory_does_not_grow_while_the_board_lies_idle(made, port):
    """After ten idle minutes of heartbeats and references, the heap is no larger, and below a Pico's."""
    board = made(port=port)
    desk = Desk(board).listen(30.0)
    used = []
    for _ in range(4):
        board.measure()
        desk.listen(150.0)
        used.append(board.memory.used)

    assert max(used) < HEAP if port == "wasm" else board.memory.least_free > 0
    assert used[-1] <= used[0] + 2_000


def test_a_missing_port_says_what_to_run(tmp_path):
    """A missing port is reported with the command to run, and an unknown one is refused."""
    with pytest.raises(InputError, match=r"missing.*get\.sh"):
        command("wasm", tmp_path, tmp_path)
    with pytest.raises(InputError, match="`basic`"):
        command("basic", tmp_path)


def test_a_board_that_is_switched_off_leaves_no_process():
    """A closed board leaves no process."""
    ring = EmulatedRing(IDEAL, Random(1), 0.0)
    pid = ring.board.pid
    ring.close()

    assert ended(pid, 5.0)


def test_a_board_ends_with_us_however_we_end(tmp_path):
    """A board's process ends when ours is killed, even if the board hangs."""
    program = f"""
import sys
from pathlib import Path
from random import Random
sys.path.insert(0, {str(ROOT)!r})
from firmware_bridge.simulation.emulated import EmulatedBoard
from firmware_bridge.simulation.emulated.flash import BoardFlash
from firmware_bridge.simulation.testbench import SimulatedGate
from rungs.wire import Bell
from firmware_bridge.simulation.physics.world import IDEAL
flash = BoardFlash(Path({str(tmp_path)!r}) / "flash")
(flash.folder / "main.py").write_text({ENDLESS!r})
board = EmulatedBoard(SimulatedGate(IDEAL, Random(1)), lambda words, at: 0, flash=flash)
print(board.pid, flush=True)
board.outgoing(1.0)
"""
    ours = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert ours.stdout is not None
    pid = int(ours.stdout.readline())
    ours.send_signal(signal.SIGKILL)
    ours.communicate()

    assert ended(pid, 5.0)


def test_a_board_that_crashed_is_a_lost_wire_and_is_listed() -> None:
    """If the board crashes the host loses the wire, each open gives the reason, and the thread is listed as failed."""
    threads, bell = Supervisor(), Bell()
    board = BoardService(IDEAL, Random(1), "", threads)
    wire = board(bell)
    os.kill(board.pid, signal.SIGKILL)

    with pytest.raises(WireLost, match="is gone"):
        while True:
            wire.read(PATIENCE_S)
    wire.close()
    with pytest.raises(WireLost, match="firmware on the emulated board failed"):
        board(bell)
    board.close()
    bell.close()
    (view,) = threads.views
    assert (view.name, view.state, view.last_error) == ("emulated board", "failed", "Crashed")
