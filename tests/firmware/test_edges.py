"""EDGES: the program of the board's PIO, run cycle by cycle on an emulated PIO (hardware/firmware/ring/edges.py)."""

import ast
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random

import pytest
from pioemu import State, emulate

SOURCE = Path(__file__).resolve().parents[2] / "hardware" / "firmware" / "ring" / "edges.py"
CYCLES_A_US = 2
TOP = 0xFFFF_FFFF
JMP, IN = 0x0000, 0x4000
ALWAYS, X_DEC, PIN = 0, 2, 6
FROM_X = 1


class Assembler:
    """The few words of the PIO's assembler that the program uses, as the RP2040 datasheet encodes them (3.4)."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        self.lines: list[tuple[int, str]] = []

    def words(self) -> dict[str, object]:
        """What the program may say."""
        nothing = {"wrap_target": lambda: None, "wrap": lambda: None, "asm_pio": lambda **how: lambda program: program}
        return {**nothing, "label": self.label, "jmp": self.jmp, "in_": self.in_, "x": "x", "x_dec": X_DEC, "pin": PIN}

    def label(self, name: str) -> None:
        """Name this place."""
        self.labels[name] = len(self.lines)

    def jmp(self, *how: object) -> None:
        """Jump to the place named last, under a condition if there is one."""
        condition = how[0] if len(how) == 2 else ALWAYS
        assert isinstance(condition, int)
        self.lines.append((JMP | condition << 5, str(how[-1])))

    def in_(self, source: str, bits: int) -> None:
        """Shift in all of x."""
        assert (source, bits) == ("x", 32)
        self.lines.append((IN | FROM_X << 5, ""))

    def opcodes(self) -> list[int]:
        """The program."""
        return [code | self.labels.get(to, 0) for code, to in self.lines]


def program() -> list[int]:
    """The firmware's own program, assembled."""
    tree = ast.parse(SOURCE.read_text())
    (function,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "edges"]
    assembler = Assembler()
    words = assembler.words()
    exec(compile(ast.Module([function], []), str(SOURCE), "exec"), words)  # noqa: S102  # our own file
    words["edges"]()  # type: ignore[operator]
    return assembler.opcodes()


def caught(changes: Sequence[int], until: int, start: int = TOP) -> list[int]:
    """What is counted when the pin changes at each of *changes* (cycles), in microseconds since the counter's start.

    As the DMA does on the board, each count is carried off as soon as it is there.
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
    """Ten instructions of the thirty-two that there is room for."""
    assert len(program()) == 10


@pytest.mark.parametrize("offset", range(6))
def test_an_edge_is_counted_in_microseconds(offset):
    """Whenever it comes within a turn of the program, it is told to within a microsecond and a half."""
    changes = [1000 + offset, 3001 + offset]

    found = caught(changes, 5000)

    assert len(found) == 2
    assert all(abs(us - at / CYCLES_A_US) <= 1.5 for us, at in zip(found, changes, strict=True))


def test_the_counter_stays_true_over_many_edges():
    """No edge costs time: after five hundred of them the counter is off by no more than after one."""
    lots = Random(4)
    changes = list(accumulate(lots.randrange(6, 40) for _ in range(500)))

    found = caught(changes, changes[-1] + 20)

    assert len(found) == len(changes)
    assert max(abs(us - at / CYCLES_A_US) for us, at in zip(found, changes, strict=True)) <= 2.5


def test_a_counter_that_begins_anew_is_no_edge():
    """After 71 minutes it wraps, and nothing else happens."""
    assert caught([400], 600, start=100) == [pytest.approx(200, abs=2)]


def test_a_beam_blocked_from_the_start_is_an_edge():
    """A cube that sits in the gate when the board starts is told at once."""
    assert caught([0], 100)[0] <= 2


def test_a_blink_of_two_microseconds_is_seen():
    """Shorter than any filter of the passages."""
    assert len(caught([1000, 1004], 2000)) == 2
