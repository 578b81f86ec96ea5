"""A ring whose wire is kept on record, always: lines as they go, and what each passage was taken for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.ports.ring import RingEvent, RingListener, RingView
from firmware_bridge.capture.format import CLOSED, JUDGED, LOST
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.client.ring import Opener, Ring
from firmware_bridge.colour import Judge
from firmware_bridge.kernel.errors import WireLost
from firmware_bridge.transport.streams import Bell, Wire, losing


@shows("name")
class CapturedWire:
    """A wire whose bytes are kept, both ways; *tell* is told what is wrong with that."""

    def __init__(self, wire: Wire, capture: CaptureWriter, tell: Callable[[str], None]) -> None:
        self.name = wire.name
        self._wire = wire
        self._capture = capture
        self._tell = tell
        capture.opened(wire.name)

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, as the wire itself does."""
        if trouble := self._capture.trouble():
            self._tell(trouble)
        try:
            with losing(self.name):
                data = self._wire.read(timeout_s)
        except WireLost as fault:
            self._capture.note(f"{LOST}: {fault}")
            raise
        if data:
            self._capture.heard(data)
        return data

    def write(self, data: bytes) -> None:
        """Send *data* without waiting."""
        self._capture.said(data)
        try:
            with losing(self.name):
                self._wire.write(data)
        except WireLost as fault:
            self._capture.note(f"{LOST}: {fault}")
            raise

    def close(self) -> None:
        """Let the connection go."""
        self._capture.note(CLOSED)
        self._wire.close()


class JudgementRecorder:
    """A listener that has each judgement noted beside the lines it was made from, once it is on record."""

    def __init__(self, listener: RingListener, capture: CaptureWriter) -> None:
        self._listener = listener
        self._capture = capture

    def heard(self, *events: RingEvent) -> None:
        """Hand *events* on, and note what they were judged."""
        self._listener.heard(*events)
        for event in events:
            if event.judgement is not None:
                self._capture.note(f"{JUDGED} {event.boot} {event.seq} {event.judgement.colour or 'unsure'}")

    def ring_changed(self, view: RingView) -> None:
        """Hand it on."""
        self._listener.ring_changed(view)


class RecordedRing(Ring):
    """A ring that keeps all that is said and heard in *folder*; a folder that cannot take it is shown as a trouble."""

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
        """Have the newest lines in the bundle too."""
        self._capture.flush()
        return super()._packed({**facts, "capture": {"lost": self._capture.lost}})

    def close(self) -> None:
        """Stop reading at once, let the ring go, and have the last lines written."""
        # The ring first: until its thread has ended it has lines to be kept.
        super().close()
        self._capture.close()
