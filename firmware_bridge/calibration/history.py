"""A ring's measurements since the start of the program: recent readings, the last passage, and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property

from companion.kernel.values import dataclass
from companion.ports.calibration import Dot, LastPassage
from companion.ports.ring import RingEvent, RingEventKind
from firmware_bridge.calibration.active import ActiveCalibration
from firmware_bridge.calibration.views import drawn_dot, last_passage, white_share
from firmware_bridge.passages.passage import MeasuredPassage, measured_again
from firmware_bridge.protocol.messages import DeviceCounters

DRAWS = 60
WITH_WHITE = frozenset({RingEventKind.OUT, RingEventKind.PAIR, RingEventKind.BACK})


class RecordedPassage:
    """A recorded passage, with the calibration that was active then. Its figures are computed when they are first used.

    The ring's own thread must not compute them, because it has to record the next passage.
    """

    def __init__(self, event: RingEvent, active: ActiveCalibration | None) -> None:
        self._event = event
        self._active = active

    @cached_property
    def measured(self) -> MeasuredPassage:
        """The measurements parsed from the passage's raw lines."""
        return measured_again(self._event.raw) or MeasuredPassage()

    @cached_property
    def dot(self) -> Dot | None:
        """The passage's position in the colour chart, or None if the passage has no usable frames."""
        return drawn_dot(self.measured, self._event.judgement, self._active)

    @cached_property
    def shown(self) -> LastPassage:
        """The passage as pages show it."""
        return last_passage(str(self._event.kind), self.measured, self._event.judgement, self._active)

    @cached_property
    def white(self) -> float | None:
        """The passage's white reference relative to the calibration's, or None if either is unknown."""
        return white_share(self._active, self.measured) if self._active else None


@dataclass(frozen=True)
class History:
    """Counts since the companion started. *settings* and *filtered* come from the device.

    *whites* are the newest passages that may have a white reference. *white_before* is used if none of them has one.
    """

    draws: tuple[RecordedPassage, ...] = ()
    last: RecordedPassage | None = None
    whites: tuple[RecordedPassage, ...] = ()
    white_before: float | None = None
    passages: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
    filtered: Mapping[str, int] = field(default_factory=dict)

    @property
    def white_now(self) -> float | None:
        """The newest white reference relative to the calibration's."""
        return next((each.white for each in self.whites if each.white is not None), self.white_before)

    @property
    def dots(self) -> tuple[Dot, ...]:
        """The latest draws as dots of the colour chart, newest first."""
        return tuple(each.dot for each in self.draws if each.dot)


def with_fault(log: History, name: str) -> History:
    """Return *log* with one more fault counted under *name*."""
    return replace(log, faults=_one_more(log.faults, name))


def with_tally(log: History, tally: DeviceCounters) -> History:
    """Return *log* with the device's filter settings and counts."""
    return replace(log, settings=tally.settings or log.settings, filtered=tally.filtered or log.filtered)


def with_passage(log: History, event: RingEvent, seen: RecordedPassage) -> History:
    """Return *log* with the passage *event* added.

    A wizard's passages are not draws, so they get no dot in the chart.
    """
    drawn = event.kind is RingEventKind.OUT and not event.detail.get("calibrating")
    return replace(
        log,
        draws=(seen, *log.draws)[:DRAWS] if drawn else log.draws,
        last=seen,
        whites=(seen, *log.whites)[:DRAWS] if event.kind in WITH_WHITE else log.whites,
        passages=_one_more(log.passages, str(event.kind)),
    )


def with_white(log: History, white: float | None) -> History:
    """Return *log* with *white* as the only known white. Used when the calibration changes."""
    return replace(log, whites=(), white_before=white)


def _one_more(counts: Mapping[str, int], name: str) -> dict[str, int]:
    return {**counts, name: counts.get(name, 0) + 1}
