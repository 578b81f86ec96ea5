"""A ring on a wire: the one mutable object for a device, with the one thread that ever reads it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from companion.instrument import Instrument
from companion.ringport import Kind, Order, RingEvent, RingListener, RingState, RingView
from firmware_bridge.colour import Judge
from firmware_bridge.faults import WireLost
from firmware_bridge.link import Answered, Greeted, Heard, HostLink, Refused, Standpoint, Told
from firmware_bridge.messages import Event, Hello, Standing, Tally
from firmware_bridge.orders import Asked
from firmware_bridge.passages import Passages
from firmware_bridge.recording import Recording
from firmware_bridge.reflectance import NOMINAL
from firmware_bridge.sentences import (
    different_protocol,
    gone,
    no_answer,
    no_room,
    not_carried_out,
    reader_stopped,
    silent,
)
from firmware_bridge.showing import Showing
from firmware_bridge.standins import StandIns, under_lines
from firmware_bridge.wires import Bell, Wire

ARMING = frozenset({"under", "arm", "disarm"})
REOPEN_S = 10.0  # a port that has been silent for so long is opened anew
BACK_OFF_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
GLANCE_S = 0.5  # how often silence is looked for

Tellings = tuple[Told, ...]
Opener = Callable[[Bell], Wire]


class Ring:
    """A ring that is read until it is closed; reconnects by itself.

    Every event goes to *listener* in order, and is acknowledged when the
    listener has returned. *opener* opens the wire, *names* gives each session
    its own name: the epoch that keeps a late line of an earlier connection
    from being heard.
    """

    def __init__(
        self,
        opener: Opener,
        listener: RingListener,
        judge: Judge,
        names: Callable[[], str],
        now: Callable[[], float] = time.monotonic,
        port: str = "",
        known: Collection[str] = NOMINAL,
    ) -> None:
        self._opener = opener
        self._judge = judge
        self._now = now
        self._lock = threading.Lock()
        self._link = HostLink(names)
        self._wanted: Order | None = None
        self._stand_ins = StandIns(known)
        self._passages = Passages("")
        self._recording = Recording(listener, self._recorded)
        self._showing = Showing(listener, self._link, now, port)
        self._bell = Bell()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ring", daemon=True)

    def start(self) -> Ring:
        """Begin to read, in a thread of our own; return the ring."""
        self._thread.start()
        return self

    @property
    def view(self) -> RingView:
        """How the ring stands now."""
        return self._showing.view

    @property
    def instrument(self) -> Instrument | None:
        """What it measures with, None where nothing measures."""
        return None

    @property
    def hello(self) -> Hello | None:
        """What the device said of itself, None before it has."""
        return self._link.hello

    def arm(self, order: Order) -> None:
        """Have passages from now on carry *order*'s token; survives reconnects until disarmed."""
        with self._lock:
            known = self._wanted is not None and self._wanted.token == order.token
            self._wanted = order
            self._stand_ins.meet(order.under)
            if not known:
                self._send_wanted()
        self._bell.ring()

    def disarm(self) -> None:
        """Have passages carry no token."""
        with self._lock:
            known = self._wanted is None
            self._wanted = None
            if not known:
                self._send_wanted()
        self._bell.ring()

    def slide(self) -> None:
        """Ask a simulated ring to let one station out; other rings ignore it."""
        with self._lock:
            if self._link.standpoint is Standpoint.LIVE and self._simulated:
                self._link.order(Asked("slide"))
        self._bell.ring()

    def lamp(self, colour: str) -> None:
        """Light the ring's lamp in *colour* (six hexadecimal digits), where it has one."""
        self._order(Asked("lamp", (("rgb", colour),)))

    def beep(self, hz: int, ms: int) -> None:
        """Sound the ring's beeper, where it has one."""
        self._order(Asked("beep", (("hz", hz), ("ms", ms))))

    def configure(self, setting: str, value: int) -> None:
        """Change one of the device's settings."""
        self._order(Asked("set", ((setting, value),)))

    def complain(self, sentence: str) -> None:
        """Show *sentence* to the table until an order is carried out; for the thread that reads."""
        self._showing.complain(sentence)

    def close(self) -> None:
        """Stop reading at once and let the wire go; safe to call twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._bell.ring()
        if self._thread.is_alive():
            self._thread.join()
        self._bell.close()

    def _order(self, order: Asked) -> None:
        with self._lock:
            if self._link.standpoint is Standpoint.LIVE:
                self._link.order(order)
        self._bell.ring()

    @property
    def _simulated(self) -> bool:
        return self._link.hello is not None and self._link.hello.simulated

    def _send_wanted(self) -> None:
        """Have the device armed as we want it; nothing to send while nobody is there, as a greeting arms anew."""
        if self._link.standpoint is not Standpoint.LIVE:
            return
        order = self._wanted
        if order is None:
            self._link.order(Asked("disarm"), instead_of=ARMING)
            return
        lines = under_lines(self._stand_ins.worn(order.under)) if self._simulated else ()
        self._link.order(*lines, Asked("arm", (("tok", order.token),)), instead_of=ARMING)

    def _run(self) -> None:
        try:
            self._keep_reading()
        except Exception as fault:
            self._showing.show(state=RingState.SILENT, trouble=reader_stopped(fault), armed=0)
            raise

    def _keep_reading(self) -> None:
        failures = 0
        while not self._closing.is_set():
            try:
                wire = self._opener(self._bell)
                try:
                    self._converse(wire)
                finally:
                    wire.close()
                failures = 0
            except WireLost as fault:
                failures = 1 if self.view.state is RingState.LIVE else failures + 1
                self._showing.show(state=RingState.SEARCHING, trouble=str(fault), armed=0, gate_open=None, lifted=None)
            self._closing.wait(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)])

    def _converse(self, wire: Wire) -> None:
        """Read *wire* until it is lost, silent for too long, or we are closed."""
        self._link.connected(self._now())
        self._showing.show(port=wire.name, reconnects=self.view.reconnects + (1 if self.view.device else 0))
        while not self._closing.is_set():
            self._write(wire)
            with self._lock:
                due = self._link.due(self._now())
            soonest = min(due, self._recording.retry_at, self._now() + GLANCE_S)
            self._hear(wire.read(soonest - self._now()), wire)
            self._attend(self._now())
            if self._now() - self._link.heard_at > REOPEN_S:
                raise WireLost(no_answer(wire.name))

    def _hear(self, data: bytes, wire: Wire) -> None:
        if not data:
            return
        with self._lock:
            heard = self._link.receive(data, self._now())
        lost: WireLost | None = None
        for each in _together(heard):
            self._dispatch(each)
            try:
                self._write(wire)
            except WireLost as fault:
                lost = fault  # what was heard is heard: the link will not tell it again
        if lost:
            raise lost

    def _write(self, wire: Wire) -> None:
        with self._lock:
            data = self._link.outgoing(self._now())
        wire.write(data)

    def _attend(self, now: float) -> None:
        """What only time brings: silence, another try to record, fresh figures."""
        if now >= self._recording.retry_at:
            self._recording.retry(now)
        if self._link.standpoint is Standpoint.LIVE:
            quiet = self._link.silent(now)
            state = RingState.SILENT if quiet else RingState.LIVE
            if state is not self.view.state:
                self._showing.show(state=state, trouble=silent(now - self._link.heard_at) if quiet else "")
        elif self._link.standpoint is Standpoint.ASKING and self._link.silent(now):
            self._showing.show(state=RingState.SEARCHING, trouble=no_answer(self.view.port))
        self._showing.refresh(now)

    def _dispatch(self, heard: Heard | Tellings) -> None:
        match heard:
            case Told(event):
                self._tell([event])
            case tuple():
                self._tell([told.event for told in heard])
            case Greeted():
                self._greet(heard)
            case Refused(version):
                self._showing.show(
                    state=RingState.REFUSED, protocol=version, trouble=different_protocol(version), armed=0
                )
            case Standing():
                self._stand(heard)
            case Tally():
                if heard.lost:
                    self._showing.show(trouble=no_room(heard.lost))
            case Answered(order, why):
                self._settle(order, why)
            case _:
                assert_never(heard)

    def _greet(self, greeted: Greeted) -> None:
        hello = greeted.hello
        if greeted.fresh:
            self._passages = Passages(hello.device)
        with self._lock:
            self._send_wanted()
        self._showing.show(
            state=RingState.LIVE,
            device=hello.device,
            firmware=hello.firmware,
            protocol=hello.version,
            simulated=hello.simulated,
            trouble=gone(greeted.gone),
        )

    def _stand(self, standing: Standing) -> None:
        """Take over what a heartbeat or a dump reports, and arm again when the device has forgotten it."""
        with self._lock:
            wanted = self._wanted.token if self._wanted else 0
            if self._link.orders.idle and standing.token != wanted:
                self._send_wanted()
        self._showing.show(armed=standing.token, gate_open=standing.gate_open, lifted=standing.lifted)

    def _settle(self, order: Asked, why: str) -> None:
        if why:
            self._showing.complain(not_carried_out(order.word, why))
            return
        self._showing.content()
        if order.word in ("arm", "disarm"):
            self._showing.show(armed=int(str(dict(order.pairs).get("tok", 0))))

    def _tell(self, events: Sequence[Event]) -> None:
        batch = [(told, event) for event in events if (told := self._understood(event)) is not None]
        if batch:
            self._recording.hand_over(batch, self._now())
        for told, _ in batch:
            self._remember(told)

    def _understood(self, event: Event) -> RingEvent | None:
        told = self._passages.take(event, self._judge, self._under(event))
        if told is None or not self.view.simulated:
            return told
        with self._lock:
            return self._stand_ins.unmasked(told)

    def _under(self, event: Event) -> Mapping[str, int]:
        wanted = self._wanted
        return wanted.under if wanted and event.fields.get("tok") == str(wanted.token) else {}

    def _remember(self, told: RingEvent) -> None:
        match told.kind:
            case Kind.OUT | Kind.PAIR:
                self._showing.show(last_passage_at=self._now())
            case Kind.GATE:
                self._showing.show(gate_open=bool(told.detail["open"]))
            case Kind.LIFT:
                self._showing.show(lifted=bool(told.detail["lifted"]))
            case _:
                pass

    def _recorded(self, event: Event) -> None:
        with self._lock:
            self._link.recorded(event)


def _together(heard: Iterable[Heard]) -> Iterator[Heard | Tellings]:
    """Yield what was heard, in order; events that came one after another as one, to be committed at once."""
    for telling, group in groupby(heard, lambda each: isinstance(each, Told)):
        if telling:
            yield tuple(each for each in group if isinstance(each, Told))
        else:
            yield from group
