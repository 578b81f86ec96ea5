"""The mutable object for one ring, and the thread that reads it."""

from __future__ import annotations

import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import count
from pathlib import Path
from types import MappingProxyType

from companion.kernel.fault_log import log_fault
from companion.kernel.supervisor import Supervisor, Thread
from companion.ports.calibration import Instrument
from companion.ports.ring import Order, RingListener, RingState, RingView
from firmware_bridge.calibration.service import CalibrationService
from firmware_bridge.capture.files import captures as captured
from firmware_bridge.capture.writer import program
from firmware_bridge.client.arm_sync import ArmSync
from firmware_bridge.client.dispatcher import Delivery, Dispatcher, together
from firmware_bridge.client.status import StatusPublisher, missing, no_answer, reader_stopped, silent
from firmware_bridge.colour import Judge
from firmware_bridge.colour.channels import NOMINAL
from firmware_bridge.device.codec import VERSION
from firmware_bridge.kernel.errors import why_lost
from firmware_bridge.passages.passage import NO_GAME
from firmware_bridge.protocol.connection import Connection, Standpoint
from firmware_bridge.protocol.messages import Event, Hello
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.protocol.timeouts import BACK_OFF_S, REOPEN_S
from rungs.wire import Bell, Wire, WireLost, losing, opening

# Builds a diagnostics bundle: facts, versions and the newest captures of a ring. It contains no secrets.

MOST_BYTES = 4_000_000  # of captures in a bundle; older captures are cut


def bundle(captures: Path | None, facts: Mapping[str, object], most: int = MOST_BYTES) -> dict[str, bytes]:
    """Return the files of a bundle by name: *facts*, versions, and up to *most* bytes of the newest captures.

    *facts* may contain anything that JSON supports, and dataclasses. Other objects appear as their `repr`.
    For a capture that cannot be read, a file `NAME.unreadable` contains the reason.
    """
    files = {"facts.json": _json(facts), "versions.json": _json(versions())}
    room = most
    for path in reversed(captured(captures) if captures else []):
        if room <= 0:
            break
        try:
            content, whole = tail(path, room)
        except OSError as fault:
            files[f"captures/{path.name}.unreadable"] = str(fault.strerror or fault).encode()
            continue
        files[f"captures/{path.name}"] = content
        room = room - len(content) if whole else 0
    return files


def versions() -> dict[str, object]:
    """Return the versions of the program, the protocol, Python and this machine."""
    return {
        "program": program(),
        "protocol": VERSION,
        "python": sys.version,
        "platform": platform.platform(),
        "machine": platform.machine(),
    }


def tail(path: Path, most: int) -> tuple[bytes, bool]:
    """Return the first line and as many of the last lines as fit, and whether the whole file fits.

    The result has at most *most* bytes.
    """
    with path.open("rb") as file:
        first = file.readline(most)
        rest = file.read()
    if len(first) + len(rest) <= most:
        return first + rest, True
    ending = rest[-(most - len(first)) :] if most > len(first) else b""
    return first + ending[ending.find(b"\n") + 1 :], False


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, default=_plain).encode()


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    return dict(value) if isinstance(value, Mapping) else repr(value)


DUMP_S = 10.0  # how often the host requests a status dump
GLANCE_S = 0.5  # how often the reader checks for silence
PAGES_FIRST_S = 0.002  # how long the view waits after a passage, so that the draw reaches the pages first

Opener = Callable[[Bell], Wire]


class Ring:
    """A ring on a wire. Its own thread reads the wire until the ring is closed, and reconnects when the wire is lost.

    Any error while opening or using the wire counts as a lost wire: the view shows the error, and the next attempt
    follows after a pause. After a bug of ours, *threads* (the supervisor) restarts the reader, and the device sends all
    uncommitted events again.

    Every event is passed to *listener* in order, and acknowledged when the listener returns. *opener*
    opens the wire. *names* returns a new session name each time, so that late lines of an earlier
    connection are ignored.

    A subclass that captures the traffic sets *captures* to its folder. *about* holds further facts
    for the diagnostics bundle. `close` calls *afterwards* when the wire will not be opened again, to release the
    resources behind the wire.
    """

    captures: Path | None = None
    about: Mapping[str, object] = MappingProxyType({})
    afterwards: Callable[[], None] | None = None

    def __init__(
        self,
        opener: Opener,
        listener: RingListener,
        judge: Judge,
        names: Callable[[], str],
        now: Callable[[], float] = time.monotonic,
        port: str = "",
        known: Collection[str] = NOMINAL,
        threads: Supervisor | None = None,
    ) -> None:
        self._opener = opener
        self._now = now
        self._port = port
        # Guards _link and _arm_sync. Held only briefly, and never while a listener is called: the listener may call
        # `arm` from the reader thread.
        self._lock = threading.Lock()
        self._link = Connection(names)
        self._arm_sync = ArmSync(self._link, known)
        self._bell = Bell()
        # This event interrupts the pause before the next attempt to open the wire. (The bell interrupts a read.)
        self._stirred = threading.Event()
        self._closing = threading.Event()
        self._dump_at = float("-inf")
        self._instrument = CalibrationService(judge, wizard_tokens(), self._look, self._deal, self._packed, self._stir)
        self._delivery = Delivery(listener, self._recorded)
        self._status = StatusPublisher(listener, self._link, now, port, lambda: self._instrument.news)
        self._dispatcher = Dispatcher(
            self._link, self._arm_sync, self._lock, self._instrument, self._delivery, self._status, now
        )
        self._threads = threads or Supervisor()
        self._thread: Thread | None = None
        self._logged = ""  # the last unexpected error of the wire, until the ring is live again

    def __repr__(self) -> str:
        """Return the ring's address, state and trouble."""
        return f"<ring at {self._port}, {self.view.state}, {self.view.trouble or 'all is well'}>"

    def start(self) -> Ring:
        """Start the reader thread; return the ring."""
        self._thread = self._threads.start("ring", self._keep_reading, failed=self._begin_again)
        return self

    @property
    def view(self) -> RingView:
        """The ring's current view."""
        return self._status.view

    @property
    def instrument(self) -> Instrument:
        """The ring's calibration and references."""
        return self._instrument

    @property
    def hello(self) -> Hello | None:
        """The device's last hello, or None before the first."""
        return self._link.hello

    def arm(self, order: Order) -> None:
        """Arm the device, so that passages carry the token of *order*.

        It stays armed across reconnects until it is disarmed.
        """
        with self._lock:
            self._arm_sync.want(order)
        self._wake()

    def disarm(self) -> None:
        """Disarm the device, so that passages carry no token."""
        with self._lock:
            self._arm_sync.want(None)
        self._wake()

    def slide(self, colour: str = "") -> None:
        """Have a simulated ring let one station out, if possible of the given *colour*. A real ring ignores this."""
        with self._lock:
            if self._link.standpoint is Standpoint.LIVE and self._arm_sync.simulated:
                self._link.order(QueuedCommand("slide", (("out", colour),) if colour else ()))
        self._wake()

    def lamp(self, colour: str) -> None:
        """Light the ring's lamp in *colour* (six hexadecimal digits), if it has one."""
        self._order(QueuedCommand("lamp", (("rgb", colour),)))

    def beep(self, hz: int, ms: int) -> None:
        """Sound the ring's beeper, if it has one."""
        self._order(QueuedCommand("beep", (("hz", hz), ("ms", ms))))

    def configure(self, setting: str, value: int) -> None:
        """Change one of the device's settings."""
        self._order(QueuedCommand("set", ((setting, value),)))

    def complain(self, sentence: str) -> None:
        """Show *sentence* as the trouble until an order is carried out. Only the reader thread may use it."""
        self._status.complain(sentence)

    def close(self) -> None:
        """Stop reading and close the wire. It may be called twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._stir()
        if self._thread is not None:
            self._thread.end()
        # Closed after the join, because the reader waits on the bell until then.
        self._bell.close()
        if self.afterwards is not None:
            self.afterwards()

    def _order(self, order: QueuedCommand) -> bool:
        with self._lock:
            live = self._link.standpoint is Standpoint.LIVE
            if live:
                self._link.order(order)
        self._wake()
        return live

    def _look(self, reference: str) -> bool:
        return self._order(QueuedCommand("look", (("what", reference),)))

    def _deal(self, colours: Sequence[str]) -> None:
        with self._lock:
            self._arm_sync.deal(colours)

    def _packed(self, facts: Mapping[str, object]) -> Mapping[str, bytes]:
        from firmware_bridge.client.ring import bundle  # imported late: most games never build a bundle

        return bundle(self.captures, {**facts, **self.about, "view": self.view})

    def _stir(self) -> None:
        """Interrupt the reader's wait or pause, because there is news or the ring is closing."""
        self._stirred.set()
        self._wake()

    def _wake(self) -> None:
        """Have the reader write the bytes that are due.

        The reader thread doesn't need this, because it writes after every step.
        """
        if self._thread is None or not self._thread.is_current:
            self._bell.ring()

    def _begin_again(self, fault: BaseException, pause_s: float) -> None:
        """Show a bug of ours, and have the device resend the events that the reader may have lost."""
        with self._lock:
            self._link.rewind(self._delivery.newest_waiting)
        self._dispatcher.begin_again()
        unknown = {"armed": 0, "gate_open": None, "lifted": None}
        self._status.show(state=RingState.SILENT, trouble=reader_stopped(fault, pause_s), **unknown)

    def _keep_reading(self) -> None:
        failures = 0
        while not self._closing.is_set():
            try:
                self._read_a_wire()
                failures = 0
            except WireLost as fault:
                self._log(fault)
                # The ring was live a moment ago and may be back at once, so the pauses start short again.
                failures = 1 if self.view.state is RingState.LIVE else failures + 1
                self._status.show(
                    state=RingState.SEARCHING, trouble=why_lost(fault), armed=0, gate_open=None, lifted=None
                )
            self._stirred.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])
            self._freshen()

    def _read_a_wire(self) -> None:
        with opening(self._port):
            wire = self._opener(self._bell)
        try:
            self._converse(wire)
        finally:
            try:
                wire.close()
            except Exception as fault:  # the wire is lost anyway, and the next one will be opened
                log_fault(f"{wire.name} can't be closed: {fault!r}", fault)
            self._dispatcher.remember()

    def _log(self, lost: WireLost) -> None:
        """Log an unexpected error of the wire, because it may be our bug.

        It is logged once, and again only after the ring was live in between.
        """
        if self.view.state is RingState.LIVE:
            self._logged = ""
        fault = lost.unexpected
        if fault is not None and self._logged != repr(fault):
            self._logged = repr(fault)
            log_fault(f"the wire to {self._port} was lost by an unexpected error: {fault!r}", fault)

    def _converse(self, wire: Wire) -> None:
        """Read *wire* until it is lost, silent for `REOPEN_S`, or the ring is closed."""
        self._link.connected(self._now())
        self._status.show(port=wire.name, reconnects=self.view.reconnects + (1 if self.view.device else 0))
        while not self._closing.is_set():
            self._write(wire)
            with self._lock:
                due = self._link.due(self._now())
            glance = PAGES_FIRST_S if self._dispatcher.unshown else GLANCE_S
            soonest = min(due, self._delivery.retry_at, self._now() + glance)
            with losing(wire.name):
                data = wire.read(soonest - self._now())
            self._hear(data, wire)
            self._attend(self._now())
            if self._now() - self._link.received_at > REOPEN_S:
                raise WireLost(no_answer(wire.name))

    def _hear(self, data: bytes, wire: Wire) -> None:
        self._dispatcher.remember()
        if not data:
            return
        with self._lock:
            # The lock covers only this call: a listener that gets these events may arm the ring.
            messages = self._link.receive(data, self._now())
        lost: WireLost | None = None
        for each in together(messages):
            self._dispatcher.remember()
            self._dispatcher.hear(each)
            lost = self._lost(wire) or lost
        if lost:
            raise lost

    def _lost(self, wire: Wire) -> WireLost | None:
        """Write the bytes that are due.

        Return `WireLost` instead of raising it: events that were received must be handled first.
        """
        try:
            self._write(wire)
        except WireLost as fault:
            return fault
        return None

    def _write(self, wire: Wire) -> None:
        with self._lock:
            data = self._link.outgoing(self._now())
        if data:
            with losing(wire.name):
                wire.write(data)

    def _attend(self, now: float) -> None:
        """Do what is due at *now*: detect silence, retry commits, update counters, publish the instrument's news."""
        self._freshen()
        self._ask_how_it_is(now)
        if now >= self._delivery.retry_at:
            self._delivery.retry(now)
        if self._link.standpoint is Standpoint.LIVE:
            quiet = self._link.silent(now)
            state = RingState.SILENT if quiet else RingState.LIVE
            if state is not self.view.state:
                self._status.show(state=state, trouble=silent(now - self._link.received_at) if quiet else "")
            self._status.miss(missing(self._link.missing(now)))
        elif self._link.standpoint is Standpoint.ASKING and self._link.silent(now):
            self._status.show(state=RingState.SEARCHING, trouble=no_answer(self.view.port))
        self._status.refresh(now)

    def _freshen(self) -> None:
        self._stirred.clear()
        self._status.freshen()

    def _ask_how_it_is(self, now: float) -> None:
        """Request a status dump every `DUMP_S`."""
        if now >= self._dump_at and self._link.standpoint is Standpoint.LIVE:
            self._dump_at = now + DUMP_S
            with self._lock:
                self._link.dump()

    def _recorded(self, event: Event) -> None:
        with self._lock:
            self._link.recorded(event)


def wizard_tokens() -> Iterator[int]:
    """Return tokens that no game and no earlier wizard uses, so that late passages of an old wizard do not count."""
    return count(NO_GAME + int.from_bytes(os.urandom(3)))
