"""The calibration service of one ring: judges passages by the active calibration, records them, makes calibrations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.kernel.publisher import Publisher
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.ports.calibration import BadCalibration, InstrumentView, Line
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from firmware_bridge.calibration.active import ActiveCalibration, Offered, offered
from firmware_bridge.calibration.history import (
    History,
    RecordedPassage,
    with_fault,
    with_passage,
    with_tally,
    with_white,
)
from firmware_bridge.calibration.messages import OTHER_RING, no_reference
from firmware_bridge.calibration.session import Session
from firmware_bridge.calibration.views import calibration_view, taught_white, uncalibrated
from firmware_bridge.calibration.wizard import REFERENCES, reviewed
from firmware_bridge.colour import Doubting, Judge, Reading, calibration_of, judge_of
from firmware_bridge.colour.calibration import WANTED_PASSES
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.passages.passage import judged, measured_again
from firmware_bridge.protocol.messages import DeviceCounters, Hello

PASSAGES = frozenset(
    {
        RingEventKind.OUT,
        RingEventKind.PAIR,
        RingEventKind.BACK,
        RingEventKind.POKE,
        RingEventKind.STUCK,
        RingEventKind.GLITCH,
    }
)
JUDGED = frozenset({RingEventKind.OUT, RingEventKind.PAIR, RingEventKind.BACK})


@shows("news", "_hello", "_active")
class CalibrationService:
    """Calibrates one ring and judges its passages.

    The ring's own thread reports what happened (`meet`, `noted`, `tallied`, `look_refused`) and
    calls `judge`. Pages call the other methods from any thread.

    *nominal* is the judge without calibration: it judges the passages of a simulated ring, and only ranks the colours
    for a real ring. *ask* orders a reference from the device, and returns False if it is not connected. *deal* gives
    cubes of the named colours to a simulated ring. *pack* makes a diagnostics bundle that includes the given facts.
    *stir* makes the ring publish `news`, which counts the changes of the view.
    """

    def __init__(
        self,
        nominal: Judge,
        tokens: Iterator[int],
        ask: Callable[[str], bool],
        deal: Callable[[Sequence[str]], None],
        pack: Callable[[Mapping[str, object]], Mapping[str, bytes]],
        stir: Callable[[], None],
    ) -> None:
        self.news = 0
        self._nominal = nominal
        self._ask, self._deal, self._pack, self._stir = ask, deal, pack, stir
        # Never held together with the ring's own lock. _deal and _ask take the ring's lock, so they are called after
        # this lock is released.
        self._lock = threading.Lock()
        self._changes = Publisher(lambda: None)
        self._hello: Hello | None = None
        self._offered = Offered()
        self._active: ActiveCalibration | None = None
        self._session = Session(tokens)
        self._log = History()

    @property
    def view(self) -> InstrumentView:
        """The present state, as pages show it."""
        with self._lock:
            log, wizard, active, bad, missing = (
                self._log,
                self._session.wizard,
                self._active,
                self._offered.bad,
                self._missing,
            )
        # The lock is not held here, because charts take a while.
        return InstrumentView(
            calibration=calibration_view(active, log.white_now, bad) if active else None,
            uncalibrated=missing,
            wizard=wizard,
            draws=log.dots,
            last=log.last.shown if log.last else None,
            passages=log.passages,
            faults=log.faults,
            settings=log.settings,
            swallowed=log.filtered,
        )

    @property
    def order(self) -> tuple[int, Mapping[str, int]] | None:
        """The order with which the ring must be armed while a wizard runs, otherwise None."""
        return self._session.order

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call *callback* when `order` or `view` changes. It must not block. Return a function that unsubscribes."""
        return self._changes.add(lambda _: callback())

    # For the ring's own thread.

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Judge by the active calibration. A real ring without a calibration is never sure."""
        # Read only once, because a page may change the calibration meanwhile.
        active, hello = self._active, self._hello
        if active is not None:
            return active.judge.judge(reading, under)
        if hello is not None and hello.simulated:
            return self._nominal.judge(reading, under)
        return Doubting(self._nominal).judge(reading, under)

    def meet(self, hello: Hello) -> None:
        """Set the connected device. Its newest calibration becomes active."""
        with self._changing():
            self._hello = hello
            self._choose()
            self._session.met(hello.device)
        if self._active is not None:
            self._deal(self._active.calibration.colours)

    def noted(self, event: RingEvent) -> None:
        """Record a committed event."""
        if event.kind is RingEventKind.FAULT:
            with self._changing():
                self._log = with_fault(self._log, str(event.detail["fault"]))
        elif event.kind is RingEventKind.LOOK:
            with self._changing():
                self._session.looked(event)
        elif event.kind in PASSAGES:
            with self._changing():
                seen = RecordedPassage(event, self._active)
                self._log = with_passage(self._log, event, seen)
                self._session.passed(event, seen)

    def tallied(self, tally: DeviceCounters) -> None:
        """Record the device's counters."""
        with self._changing():
            self._log = with_tally(self._log, tally)

    def look_refused(self, why: str) -> None:
        """Record why the device has not taken a reference: it cannot take references (`unknown`), or it could not do so
        now.
        """
        with self._changing():
            self._session.look_refused(why)

    # For pages.

    def offer(self, stored: Sequence[Line]) -> None:
        """Set the stored calibrations, oldest first.

        If they include the wizard's finished calibration, the wizard ends.
        """
        found = offered(stored)
        with self._changing():
            self._offered = found
            self._choose()
            self._session.stored([each.id for each in found.valid])
        if self._active is not None:
            self._deal(self._active.calibration.colours)

    def begin(self, copy: str, colours: Sequence[str], wanted: int = WANTED_PASSES) -> None:
        """Begin a wizard for this *copy* of the game. A wizard that already has passes must be stopped first."""
        with self._changing():
            self._session.begin(self._hello, copy, colours, wanted)
        self._deal(colours)

    def begin_check(self, colours: Sequence[str]) -> None:
        """Begin a check of the active calibration: one cube of each colour."""
        with self._changing():
            self._session.begin_check(self._active.calibration if self._active else None, colours)

    def look(self, reference: str) -> None:
        """Order the reference `black`, `white` or `dark`. It is stored when the device has reported it."""
        with self._lock:
            wizard = self._session.wizard_state
            if reference not in REFERENCES:
                raise BadCalibration(no_reference(reference, REFERENCES))
            if self._hello is None or self._hello.device != wizard.device:
                raise BadCalibration(OTHER_RING)
        if not self._ask(reference):
            raise BadCalibration(said("The ring doesn't answer. Try again when it's back."))

    def turn_to(self, colour: str) -> None:
        """Continue with passes of *colour*."""
        with self._changing():
            self._session.turn_to(colour)

    def forget_last(self) -> None:
        """Remove the newest pass of the present colour."""
        with self._changing():
            self._session.forget_last()

    def review(self) -> None:
        """Review all passes. This takes a while. If anything changes meanwhile, it must be called again."""
        with self._lock:
            before = self._session.wizard_state
        after = reviewed(before)
        with self._changing():
            self._session.reviewed(before, after)

    def finish(self, made: str) -> Line:
        """Return the calibration to store.

        Once it is passed to `offer`, the wizard ends and the calibration becomes active.
        """
        with self._lock:
            return self._session.finish(made)

    def stop(self) -> None:
        """End the wizard and discard its passes. The active calibration is not changed."""
        with self._changing():
            self._session.leave()

    def check_line(self, line: object) -> Line:
        """Return *line* if it is a valid calibration. Raise BadCalibration otherwise."""
        try:
            return calibration_of(line).line()
        except InputError as fault:
            raise BadCalibration(said("This calibration can't be used: %(why)s.", why=fault.reason)) from None

    def judged_again(self, raw: Sequence[str], by: Line | None) -> Line | None:
        """Judge a passage again from its raw lines. Return None if they contain nothing to judge.

        *by* is the calibration to use, or None for the active one.
        """
        seen = measured_again(raw)
        if seen is None or seen.kind not in JUDGED or not seen.frames:
            return None
        judgement = judged(seen, self._judge_of(by), {})
        return {
            "colour": judgement.colour,
            "ranking": [[colour, share] for colour, share in judgement.ranking],
            "why": judgement.why,
            "unknown": judgement.unknown,
            "calibration": judgement.calibration,
        }

    def bundle(self) -> Mapping[str, bytes]:
        """Return the files of a diagnostics bundle, by name."""
        with self._lock:
            log, hello, active = self._log, self._hello, self._active
        facts: dict[str, object] = {
            "hello": vars(hello) if hello else None,
            "calibration": active.calibration.line() if active else None,
            "white_now": log.white_now,
            "passages": dict(log.passages),
            "faults": dict(log.faults),
            "settings": dict(log.settings),
            "swallowed": dict(log.filtered),
        }
        return self._pack(facts)

    def _judge_of(self, line: Line | None) -> Judge:
        if line is None:
            return self
        try:
            calibration = calibration_of(line)
        except InputError as fault:
            raise BadCalibration(said("This calibration can't be used: %(why)s.", why=fault.reason)) from None
        active = self._active
        if active is not None and active.calibration == calibration:
            return active.judge
        return judge_of(calibration)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock for a change. After releasing it, notify subscribers if the state has changed."""
        with self._lock:
            before = self._state
            yield
            changed = before != self._state
            self.news += changed
        if changed:
            self._changes.publish()
            self._stir()

    @property
    def _state(self) -> tuple[object, ...]:
        """The state from which views are made. If it is unchanged, the view is unchanged too."""
        return (self._log, self._session.work, self._session.order, self._active, self._offered, self._hello)

    @property
    def _missing(self) -> str:
        return uncalibrated(self._hello, self._active, self._offered)

    def _choose(self) -> None:
        hello = self._hello
        newest = self._offered.newest(hello.device, hello.sensor) if hello else None
        if newest is None:
            self._active = None
        elif self._active is None or self._active.calibration != newest:
            self._active = ActiveCalibration(newest)
            # A white that was measured before the last restart says nothing about the present, but one that was just
            # calibrated does.
            white = taught_white(newest) if newest.id == self._session.finished else None
            self._log = with_white(self._log, white)
