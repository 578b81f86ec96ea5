"""Handles a connection's messages: delivers events, updates the view, and reacts to greetings and answers.

Events go to the listener in order. They are acknowledged after they are committed, and failed commits are retried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import assert_never

from companion.kernel.shown import shows
from companion.ports.ring import RingEvent, RingEventKind, RingListener, RingState, Unrecorded
from firmware_bridge.calibration.service import CalibrationService
from firmware_bridge.client.arm_sync import ArmSync
from firmware_bridge.client.status import StatusPublisher, different_protocol, gone, no_room, not_carried_out
from firmware_bridge.passages.passage import PASSAGE, Passages
from firmware_bridge.protocol.connection import Connection, Greeted, OrderAnswered, Received, VersionRefused
from firmware_bridge.protocol.messages import DeviceCounters, DeviceStatus, Event
from firmware_bridge.protocol.queues import QueuedCommand

RETRY_S = 1.0


@shows("_waiting")
class Delivery:
    """Passes events to *listener*. Calls *recorded* for each event when this event and all before it are committed.

    While the listener cannot commit (because of a dead disk), it still gets every new event, so that play goes on. It
    gets uncommitted events again until their commit succeeds.
    """

    def __init__(self, listener: RingListener, recorded: Callable[[Event], None]) -> None:
        self.retry_at = float("inf")
        self._listener = listener
        self._recorded = recorded
        self._waiting: list[tuple[RingEvent, Event]] = []

    def hand_over(self, batch: Sequence[tuple[RingEvent, Event]], now: float) -> None:
        """Deliver the events of one batch together. Each comes with the device event that completed it."""
        committed = self._committed(*[ring_event for ring_event, _ in batch])
        if committed and not self._waiting:
            for _, event in batch:
                self._recorded(event)
            return
        # Committed events also wait behind uncommitted ones, because an acknowledgement covers all earlier events.
        self._waiting += batch
        self.retry_at = now if committed else min(self.retry_at, now + RETRY_S)

    @property
    def newest_waiting(self) -> Event | None:
        """The newest event that waits for its acknowledgement, or None."""
        return self._waiting[-1][1] if self._waiting else None

    def retry(self, now: float) -> None:
        """Deliver the waiting events again, in order, until one cannot be committed."""
        while self._waiting and self._committed(self._waiting[0][0]):
            self._recorded(self._waiting.pop(0)[1])
        self.retry_at = now + RETRY_S if self._waiting else float("inf")

    def _committed(self, *events: RingEvent) -> bool:
        try:
            self._listener.heard(*events)
        except Unrecorded:
            return False
        return True


Events = list[Event]
Other = Greeted | VersionRefused | OrderAnswered | DeviceStatus | DeviceCounters


class Dispatcher:
    """Handles a ring's messages, in the reader thread only. Holds *lock* while it uses *link* or *arm_sync*."""

    def __init__(
        self,
        link: Connection,
        arm_sync: ArmSync,
        lock: Lock,
        instrument: CalibrationService,
        delivery: Delivery,
        status: StatusPublisher,
        now: Callable[[], float],
    ) -> None:
        self._link = link
        self._arm_sync = arm_sync
        self._lock = lock
        self._instrument = instrument
        self._delivery = delivery
        self._status = status
        self._now = now
        self._passages = Passages("")
        self._unshown: list[RingEvent] = []

    def hear(self, message: Other | Events) -> None:
        """Handle one message, or several events as one batch."""
        match message:
            case list():
                self._deliver(message)
            case Greeted():
                self._greet(message)
            case VersionRefused(version):
                trouble = different_protocol(version)
                self._status.show(state=RingState.REFUSED, protocol=version, trouble=trouble, armed=0)
            case DeviceStatus():
                self._show_status(message)
            case DeviceCounters():
                self._count(message)
            case OrderAnswered(order, why):
                self._settle(order, why)
            case _:
                assert_never(message)

    def _greet(self, greeted: Greeted) -> None:
        hello = greeted.hello
        if greeted.fresh:
            self._passages = Passages(hello.device)
            self._status.show(lost=0)
        # Done first, because dealing colours takes the lock too, and arming needs the dealt colours.
        self._instrument.meet(hello)
        with self._lock:
            self._arm_sync.send()
        self._status.show(
            state=RingState.LIVE,
            device=hello.device,
            firmware=hello.firmware,
            protocol=hello.version,
            simulated=hello.simulated,
            obeys="o" in hello.abilities,
            trouble=gone(greeted.gone),
        )

    def _show_status(self, status: DeviceStatus) -> None:
        """Show the *status* from a heartbeat or dump, and arm the device again if the status carries another token."""
        with self._lock:
            # While orders are in flight, one of them may be about to set this token.
            if self._link.orders.idle and status.token != self._arm_sync.token:
                self._arm_sync.send()
        self._status.show(armed=status.token, gate_open=status.gate_open, lifted=status.lifted)

    def _count(self, tally: DeviceCounters) -> None:
        if tally.lost > self._status.view.lost:
            self._status.show(lost=tally.lost, trouble=no_room(tally.lost))
        self._instrument.tallied(tally)

    def _settle(self, order: QueuedCommand, why: str) -> None:
        if why and order.word == "look":
            self._instrument.look_refused(why)
            return
        if why:
            self._status.complain(not_carried_out(order.word, why))
            return
        self._status.content()
        if order.word in ("arm", "disarm"):
            self._status.show(armed=int(str(dict(order.pairs).get("tok", 0))))

    def _deliver(self, events: Sequence[Event]) -> None:
        batch = []
        for event in events:
            under = self._arm_sync.under(event) if event.word == PASSAGE else {}
            ring_event = self._passages.take(event, self._instrument, under)
            if ring_event is not None:
                with self._lock:
                    batch.append((self._arm_sync.unmasked(ring_event), event))
        if batch:
            self._delivery.hand_over(batch, self._now())
        self._unshown += [ring_event for ring_event, _ in batch]

    @property
    def unshown(self) -> bool:
        """True if there are events that `remember` has not shown yet."""
        return bool(self._unshown)

    def remember(self) -> None:
        """Update the view from recorded events. Called late, because acknowledgements and pages come first."""
        changes: dict[str, object] = {}
        while self._unshown:
            event = self._unshown.pop(0)  # removed first: an event that always fails must not block the others
            changes |= self._shown_of(event)
            self._instrument.noted(event)
        if changes:
            self._status.show(**changes)

    def begin_again(self) -> None:
        """Discard the parts of an unfinished passage. The device sends them again."""
        self._passages.forget()

    def _shown_of(self, event: RingEvent) -> dict[str, object]:
        match event.kind:
            case RingEventKind.OUT | RingEventKind.PAIR:
                return {"last_passage_at": self._now()}
            case RingEventKind.GATE:
                return {"gate_open": bool(event.detail["open"])}
            case RingEventKind.LIFT:
                return {"lifted": bool(event.detail["lifted"])}
            case _:
                return {}


def together(messages: Iterable[Received]) -> list[Other | Events]:
    """Return the messages in order, but join consecutive events in one list, so that they are committed together."""
    found: list[Other | Events] = []
    for each in messages:
        if not isinstance(each, Event):
            found.append(each)
        elif found and isinstance(last := found[-1], list):
            last.append(each)
        else:
            found.append([each])
    return found
