"""An error injected in every read, write, open and callback of the ring's threads: they recover, and lose nothing."""

from __future__ import annotations

import errno
import os
import pty
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from threading import Event

import pytest
import serial

from companion.kernel.supervisor import Supervisor, ThreadState
from companion.ports.ring import Order, RingState
from firmware_bridge import Nominal, Ring, open_ring
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.serving.loop import serve_apart
from firmware_bridge.simulation.virtual import VirtualRing
from firmware_bridge.transport.serial_ports import listed
from rungs.wire import Bell, WireLost, open_wire
from tests.pauses import PATIENCE_S, at_once

SCRIPT = [{"wait_for": "armed"}, {"slide": 4}]
ORDER = Order(17, {"red": 2, "blue": 3})
UNPLUGGED = [
    OSError(errno.EIO, "Input/output error"),
    termios.error(errno.EIO, "Input/output error"),
    TypeError("expected str, bytes or os.PathLike object, not NoneType"),
    ZeroDivisionError("a bug of ours"),
]
BUGS = [ZeroDivisionError("a bug of ours"), SystemExit(1), OSError(errno.EBADF, "Bad file descriptor")]


class Injected:
    """Raises *error* at the call with this number, once."""

    def __init__(self, number: int, error: BaseException) -> None:
        self._left, self._error = number, error
        self.done = False

    def __call__(self) -> None:
        """Count the call, and raise the error if it is its turn."""
        self._left -= 1
        if self._left == 0:
            self.done = True
            raise self._error


def nothing() -> None:
    """Do nothing."""


class Brittle:
    """Opener, wire, listener and judge in one; each may have an injected error."""

    def __init__(self, port, listener, **injected: Callable[[], None]) -> None:
        self._port, self._listener, self._judge = port, listener, Nominal()
        self.injected = injected
        self.open_wires = 0

    def at(self, place: str) -> None:
        """Call the injected error of *place*, if there is one."""
        self.injected.get(place, nothing)()

    def __call__(self, bell):
        """Open the wire."""
        self.at("open")
        wire = self._port(bell)
        self.open_wires += 1
        return BrittleWire(self, wire)

    def heard(self, *events):
        """Pass events to the listener, with an injected error before or after."""
        self.at("hearing")
        self._listener.heard(*events)
        self.at("heard")

    def ring_changed(self, view):
        """Pass the view to the listener."""
        self.at("ring_changed")
        self._listener.ring_changed(view)

    def judge(self, reading, under):
        """Judge a passage."""
        self.at("judge")
        return self._judge.judge(reading, under)


class BrittleWire:
    """A wire with injected errors."""

    def __init__(self, brittle, wire) -> None:
        self._brittle, self._wire, self.name = brittle, wire, wire.name

    def read(self, timeout_s):
        """Read from the wire."""
        self._brittle.at("read")
        return self._wire.read(timeout_s)

    def write(self, data):
        """Write to the wire."""
        self._brittle.at("write")
        self._wire.write(data)

    def close(self):
        """Close the wire."""
        self._wire.close()
        self._brittle.open_wires -= 1
        self._brittle.at("close")


@pytest.fixture
def lived(port, listener) -> Iterator[Callable[..., tuple[Ring, Supervisor, Brittle, list[dict[str, object]]]]]:
    """Return a function that runs a ring through four slides with injected errors.

    That function returns the ring, its threads, its wires and the true results.
    """

    def live(subscriber: Callable[[], None] = nothing, restarts: int = 0, **injected: Callable[[], None]):
        plugged, threads, names = port(SCRIPT), at_once(), count(1)
        brittle = Brittle(plugged, listener, **injected)
        ring = Ring(brittle, brittle, brittle, lambda: f"s{next(names)}", port="port", threads=threads)
        ring.instrument.subscribe(subscriber)
        ring.arm(ORDER)
        ring.start()
        try:
            listener.until(lambda: len(listener.passages()) == 4)
            listener.until(
                lambda: (
                    threads.views[0].restarts == restarts
                    and ring.view.state is RingState.LIVE
                    and not ring.view.trouble
                )
            )
        finally:
            ring.close()
        return ring, threads, brittle, plugged.truth()

    return live


def is_whole(listener, truth: list[dict[str, object]]) -> bool:
    """Return whether every passage was received exactly once, in order, and with its true colour."""
    told = [(event.boot, event.seq, event.judgement.colour) for event in listener.passages()]
    return told == [(each["boot"], each["seq"], each["colour"]) for each in truth]


def sentences(listener) -> list[str]:
    """Return the sentences that the views showed, in order."""
    shown = [view.trouble for view in listener.views]
    return [now for before, now in zip(["", *shown], shown, strict=False) if now and now != before]


@pytest.mark.parametrize("number", [1, 3])
@pytest.mark.parametrize("error", UNPLUGGED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("place", ["open", "read", "write"])
def test_any_error_of_a_wire_is_a_lost_wire(lived, listener, place, error, number):
    """An error while a wire is opened, read or written shows one sentence; after the next open nothing is missing."""
    injected = Injected(number if place != "open" else 1, error)

    _, threads, brittle, truth = lived(**{place: injected})

    assert injected.done
    assert is_whole(listener, truth)
    (shown,) = sentences(listener)
    assert shown.startswith("port can't be opened" if place == "open" else "port is gone")
    assert brittle.open_wires == 0
    assert (threads.views[0].name, threads.views[0].restarts) == ("ring", 0)


@pytest.mark.parametrize("error", UNPLUGGED, ids=lambda error: type(error).__name__)
def test_a_wire_that_cannot_even_be_closed_is_lost(lived, listener, error):
    """An error while a lost wire is closed is logged, and the wire is opened again."""
    closing = Injected(1, error)

    _, threads, _, truth = lived(read=Injected(3, OSError(errno.EIO, "Input/output error")), close=closing)

    assert closing.done
    assert is_whole(listener, truth)
    assert len(sentences(listener)) == 1
    assert threads.views[0].restarts == 0


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("error", BUGS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("place", ["hearing", "heard", "ring_changed", "judge"])
def test_a_bug_in_a_callback_loses_nothing(lived, listener, place, error, number):
    """An exception in a callback is shown once, and unrecorded events are received again."""
    injected = Injected(number, error)

    _, threads, brittle, truth = lived(restarts=1, **{place: injected})

    assert injected.done
    assert is_whole(listener, truth)
    sentence = f"The ring's reader stopped ({type(error).__name__}). It starts again in 1 s."
    assert sentences(listener) == [sentence]
    assert (threads.views[0].restarts, threads.views[0].last_error) == (1, type(error).__name__)
    assert brittle.open_wires == 0


@pytest.mark.parametrize("number", [1, 2])
def test_a_subscriber_of_the_instrument_is_not_the_readers_trouble(lived, listener, number, caplog):
    """An exception in a subscriber of the instrument is logged; the ring's reader continues and shows nothing."""
    injected = Injected(number, ZeroDivisionError("a bug of a page"))

    _, threads, _, truth = lived(subscriber=injected)

    assert injected.done
    assert is_whole(listener, truth)
    assert sentences(listener) == []
    assert threads.views[0].restarts == 0
    assert "a bug of a page" in caplog.text


def test_a_dead_disk_and_a_bug_double_nothing(port, listener):
    """Events that wait for the disk are not received again after an exception, and are acknowledged later."""
    plugged, names, threads = port([{"load": {"red": 2, "blue": 2}}, {"slide": 4}]), count(1), at_once()
    injected = Injected(2, ZeroDivisionError())
    brittle = Brittle(plugged, listener, hearing=injected)
    ring = Ring(brittle, brittle, brittle, lambda: f"s{next(names)}", port="port", threads=threads)
    listener.dead_disk = True
    ring.start()
    listener.until(lambda: len(listener.passages()) == 4 and threads.views[0].restarts == 1)
    listener.dead_disk = False

    listener.until(lambda: ring.view.state is RingState.LIVE and not ring.view.trouble)
    ring.close()

    assert injected.done
    assert is_whole(listener, plugged.truth())


def descriptors() -> set[str]:
    """Return the open files of this process, including pyserial's pipes."""
    found = set[str]()
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(f"{each.name} {each.readlink()}")
    return found


@pytest.fixture
def brittle_urls() -> Iterator[None]:
    """Registers `brittle://` with pyserial."""
    serial.protocol_handler_packages.append("tests.firmware_bridge.brittle_urls")
    yield
    serial.protocol_handler_packages.remove("tests.firmware_bridge.brittle_urls")


@pytest.mark.parametrize("error", ["termios", "type", "os"])
@pytest.mark.parametrize("step", ["tcsetattr", "tcflush", "opened", "fileno"])
def test_a_plug_pulled_while_a_real_port_opens_is_a_lost_wire(step, error, brittle_urls):
    """An error in any step of opening a serial port is shown as a sentence, and no file stays open."""
    device, line = pty.openpty()
    tty.setraw(line)
    url = f"brittle://{os.ttyname(line)}?at={step}&error={error}"
    bell = Bell()
    before = descriptors()

    if (step, error) == ("fileno", "os"):  # a port without a file descriptor is polled
        open_wire(url, bell).close()
    else:
        with pytest.raises(WireLost, match="can't be opened"):
            open_wire(url, bell)

    assert descriptors() == before
    bell.close()
    for end in (device, line):
        os.close(end)


@pytest.mark.parametrize("failures", [1, 2, 3])
def test_a_board_that_disappears_while_ports_are_listed(failures):
    """If pyserial raises a TypeError, ports are listed again; an error that persists is shown as a sentence."""
    left = iter(range(failures))

    def comports():
        if next(left, None) is not None:
            raise TypeError("expected str, bytes or os.PathLike object, not NoneType")
        return []

    if failures < 3:
        assert listed(comports) == []
    else:
        with pytest.raises(WireLost, match="can't be listed now"):
            listed(comports)


def test_a_pulled_plug_of_a_real_port_is_told_and_the_next_one_is_read(listener, tmp_path):
    """A ring recovers although its pseudo-terminal is replaced a hundred times while it is opened."""
    threads, link = at_once(), tmp_path / "ring"
    ring = open_ring(str(link), listener, threads=threads)
    for _ in range(100):
        device, line = pty.openpty()
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(line))
        ring._stir()
        for end in (device, line):
            os.close(end)
    link.unlink()

    world = VirtualRing(IDEAL, Random(1), lambda: "00000001", 0.0)
    device, line = pty.openpty()
    tty.setraw(line)
    link.symlink_to(os.ttyname(line))
    thread = serve_apart(world, device, threads)
    ring._stir()

    listener.until(lambda: ring.view.state is RingState.LIVE)
    ring.close()
    os.close(line)
    thread.join(PATIENCE_S)
    assert next(view for view in threads.views if view.name == "ring").restarts == 0


class BrittleRing:
    """A simulated ring with one injected error."""

    def __init__(self, injected: Callable[[], None]) -> None:
        self._ring = VirtualRing(IDEAL, Random(1), lambda: "00000001", 0.0)
        self._injected = injected

    def __getattr__(self, name: str) -> object:
        if name == "receive":
            self._injected()
        return getattr(self._ring, name)


def test_a_simulated_ring_that_fails_is_plugged_again(listener):
    """An exception in a virtual ring looks like a lost wire to the host; it is listed, and the next open works."""
    import socket

    from rungs.wire import FileWire

    threads = at_once()
    brittle = BrittleRing(Injected(3, ZeroDivisionError("in the simulation")))
    living: list[object] = []

    def opener(bell):
        while living:
            living.pop().join(PATIENCE_S)
        ours, theirs = socket.socketpair()
        living.append(serve_apart(brittle, theirs.detach(), threads))
        return FileWire("mock:", ours.detach(), bell)

    ring = Ring(opener, listener, Nominal(), lambda: "s1", port="mock:", threads=threads).start()

    listener.until(lambda: ring.view.state is RingState.LIVE and ring.view.reconnects == 1)
    ring.close()
    for each in living:
        each.join(PATIENCE_S)
    virtual = next(view for view in threads.views if view.name == "virtual ring")
    assert (virtual.state, virtual.last_error, virtual.restarts) == (ThreadState.ENDED, "ZeroDivisionError", 1)


class BrittleFiles:
    """Files of a capture with an injected error, before or after a line is written."""

    def __init__(self, files, injected: Callable[[], None]) -> None:
        self._files, self._injected = files, injected

    def write(self, lines):
        """Write the lines, or fail in between."""

        def one_by_one():
            for line in lines:
                self._injected()
                yield line

        self._files.write(one_by_one())

    def close(self):
        """Close."""
        self._files.close()


@pytest.mark.parametrize("number", [1, 2, 3, 7])
@pytest.mark.parametrize("error", [ZeroDivisionError("our own"), MemoryError(), SystemExit(1)], ids=repr)
def test_lines_that_wait_are_written_after_an_error(tmp_path, number, error):
    """An exception during a write neither loses nor doubles a line of a capture; its thread restarts and reports it."""
    threads, shown, back = at_once(), list[tuple[str, ...]](), Event()
    threads.subscribe(shown.append)
    threads.subscribe(lambda troubles: None if troubles else back.set())
    capture = CaptureWriter(tmp_path, "companion 9", lambda: 0.0, lambda: 0.0)
    injected = Injected(number, error)
    capture._files = BrittleFiles(capture._files, injected)
    for each in range(10):
        capture.note(f"line {each}")
    capture.start(threads)
    assert back.wait(PATIENCE_S)
    capture.close()

    (file,) = tmp_path.glob("ring-*.log")
    written = [line.rpartition(" ! ")[2] or line for line in file.read_text().splitlines()[1:]]
    assert injected.done
    assert [line.split()[-1] for line in written] == [str(each) for each in range(10)]
    assert shown[0] == (f"Recording the ring stopped ({type(error).__name__}). It starts again in 1 s.",)
    assert capture.lost == 0
    assert threads.troubles == ()
