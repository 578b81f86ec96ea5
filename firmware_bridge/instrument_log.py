"""What an instrument has seen since the start: the newest readings, the last passage, counts of everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.instrument import Dot, LastPassage
from companion.ringport import Kind, RingEvent
from firmware_bridge.instrument_force import Force
from firmware_bridge.instrument_views import drawn_dot, last_passage, white_share
from firmware_bridge.measured import Measured
from firmware_bridge.messages import Tally

DRAWS = 60


@dataclass(frozen=True)
class Log:
    """Counted since the start of the companion, but for *settings* and *swallowed*, which are the device's own."""

    draws: tuple[Dot, ...] = ()
    last: LastPassage | None = None
    white_now: float | None = None
    passages: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, int] = field(default_factory=dict)
    swallowed: Mapping[str, int] = field(default_factory=dict)


def with_fault(log: Log, name: str) -> Log:
    """Count a fault."""
    return replace(log, faults=_one_more(log.faults, name))


def with_tally(log: Log, tally: Tally) -> Log:
    """Take over what the device's filters are set to, and what they have kept back."""
    return replace(log, settings=tally.settings or log.settings, swallowed=tally.swallowed or log.swallowed)


def with_passage(log: Log, event: RingEvent, seen: Measured, force: Force | None) -> Log:
    """Take over a passage; one of a wizard is no draw, so that it gets no dot."""
    drawn = event.kind is Kind.OUT and not event.detail.get("calibrating")
    new = drawn_dot(seen, event.judgement, force) if drawn else None
    white = white_share(force, seen) if force else None
    return replace(
        log,
        draws=(new, *log.draws)[:DRAWS] if new else log.draws,
        last=last_passage(str(event.kind), seen, event.judgement, force),
        white_now=log.white_now if white is None else white,
        passages=_one_more(log.passages, str(event.kind)),
    )


def _one_more(counts: Mapping[str, int], name: str) -> dict[str, int]:
    return {**counts, name: counts.get(name, 0) + 1}
