"""Addresses of rings: our own schemes, refusals in one sentence, and one reader per port."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import tty
from contextlib import suppress
from pathlib import Path

import pytest

from companion.ports.ring import Order, RingState
from firmware_bridge import InputError, NoRing, Ring, open_ring
from firmware_bridge.device.framing import seal


@pytest.fixture
def opened():
    """Rings that are closed after the test."""
    rings = []
    yield rings
    for ring in rings:
        ring.close()


def test_no_ring_is_a_ring_port_too(listener):
    """`none` is a ring that can't be armed, and its view says that there is no ring."""
    ring = open_ring("none", listener)
    ring.arm(Order(1, {}))
    ring.disarm()
    ring.slide()
    ring.close()

    assert isinstance(ring, NoRing)
    assert ring.view.state is RingState.NONE


@pytest.mark.parametrize(
    "url", ["mock:x", "mock:?seed=-1", "mock:?seed=x", "mock:?sead=1", "mock:?sensor=eye", "mock:?world=/no/such"]
)
def test_a_mock_address_with_anything_odd_is_refused(listener, url):
    """An invalid mock address or file is refused with one sentence."""
    with pytest.raises(InputError, match=r"mock:|/no/such"):
        open_ring(url, listener)


@pytest.mark.parametrize("url", ["bogus:", "emulatd:?seed=1", "mok:"])
def test_a_kind_of_ring_that_there_is_not_is_bad_input(url, listener):
    """An unknown kind of ring is refused at once, not waited for like a missing port."""
    with pytest.raises(InputError, match=re.escape(url) + ": no such kind of ring"):
        open_ring(url, listener)


def test_an_unknown_scheme_is_refused(listener):
    """An unknown scheme is refused with pyserial's sentence and the address."""
    with pytest.raises(InputError, match="telepathy://x"):
        open_ring("telepathy://x", listener)


@pytest.mark.parametrize(
    "url", ["emulated:x", "emulated:?seed=-1", "emulated:?port=x", "emulated:?sensor=", "emulated:?world=/no/such"]
)
def test_an_emulated_address_with_anything_odd_is_refused(listener, url):
    """An invalid emulated address, port or file is refused with one sentence."""
    with pytest.raises(InputError, match=r"emulated:|`x`|/no/such"):
        open_ring(url, listener)


def test_a_mock_with_a_seed_draws_the_same_again(listener, opened):
    """With the same seed a mock draws the same cubes, but its boot is never the same."""
    drawn = []
    for _ in range(2):
        ring = open_ring("mock:?seed=5", listener)
        opened.append(ring)
        ring.arm(Order(1, {"red": 4, "blue": 4, "green": 4}))
        listener.until(lambda ring=ring: ring.view.armed == 1)
        before = len(listener.passages())
        for _ in range(6):
            ring.slide()
        listener.until(lambda before=before: len(listener.passages()) == before + 6)
        drawn.append([event.judgement.colour for event in listener.passages()[before:]])

    assert drawn[0] == drawn[1]
    assert len({event.boot for event in listener.passages()}) == 2


def test_a_port_that_is_not_there_is_looked_for(listener, opened, tmp_path):
    """A missing port is not an error: the view says that the program is searching for it."""
    opened.append(open_ring(str(tmp_path / "ring"), listener))

    listener.until(lambda: "is it plugged in?" in opened[0].view.trouble)
    assert opened[0].view.state is RingState.SEARCHING


@pytest.mark.parametrize("form", ["{}", "alt://{}?class=PosixPollSerial"])
def test_a_port_has_one_reader_only(listener, opened, ring_command, tmp_path, form):
    """A second program that opens the same port, by any of its names, gets a refusal and no data."""
    ring_command("mock", "--pty", tmp_path / "ring").stdout.readline()
    opened.append(open_ring(str(tmp_path / "ring"), listener))
    listener.until(lambda: opened[0].view.state is RingState.LIVE)

    second = type(listener)()
    opened.append(open_ring(form.format(tmp_path / "ring"), second))

    second.until(lambda: "Another program is using" in opened[1].view.trouble)
    assert opened[0].view.state is RingState.LIVE


def test_a_ring_that_falls_silent_is_shown_as_silent(listener, opened, ring_command, tmp_path):
    """Without a heartbeat for 2.5 s the ring is silent, and live again with the next one."""
    process = ring_command("mock", "--pty", tmp_path / "ring")
    process.stdout.readline()
    opened.append(open_ring(str(tmp_path / "ring"), listener))
    listener.until(lambda: opened[0].view.state is RingState.LIVE)

    process.send_signal(signal.SIGSTOP)
    listener.until(lambda: opened[0].view.state is RingState.SILENT)
    assert "has been silent" in opened[0].view.trouble

    process.send_signal(signal.SIGCONT)
    listener.until(lambda: opened[0].view.state is RingState.LIVE)
    assert opened[0].view.trouble == ""


def test_a_ring_of_another_version_is_refused_on_a_real_line(listener, opened):
    """With another protocol version the view says what to update, and nothing is armed."""
    device, line = pty.openpty()
    tty.setraw(line)
    opened.append(open_ring(os.ttyname(line), listener))
    os.read(device, 100)
    os.write(device, seal("hello v=9 mood=new"))

    listener.until(lambda: opened[0].view.state is RingState.REFUSED)

    assert "Update the companion" in opened[0].view.trouble
    assert opened[0].view.protocol == 9
    opened[0].close()
    for end in (device, line):
        with suppress(OSError):
            os.close(end)


def test_a_reader_that_dies_is_seen(listener, opened):
    """An exception in the reader is shown, with the time of its restart."""

    class Broken(type(listener)):
        def heard(self, *events):
            raise ZeroDivisionError("our own fault")

    broken = Broken()
    opened.append(open_ring("mock:", broken))

    broken.until(lambda: "reader stopped (ZeroDivisionError). It starts again in" in opened[0].view.trouble)


def test_an_address_of_pyserial_s_own_is_polled(listener, opened):
    """`loop://` of pyserial is polled; it only echoes, so that no ring answers."""
    opened.append(open_ring("loop://", listener))

    listener.until(lambda: "No ring answers" in opened[0].view.trouble)
    assert isinstance(opened[0], Ring)


def test_an_address_that_looks_for_its_port_goes_on_looking(listener, opened):
    """`hwgrep://` searches for a port by its description until there is one."""
    opened.append(open_ring("hwgrep://no such board", listener))

    listener.until(lambda: "can't be opened" in opened[0].view.trouble)
    assert opened[0].view.state is RingState.SEARCHING


def test_an_evening_without_a_serial_port_loads_no_serial_library():
    """Without a serial port, the serial library isn't imported, since that takes time on a small computer."""
    heavy = {"serial", "tomllib", "firmware_bridge.simulation.virtual"}
    program = f"import sys, firmware_bridge; print(sorted({heavy} & set(sys.modules)))"
    root = Path(__file__).resolve().parents[3]
    told = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
