"""Simulated devices: a model with simulated time, and a process that creates its own port."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from rungs.rung import Missing, Unable
from rungs.simulated import MOST_UNREAD, ModelRung, ScriptedRung
from rungs.wire import WireLost

WITHIN_S = 10.0


class Clock:
    """A model that sends the number of each second that has passed."""

    def __init__(self) -> None:
        self.next_s = 1.0
        self.heard = b""

    def receive(self, data: bytes, now: float) -> None:
        self.heard += data

    def outgoing(self, now: float) -> bytes:
        said = b""
        while self.next_s <= now:
            said += b"%d\n" % self.next_s
            self.next_s += 1.0
        return said

    def due(self, now: float) -> float:
        return self.next_s


def test_time_passes_while_somebody_waits() -> None:
    """A model's read ends with the next bytes; bytes from a time without reads come with the next read."""
    rung = ModelRung(Clock())
    wire = rung.wire()

    assert (wire.read(5.0), rung.now()) == (b"1\n", 1.0)
    rung.wait(2.0)
    assert wire.read(0.0) == b"2\n3\n"
    assert wire.read(0.1) == b""
    assert rung.now() == 3.1


def test_a_wire_is_lost_when_the_plug_is_pulled() -> None:
    """Unplugging a model loses a wire permanently; another wire can be opened after plugging in again."""
    rung = ModelRung(Clock())
    wire = rung.wire()

    rung.unplug(1.0)

    with pytest.raises(WireLost, match="was unplugged"):
        wire.read(0.1)
    with pytest.raises(WireLost, match="is unplugged"):
        rung.wire()
    rung.wait(1.0)
    rung.wire().write(b"again")
    assert rung.model.heard == b"again"


def test_a_port_that_nobody_reads_is_full_in_the_end() -> None:
    """When a port's buffer is full, the model is not asked for more bytes until somebody reads."""
    rung = ModelRung(Clock())
    rung.model.outgoing = lambda now: b"x" * 1000
    wire = rung.wire()

    rung.wait(100.0)

    assert MOST_UNREAD < len(wire.read(0.0)) <= MOST_UNREAD + 2000
    assert rung.now() == 100.0


def test_a_model_that_is_none_is_one_sentence() -> None:
    """A model that lacks a method is refused, and so is a `receive` that returns bytes."""
    rung = ModelRung(Clock())
    rung.model.receive = lambda data, now: b"OK"

    with pytest.raises(Missing, match="str is no model: it has no receive, outgoing, due"):
        ModelRung("model")
    with pytest.raises(TypeError, match="`receive` returned b'OK': what a model sends comes from `outgoing`"):
        rung.wire().write(b"a")
    with pytest.raises(Unable, match="ModelRung can't press"):
        rung.do("press")


DEVICE = """
import os, pty, sys
ours, theirs = pty.openpty()
os.symlink(os.ttyname(theirs), sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    if line.startswith("fail"):
        print("It has failed.", file=sys.stderr, flush=True)
    os.write(ours, line.encode())
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[ScriptedRung]:
    """A process that writes each line of its standard input to its port."""
    complaints = tmp_path / "stderr"
    with complaints.open("w") as errors:
        command = [sys.executable, "-c", DEVICE, str(tmp_path / "port")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors, "text": True}
        rung = ScriptedRung(subprocess.Popen(command, **pipes), tmp_path / "port", complaints)
    yield rung
    rung.close()


def line_of(wire) -> bytes:
    """Read a line."""
    heard, until = b"", monotonic() + WITHIN_S
    while b"\n" not in heard and monotonic() < until:
        heard += wire.read(0.1)
    return heard.replace(b"\r", b"")


def test_the_hand_at_a_process_is_told(scripted: ScriptedRung) -> None:
    """A line on a process's standard input stands for a person's action, and its port is at the given path."""
    wire = scripted.wire()

    scripted.tell("press")

    assert line_of(wire) == b"press\n"
    wire.close()
    scripted.restore()


def test_what_a_process_complains_of_breaks_the_promise(scripted: ScriptedRung) -> None:
    """If the process writes to standard error, restoring it fails with that text."""
    wire = scripted.wire()
    scripted.tell("fail")
    line_of(wire)
    wire.close()

    with pytest.raises(AssertionError, match=r"It has failed\."):
        scripted.restore()


def test_a_process_that_ends_at_once_is_missing(tmp_path: Path) -> None:
    """A process that ends at once raises `Missing`, with its last output in the error."""
    complaints = tmp_path / "stderr"
    with complaints.open("w") as errors, pytest.raises(Missing, match="No such device"):
        command = [sys.executable, "-c", "import sys; sys.exit('No such device.')"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors, "text": True}
        with subprocess.Popen(command, **pipes) as process:
            ScriptedRung(process, tmp_path / "port", complaints)
