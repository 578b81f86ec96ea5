"""EDGES: the program of the board's PIO, run cycle by cycle on an emulated PIO (hardware/firmware/ring/edges.py)."""

import ast
import builtins
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from pioemu import State, emulate

SOURCE = Path(__file__).resolve().parents[3] / "hardware" / "firmware" / "ring" / "edges.py"
CYCLES_A_US = 2
TOP = 0xFFFF_FFFF
JMP, IN = 0x0000, 0x4000
ALWAYS, X_DEC, PIN = 0, 2, 6
FROM_X = 1


class Assembler:
    """The PIO assembler's instructions that the program uses, encoded as in the RP2040 datasheet (3.4)."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.lines: list[tuple[int, str]] = []

    def words(self) -> dict[str, object]:
        """Return the names that the program may use."""
        nothing = {"wrap_target": lambda: None, "wrap": lambda: None, "asm_pio": lambda **how: lambda program: program}
        return {**nothing, "label": self.label, "jmp": self.jmp, "in_": self.in_, "x": "x", "x_dec": X_DEC, "pin": PIN}

    def label(self, name: str) -> None:
        """Define a label here."""
        self.labels[name] = len(self.lines)

    def jmp(self, *how: object) -> None:
        """Add a jump to a label, with a condition if there is one."""
        condition = how[0] if len(how) == 2 else ALWAYS
        assert isinstance(condition, int)
        self.lines.append((JMP | condition << 5, str(how[-1])))

    def in_(self, source: str, bits: int) -> None:
        """Add a shift of all bits of x."""
        assert (source, bits) == ("x", 32)
        self.lines.append((IN | FROM_X << 5, ""))

    def opcodes(self) -> list[int]:
        """Return the assembled program."""
        return [code | self.labels.get(to, 0) for code, to in self.lines]


def program() -> list[int]:
    """Return the firmware's own program, assembled."""
    tree = ast.parse(SOURCE.read_text())
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "edges"]
    assembler = Assembler()
    words = assembler.words()
    exec(compile(ast.Module([function], []), str(SOURCE), "exec"), words)  # noqa: S102  # our own file
    words["edges"]()  # type: ignore[operator]
    return assembler.opcodes()


def caught(changes: Sequence[int], until: int, start: int = TOP) -> list[int]:
    """Return the counted times of pin changes at *changes* (cycles), in microseconds since the counter's start.

    As the board's DMA does, each count is read as soon as it is there.
    """

    def pins(at: int) -> int:
        return bisect_right(changes, at) & 1

    counted = []
    start_state = State(x_register=start)
    run = emulate(
        program(),
        stop_when=lambda _, state: state.clock >= until,
        initial_state=start_state,
        input_source=pins,
        auto_push=True,
        jmp_pin=0,
    )
    for _, state in run:
        while state.receive_fifo:
            counted.append((start - state.receive_fifo.popleft()) & TOP)
    return counted


def test_the_program_fits_and_is_what_is_tested():
    """The program has ten instructions, of 32 that fit."""
    assert len(program()) == 10


@pytest.mark.parametrize("offset", range(6))
def test_an_edge_is_counted_in_microseconds(offset):
    """An edge at any point of the program's loop is counted within 1.5 microseconds."""
    changes = [1000 + offset, 3001 + offset]

    found = caught(changes, 5000)

    assert len(found) == 2
    assert all(abs(us - at / CYCLES_A_US) <= 1.5 for us, at in zip(found, changes, strict=True))


def test_the_counter_stays_true_over_many_edges():
    """After five hundred edges the counter's error is no larger than after one edge."""
    lots = Random(4)
    changes = list(accumulate(lots.randrange(6, 40) for _ in range(500)))

    found = caught(changes, changes[-1] + 20)

    assert len(found) == len(changes)
    assert max(abs(us - at / CYCLES_A_US) for us, at in zip(found, changes, strict=True)) <= 2.5


def test_a_counter_that_begins_anew_is_no_edge():
    """When the counter wraps after 71 minutes, no edge is counted."""
    assert caught([400], 600, start=100) == [pytest.approx(200, abs=2)]


def test_a_beam_blocked_from_the_start_is_an_edge():
    """A beam that is blocked when the board starts is counted at once."""
    assert caught([0], 100)[0] <= 2


def test_a_blink_of_two_microseconds_is_seen():
    """A blink of two microseconds, shorter than any filter of the passages, is counted."""
    assert len(caught([1000, 1004], 2000)) == 2


class Bench:
    """Replaces the modules that `ring/edges.py` imports, with two ring buffers to which the test writes."""

    def __init__(self, now: int = 1_000) -> None:
        self.now = now
        self.started = now
        self.memory: dict[int, int] = {}
        self.writers: list[Writer] = []
        self.on_look: Callable[[int], None] = lambda beam: None
        self.mem32 = self.memory
        self.Pin = object

    def ticks_us(self) -> int:
        """Return the board's counter."""
        return self.now & (1 << 30) - 1

    def addressof(self, room: bytearray) -> int:
        """Return an address that isn't aligned, as the ring buffer's may not be."""
        return 0x2000_0104 + 0x1000 * len(self.writers)

    def asm_pio(self, **how: object) -> Callable[[object], object]:
        """Return the program unchanged."""
        return lambda program: program

    def StateMachine(self, number: int, program: object, **how: object) -> SimpleNamespace:
        """Return a state machine that does nothing."""
        return SimpleNamespace(exec=lambda instruction: None)

    def DMA(self) -> "Writer":
        """Return a DMA channel for a machine's counts."""
        self.writers.append(Writer(self, len(self.writers)))
        return self.writers[-1]

    def edge(self, beam: int, at: int) -> None:
        """Change *beam* at *at*."""
        self.writers[beam].put(at - self.started)

    def edges(self) -> Any:
        """Return the firmware's class, with its imports replaced by this bench."""
        builtins_here = {**vars(builtins), "__import__": lambda *names: self}
        names: dict[str, Any] = {"__builtins__": builtins_here, "__name__": "ring.edges"}
        exec(compile(SOURCE.read_text(), str(SOURCE), "exec"), names)  # noqa: S102  # our own file
        return names["Edges"](SimpleNamespace(value=int), SimpleNamespace(value=int))


class Writer:
    """One DMA channel, with its write position."""

    def __init__(self, bench: Bench, beam: int) -> None:
        self._bench = bench
        self._beam = beam
        self._begin = self._next = 0

    def pack_ctrl(self, ring_size: int, **how: object) -> int:
        """Store the size of the ring buffer."""
        self._bytes = 1 << ring_size
        return 0

    def config(self, write: int, **how: object) -> None:
        """Start writing at this address."""
        assert write % self._bytes == 0
        self._begin = self._next = write

    def put(self, counted: int) -> None:
        """Write one count."""
        self._bench.memory[self._next] = ~counted & TOP
        self._next = self._begin + (self._next + 4 - self._begin) % self._bytes

    @property
    def write(self) -> int:
        """Return the write position; the bench may add edges just before."""
        self._bench.on_look(self._beam)
        return self._next


def test_edges_of_both_beams_come_in_order_and_turn_by_turn():
    """Edges have a beam, a state and a counter, arrive once and in order, and the ring buffers wrap around."""
    bench = Bench()
    edges = bench.edges()
    told = []
    for n in range(100):
        bench.edge(0, 2_000 + 100 * n)
        bench.edge(1, 2_050 + 100 * n)
        bench.now = 2_060 + 100 * n
        told += edges.taken()

    assert told == [
        each for n in range(100) for each in (("A", n % 2 == 0, 2_000 + 100 * n), ("B", n % 2 == 0, 2_050 + 100 * n))
    ]


@pytest.mark.parametrize("looked_at", [0, 1])
def test_edges_that_come_while_they_are_read_keep_their_order(looked_at):
    """Edges that come while the buffers are read keep their order across both beams."""
    bench = Bench()
    edges = bench.edges()

    def both(beam: int) -> None:
        if beam == looked_at and bench.now == 3_000:
            for first, second in ((0, 1), (1, 0)):
                bench.edge(first, bench.now + 10)
                bench.edge(second, bench.now + 20)
                bench.now += 30

    bench.on_look = both
    bench.now = 3_000
    told = edges.taken()
    bench.now = 4_000
    told += edges.taken()

    assert [(beam, at) for beam, _, at in told] == [("A", 3_010), ("B", 3_020), ("B", 3_040), ("A", 3_050)]


@pytest.mark.parametrize("beam", [0, 1])
def test_edges_that_nobody_has_taken_wait(beam):
    """Waiting edges are kept until they are read, even if the pin is back at its level."""
    bench = Bench()
    edges = bench.edges()
    assert not edges.wait()

    bench.edge(beam, 2_000)
    bench.edge(beam, 2_003)
    bench.now = 3_000

    assert edges.wait()
    edges.taken()
    assert not edges.wait()


def test_more_edges_than_have_room_lose_the_oldest_and_no_beam_its_side():
    """If a buffer overflows, the oldest edges are lost, but the beam's state is still right."""
    bench = Bench()
    edges = bench.edges()
    for n in range(151):
        bench.edge(0, 2_000 + n)
    bench.now = 3_000
    told = edges.taken()

    assert len(told) == 151 - 2 * 64
    assert told[-1] == ("A", True, 2_150)
