"""A ring that writes a capture to files: all lines in both directions, and the judgement of each passage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ports.ring import RingEvent, RingListener, RingView
from firmware_bridge.capture.reader import JUDGED
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.client.ring import Opener, Ring
from firmware_bridge.colour import Judge
from firmware_bridge.kernel.errors import why_lost
from rungs.capture import CLOSED, LOST
from rungs.wire import Bell, Wire, WireLost, losing


@shows("name")
class CapturedWire:
    """A wire that captures its bytes in both directions. It reports problems of the capture to *report*."""

    def __init__(self, wire: Wire, capture: CaptureWriter, report: Callable[[str], None]) -> None:
        self.name = wire.name
        self._wire = wire
        self._capture = capture
        self._report = report
        capture.opened(wire.name)

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that have arrived; like the wire's own `read`."""
        if trouble := self._capture.trouble():
            self._report(trouble)
        try:
            with losing(self.name):
                data = self._wire.read(timeout_s)
        except WireLost as fault:
            self._capture.note(f"{LOST}: {why_lost(fault)}")
            raise
        if data:
            self._capture.received(data)
        return data

    def write(self, data: bytes) -> None:
        """Send *data* without waiting."""
        self._capture.sent(data)
        try:
            with losing(self.name):
                self._wire.write(data)
        except WireLost as fault:
            self._capture.note(f"{LOST}: {why_lost(fault)}")
            raise

    def close(self) -> None:
        """Close the wire, and note that in the capture."""
        self._capture.note(CLOSED)
        self._wire.close()


class JudgementRecorder:
    """A listener that notes each committed judgement in the capture, after the lines that led to it."""

    def __init__(self, listener: RingListener, capture: CaptureWriter) -> None:
        self._listener = listener
        self._capture = capture

    def heard(self, *events: RingEvent) -> None:
        """Pass *events* on to the next listener, then note their judgements."""
        self._listener.heard(*events)
        for event in events:
            if event.judgement is not None:
                self._capture.note(f"{JUDGED} {event.boot} {event.seq} {event.judgement.colour or 'unsure'}")

    def ring_changed(self, view: RingView) -> None:
        """Pass the view on to the next listener."""
        self._listener.ring_changed(view)


class RecordedRing(Ring):
    """A ring that captures its traffic to *folder*. If writing fails, the view shows the error."""

    def __init__(
        self,
        opener: Opener,
        listener: RingListener,
        judge: Judge,
        names: Callable[[], str],
        now: Callable[[], float],
        port: str,
        known: Collection[str],
        folder: Path,
        threads: Supervisor,
    ) -> None:
        self.captures = folder
        self._capture = CaptureWriter(folder, now=now).start(threads)

        def opened(bell: Bell) -> Wire:
            return CapturedWire(opener(bell), self._capture, self.complain)

        super().__init__(opened, JudgementRecorder(listener, self._capture), judge, names, now, port, known, threads)

    def _packed(self, facts: Mapping[str, object]) -> Mapping[str, bytes]:
        """Flush the capture, so that the bundle has the newest lines, and add the capture's figures to *facts*."""
        self._capture.flush()
        return super()._packed({**facts, "capture": {"lost": self._capture.lost}})

    def close(self) -> None:
        """Stop reading, close the wire and write the last lines."""
        # Close the ring first, because its thread writes lines until it has ended.
        super().close()
        self._capture.close()
