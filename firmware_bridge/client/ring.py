"""A ring on a wire: the one mutable object for a device, with the one thread that ever reads it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import MappingProxyType

from companion.kernel.fault_log import log_fault
from companion.kernel.supervisor import Supervisor, Thread
from companion.ports.calibration import Instrument
from companion.ports.ring import Order, RingListener, RingState, RingView
from firmware_bridge.calibration.service import CalibrationService
from firmware_bridge.client.arm_sync import ArmSync
from firmware_bridge.client.delivery import Delivery
from firmware_bridge.client.dispatch import Dispatcher, together
from firmware_bridge.client.fault_messages import missing, no_answer, reader_stopped, silent
from firmware_bridge.client.status import StatusPublisher
from firmware_bridge.colour import Judge
from firmware_bridge.colour.channels import NOMINAL
from firmware_bridge.kernel.errors import WireLost
from firmware_bridge.passages.assembler import NO_GAME
from firmware_bridge.protocol.command_queue import QueuedCommand
from firmware_bridge.protocol.connection import Connection, Standpoint
from firmware_bridge.protocol.messages import Event, Hello
from firmware_bridge.transport.streams import Bell, Wire, losing, opening

REOPEN_S = 10.0  # a port that has been silent for so long is opened anew
BACK_OFF_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
DUMP_S = 10.0  # how often the device is asked for its counters
GLANCE_S = 0.5  # how often silence is looked for
PAGES_FIRST_S = 0.002  # so long what a passage changes of the ring itself waits: its draw is on its way to the pages

Opener = Callable[[Bell], Wire]


class Ring:
    """A ring that is read until it is closed; reconnects by itself.

    Any error while its wire is opened, or in the open wire, is a lost wire: it
    is shown, and after a pause the next try is made. After a bug of ours the
    supervisor *threads* starts the reader again, and the device sends again
    all that is not on record.

    Every event goes to *listener* in order, and is acknowledged when the
    listener has returned. *opener* opens the wire, *names* gives each session
    its own name: the epoch that keeps a late line of an earlier connection
    from being heard. What goes over the wire is kept in *captures*, by whoever
    does so; *about* is what else a diagnostics bundle should know, and *afterwards* lets go of what lies behind the
    wire, once nobody opens it any more.
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
        # Guards link and arm_sync, for moments. Never held while the listener is told: it comes back by `arm`, in the
        # reader's own thread.
        self._lock = threading.Lock()
        self._link = Connection(names)
        self._arm_sync = ArmSync(self._link, known)
        self._bell = Bell()
        # The bell ends a read, this ends the pause between two tries to open.
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
        self._logged = ""  # the newest unexpected error of the wire, until the ring is live again

    def __repr__(self) -> str:
        """Return its address and its state."""
        return f"<ring at {self._port}, {self.view.state}, {self.view.trouble or 'all is well'}>"

    def start(self) -> Ring:
        """Begin to read, in a thread of our own; return the ring."""
        self._thread = self._threads.start("ring", self._keep_reading, failed=self._begin_again)
        return self

    @property
    def view(self) -> RingView:
        """How the ring stands now."""
        return self._status.view

    @property
    def instrument(self) -> Instrument:
        """What it measures with."""
        return self._instrument

    @property
    def hello(self) -> Hello | None:
        """What the device said of itself, None before it has."""
        return self._link.hello

    def arm(self, order: Order) -> None:
        """Have passages from now on carry *order*'s token; survives reconnects until disarmed."""
        with self._lock:
            self._arm_sync.want(order)
        self._wake()

    def disarm(self) -> None:
        """Have passages carry no token."""
        with self._lock:
            self._arm_sync.want(None)
        self._wake()

    def slide(self, colour: str = "") -> None:
        """Ask a simulated ring to let one station out, of *colour* if it obeys; other rings ignore it."""
        with self._lock:
            if self._link.standpoint is Standpoint.LIVE and self._arm_sync.simulated:
                self._link.order(QueuedCommand("slide", (("out", colour),) if colour else ()))
        self._wake()

    def lamp(self, colour: str) -> None:
        """Light the ring's lamp in *colour* (six hexadecimal digits), where it has one."""
        self._order(QueuedCommand("lamp", (("rgb", colour),)))

    def beep(self, hz: int, ms: int) -> None:
        """Sound the ring's beeper, where it has one."""
        self._order(QueuedCommand("beep", (("hz", hz), ("ms", ms))))

    def configure(self, setting: str, value: int) -> None:
        """Change one of the device's settings."""
        self._order(QueuedCommand("set", ((setting, value),)))

    def complain(self, sentence: str) -> None:
        """Show *sentence* to the table until an order is carried out; for the thread that reads."""
        self._status.complain(sentence)

    def close(self) -> None:
        """Stop reading at once and let the wire go; safe to call twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._stir()
        if self._thread is not None:
            self._thread.end()
        # After the join: the reader waits on it until then.
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
        from firmware_bridge.client.diagnostics import bundle  # no evening needs it until somebody asks

        return bundle(self.captures, {**facts, **self.about, "view": self.view})

    def _stir(self) -> None:
        """Have the reader look up: there is news, or an end."""
        self._stirred.set()
        self._wake()

    def _wake(self) -> None:
        """Have the reader write what is due; it does so by itself after all that it hears, hands over and shows."""
        if self._thread is None or not self._thread.is_current:
            self._bell.ring()

    def _begin_again(self, fault: BaseException, pause_s: float) -> None:
        """Show a bug of ours, and have the device send again all that the reader may have lost with it."""
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
                # A ring that was live a moment ago may be back at once: short pauses again.
                failures = 1 if self.view.state is RingState.LIVE else failures + 1
                self._status.show(state=RingState.SEARCHING, trouble=fault.reason, armed=0, gate_open=None, lifted=None)
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
            except Exception as fault:  # it is lost either way, and the next one is opened
                log_fault(f"{wire.name} can't be closed: {fault!r}", fault)
            self._dispatcher.remember()

    def _log(self, lost: WireLost) -> None:
        """Log, once until the ring is live again, an error that a wire is not expected to have: it may be our bug."""
        if self.view.state is RingState.LIVE:
            self._logged = ""
        fault = lost.unexpected
        if fault is not None and self._logged != repr(fault):
            self._logged = repr(fault)
            log_fault(f"the wire to {self._port} was lost by an unexpected error: {fault!r}", fault)

    def _converse(self, wire: Wire) -> None:
        """Read *wire* until it is lost, silent for too long, or we are closed."""
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
            if self._now() - self._link.heard_at > REOPEN_S:
                raise WireLost(no_answer(wire.name))

    def _hear(self, data: bytes, wire: Wire) -> None:
        self._dispatcher.remember()
        if not data:
            return
        with self._lock:
            # Only this: what was heard is handed over without the lock, as whoever hears it may arm the ring.
            heard = self._link.receive(data, self._now())
        lost: WireLost | None = None
        for each in together(heard):
            self._dispatcher.remember()
            self._dispatcher.hear(each)
            lost = self._lost(wire) or lost
        if lost:
            raise lost

    def _lost(self, wire: Wire) -> WireLost | None:
        """Write; return, not raise, that the wire is lost: what was heard is heard, and will not be told again."""
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
        """What only time brings: silence, another try to record, fresh figures; and news from elsewhere."""
        self._freshen()
        self._ask_how_it_is(now)
        if now >= self._delivery.retry_at:
            self._delivery.retry(now)
        if self._link.standpoint is Standpoint.LIVE:
            quiet = self._link.silent(now)
            state = RingState.SILENT if quiet else RingState.LIVE
            if state is not self.view.state:
                self._status.show(state=state, trouble=silent(now - self._link.heard_at) if quiet else "")
            self._status.miss(missing(self._link.missing(now)))
        elif self._link.standpoint is Standpoint.ASKING and self._link.silent(now):
            self._status.show(state=RingState.SEARCHING, trouble=no_answer(self.view.port))
        self._status.refresh(now)

    def _freshen(self) -> None:
        self._stirred.clear()
        self._status.freshen()

    def _ask_how_it_is(self, now: float) -> None:
        """Have the device tell its counters now and then."""
        if now >= self._dump_at and self._link.standpoint is Standpoint.LIVE:
            self._dump_at = now + DUMP_S
            with self._lock:
                self._link.dump()

    def _recorded(self, event: Event) -> None:
        with self._lock:
            self._link.recorded(event)


def wizard_tokens() -> Iterator[int]:
    """Return tokens that no game has and that no wizard had before us: its late passages must not count as ours."""
    return count(NO_GAME + int.from_bytes(os.urandom(3)))
