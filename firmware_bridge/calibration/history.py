"""What an instrument has seen since the start: the newest readings, the last passage, counts of everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property

from companion.kernel.values import dataclass
from companion.ports.calibration import Dot, LastPassage
from companion.ports.ring import RingEvent, RingEventKind
from firmware_bridge.calibration.active import Force
from firmware_bridge.calibration.views import drawn_dot, last_passage, white_share
from firmware_bridge.passages.passage import MeasuredPassage, measured_again
from firmware_bridge.protocol.messages import DeviceCounters

DRAWS = 60
WITH_WHITE = frozenset({RingEventKind.OUT, RingEventKind.PAIR, RingEventKind.BACK})


class RecordedPassage:
    """A passage that was told while *force* was in force; what can be seen of it is worked out when somebody looks.

    The ring's own thread has the next passage to record, and must not wait
    for a picture of this one.
    """

    def __init__(self, event: RingEvent, force: Force | None) -> None:
        self._event = event
        self._force = force

    @cached_property
    def measured(self) -> MeasuredPassage:
        """What its raw lines tell."""
        return measured_again(self._event.raw) or MeasuredPassage()

    @cached_property
    def dot(self) -> Dot | None:
        """Its place in the picture of colours, None when nothing of it could be seen."""
        return drawn_dot(self.measured, self._event.judgement, self._force)

    @cached_property
    def shown(self) -> LastPassage:
        """It as it was measured."""
        return last_passage(str(self._event.kind), self.measured, self._event.judgement, self._force)

    @cached_property
    def white(self) -> float | None:
        """Its white as a share of that at calibration, None when either is not known."""
        return white_share(self._force, self.measured) if self._force else None


@dataclass(frozen=True)
class History:
    """Counted since the start of the companion, but for *settings* and *swallowed*, which are the device's own.

    *whites* are the newest passages that may tell a white, *white_before* is
    what was known of it before them.
    """

    draws: tuple[RecordedPassage, ...] = ()
    last: RecordedPassage | None = None
    whites: tuple[RecordedPassage, ...] = ()
    white_before: float | None = None
    passages: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
    swallowed: Mapping[str, int] = field(default_factory=dict)

    @property
    def white_now(self) -> float | None:
        """The newest white as a share of that at calibration."""
        return next((each.white for each in self.whites if each.white is not None), self.white_before)

    @property
    def dots(self) -> tuple[Dot, ...]:
        """The newest draws in the picture of colours, the last one first."""
        return tuple(each.dot for each in self.draws if each.dot)


def with_fault(log: History, name: str) -> History:
    """Count a fault."""
    return replace(log, faults=_one_more(log.faults, name))


def with_tally(log: History, tally: DeviceCounters) -> History:
    """Take over what the device's filters are set to, and what they have kept back."""
    return replace(log, settings=tally.settings or log.settings, swallowed=tally.swallowed or log.swallowed)


def with_passage(log: History, event: RingEvent, seen: RecordedPassage) -> History:
    """Take over a passage; one of a wizard is no draw, so that it gets no dot."""
    drawn = event.kind is RingEventKind.OUT and not event.detail.get("calibrating")
    return replace(
        log,
        draws=(seen, *log.draws)[:DRAWS] if drawn else log.draws,
        last=seen,
        whites=(seen, *log.whites)[:DRAWS] if event.kind in WITH_WHITE else log.whites,
        passages=_one_more(log.passages, str(event.kind)),
    )


def with_white(log: History, white: float | None) -> History:
    """Begin anew with the *white* that another calibration knows of."""
    return replace(log, whites=(), white_before=white)


def _one_more(counts: Mapping[str, int], name: str) -> dict[str, int]:
    return {**counts, name: counts.get(name, 0) + 1}
