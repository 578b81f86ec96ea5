"""The whole check of a ring, in one conversation. It does not change the ring's stored events of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.kernel.progress import ProgressWatch, unwatched
from firmware_bridge.colour import Calibration
from firmware_bridge.conformance import events, link, orders, passages, sensor
from firmware_bridge.conformance.conversation import Ask, Conversation
from firmware_bridge.conformance.result import AT_MOST, ConformanceResult, Figures, Found, Report, Skipped, stretch
from firmware_bridge.kernel.errors import why_lost
from rungs.load import Load
from rungs.wire import WireLost

PARTS = 9
"""The number of parts of a check; each takes about a second."""


def nobody_there(deed: str) -> Callable[[], bool | None]:
    """Answer no. Used for checks without a person."""
    return lambda: False


def checked(
    ring: str,
    talk: Conversation,
    calibration: Calibration | None = None,
    ask: Ask = nobody_there,
    load: Load | None = None,
    watch: ProgressWatch = unwatched,
) -> Report:
    """Check the ring at the address *ring*, using the conversation *talk*.

    *ask* asks a person to do something. *watch* is called to report progress.

    Time limits are extended by the delays in *load*. The ring must not be in use. A check takes about ten seconds.
    Events that the ring stored earlier stay in its store. Passages caused by the check carry a token that no game uses.
    """
    figures, began, load = Figures(), talk.now(), load or Load()
    found: list[ConformanceResult | Skipped] = []
    try:
        found += link.greeting(talk, figures)
        if talk.hello is not None:
            found += _all(talk, figures, calibration, ask, watch)
    except WireLost as fault:
        found.append(ConformanceResult(f"stays connected ({why_lost(fault)})", 0, 1, "", "exactly"))
    stalled_s = load.worst_s(began)
    results = tuple(_stretched(each, stalled_s) for each in found if isinstance(each, ConformanceResult))
    skipped = tuple(each for each in found if isinstance(each, Skipped))
    return Report(ring, talk.hello, results, skipped, figures, stalled_s * 1000)


def _stretched(result: ConformanceResult, stalled_s: float) -> ConformanceResult:
    return replace(result, stretch=stretch(result.unit, stalled_s)) if result.bound == AT_MOST else result


def _all(
    talk: Conversation, figures: Figures, calibration: Calibration | None, ask: Ask, watch: ProgressWatch
) -> Iterator[ConformanceResult | Skipped]:
    for part in watch(_parts(talk, figures, calibration, ask), PARTS):
        yield from part


def _parts(talk: Conversation, figures: Figures, calibration: Calibration | None, ask: Ask) -> Iterator[Found]:
    yield link.status(talk, figures)
    yield link.pace(talk, figures)
    yield link.nonsense(talk, figures)
    yield orders.orders(talk, figures)
    yield events.events(talk, figures)
    yield sensor.references(talk, figures, calibration, ask)
    yield passages.passages(talk, figures, ask)
    yield events.event_order(talk, figures)
    yield link.lines(talk, figures)
