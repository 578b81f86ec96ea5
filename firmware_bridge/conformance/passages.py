"""Checks that passages are reported completely: the verdict, edges that match it, sensor frames, and the token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from firmware_bridge.conformance.conversation import TRY_S, Ask, Conversation, RingLine
from firmware_bridge.conformance.orders import TOKEN, done
from firmware_bridge.conformance.result import AT_LEAST, ConformanceResult, Figures, Found, Skipped, quantile
from firmware_bridge.device.beam_recogniser import MOST_EDGES, Recogniser
from firmware_bridge.device.codec import whole
from firmware_bridge.passages.passage import MeasuredPassage, measured
from firmware_bridge.protocol.messages import Event, Pong

SLIDES = 6
REPORT_S = 3.0
CLOSES_S = 1.0  # how long to wait after a cube until the gate is closed
CLOCKS_S = 0.05  # the possible error when a single ping measures the ring's clock
LATE_S = 0.5  # extra time for parts that were lost and resent
MUST_REPORT_MS = 100.0  # from the moment when the cube leaves until the report reaches the host, over any wire
LENGTH_OFF = 0.25
UNDER = "red:3,blue:3,green:3"
LEFT = ("out", "pair")
SEEN = ("out", "pair", "back")
NAMES = ("passages told", "passages that cannot be read", "verdicts that the edges contradict")


def passages(talk: Conversation, figures: Figures, ask: Ask) -> Found:
    """Let a few cubes out, on command or by hand, and check their reports."""
    events, took = _slid(talk, ask)
    if events is None:
        for name in NAMES:
            yield Skipped(name, "this ring can't slide by itself: use --ask")
        return
    verdicts = [event for event in events if event.word == "pass"]
    yield ConformanceResult("passages told", len(verdicts), len(took), "passages", AT_LEAST)
    timed = [ms for ms in took if ms is not None]
    if len(timed) > 1:
        yield ConformanceResult("passage told after it was over (p50)", quantile(timed, 0.5), MUST_REPORT_MS, "ms")
    yield ConformanceResult("verdicts with another token than armed", _foreign(verdicts), 0, "passages")
    by_number = {event.number: event for event in events}
    broken = 0
    for verdict in verdicts:
        try:
            figures.passages.append(seen(verdict, by_number))
        except (KeyError, ValueError):
            broken += 1
    yield ConformanceResult("passages that cannot be read", broken, 0, "passages")
    yield from _looked_at(talk, figures.passages)


def _slid(talk: Conversation, ask: Ask) -> tuple[list[Event] | None, list[float | None]]:
    """Let some cubes out. Return the events, and how long each report took.

    If no cubes can be let out, the events are None.

    If a damaged line was received meanwhile, that time is None, because the delay is not the ring's fault.
    """
    since = len(talk.lines)
    if talk.hello and "s" in talk.hello.abilities:
        took = _slid_by_order(talk)
    else:
        talk.order("arm", ("tok", TOKEN))
        took = [0.0]
        if not talk.asked(ask, "Slide one cube out of the ring."):
            talk.order("disarm")
            return None, []
    talk.ack()
    talk.order("disarm")
    talk.listen(LATE_S)
    talk.ack()
    fresh = {line.message.number: line.message for line in talk.lines[since:] if isinstance(line.message, Event)}
    return [fresh[number] for number in sorted(fresh) if number > talk.before], took


def _slid_by_order(talk: Conversation) -> list[float | None]:
    took: list[float | None] = []
    talk.order("under", ("n", 0), ("u", UNDER))
    talk.order("arm", ("tok", TOKEN))
    for _ in range(SLIDES):
        since, newest, off = len(talk.lines), max([talk.before, *talk.events]), _clock(talk)
        began, damaged = talk.now(), talk.damaged
        if not done(talk.order("slide")):
            break
        line = talk.wait(partial(_is_new_verdict, newest), REPORT_S, since)
        late_ms = _late_ms(line, began, off) if line else float("inf")
        took.append(late_ms if talk.damaged == damaged else None)
        talk.listen(0.02)
        talk.wait(_closed, CLOSES_S, since)
        talk.ack()
    return took


def _is_new_verdict(newest: int, line: RingLine) -> bool:
    """Return whether *line* is a verdict newer than the event *newest*."""
    event = line.message
    return isinstance(event, Event) and event.word == "pass" and event.number > newest


def _clock(talk: Conversation) -> float:
    """Return the difference between our clock and the ring's, in seconds."""
    began = talk.now()
    line = talk.ping(TRY_S)
    if line is None or not isinstance(line.message, Pong):
        return float("nan")
    return (began + line.at) / 2 - line.message.at_us / 1e6


def _closed(line: RingLine) -> bool:
    """Return whether *line* reports that the gate was closed, which ends a slide."""
    event = line.message
    return isinstance(event, Event) and event.word == "gate" and event.fields.get("open") == "0"


def _late_ms(line: RingLine, began: float, off: float) -> float:
    """Return the time from the end of a passage to its report, in milliseconds. *off* corrects the ring's clock.

    The clock of a simulated ring may jump ahead by the duration of a passage, so the end may lie in our future. In that
    case the time is measured from the order at *began*.
    """
    verdict = line.message
    assert isinstance(verdict, Event)
    try:
        over = (verdict.at_us + whole(verdict.fields["us"])) / 1e6
    except (KeyError, ValueError):
        return float("inf")
    late = line.at - over - off
    return 1000 * (max(late, 0.0) if late > -CLOCKS_S else line.at - began)


def _foreign(verdicts: Sequence[Event]) -> int:
    return sum(event.fields.get("tok") != str(TOKEN) for event in verdicts)


def seen(verdict: Event, events: dict[int, Event]) -> MeasuredPassage:
    """Parse the passage that ends with *verdict*. Raise KeyError or ValueError if a part is missing or malformed."""
    parts = [events[verdict.number - back] for back in range(whole(verdict.fields["parts"]), 0, -1)]
    return measured([*parts, verdict])


def _looked_at(talk: Conversation, passed: Sequence[MeasuredPassage]) -> Found:
    sensor = talk.hello is not None and talk.hello.sensor != "none"
    coloured = [each for each in passed if each.kind in SEEN and each.edges]
    if sensor and coloured:
        yield ConformanceResult("passages without a frame", sum(not each.frames for each in coloured), 0, "passages")
        outside = sum(not each.edges[0][2] <= at <= each.edges[-1][2] for each in coloured for at, _ in each.frames)
        yield ConformanceResult("frames from outside the passage", outside, 0, "frames")
    yield ConformanceResult("edges that make no sense", sum(map(_senseless, passed)), 0, "passages")
    yield ConformanceResult("verdicts that the edges contradict", sum(map(_contradicted, passed)), 0, "passages")
    lengths = sorted(each.length for each in passed if each.kind == "out" and each.length is not None)
    if lengths:
        off = abs(lengths[len(lengths) // 2] - 1)
        yield ConformanceResult("length of a cube off one edge (median)", off, LENGTH_OFF, "edges")
    yield ConformanceResult("cubes that left", sum(each.kind in LEFT for each in passed), 1, "cubes", AT_LEAST)


def _senseless(each: MeasuredPassage) -> bool:
    """Return whether the edges are inconsistent: they do not start at 0, go back in time, or do not alternate for each
    beam.
    """
    times = [at for _, _, at in each.edges]
    by_turns = all(list(_ways(each, beam)) == _alternating(each, beam) for beam in "AB")
    return not times or times[0] != 0 or times != sorted(times) or not by_turns


def _ways(each: MeasuredPassage, beam: str) -> Iterator[bool]:
    return (on for name, on, _ in each.edges if name == beam)


def _alternating(each: MeasuredPassage, beam: str) -> list[bool]:
    return [n % 2 == 0 for n in range(sum(name == beam for name, _, _ in each.edges))]


def _contradicted(each: MeasuredPassage) -> bool:
    """Return True if our recogniser and the ring disagree about whether a cube left. A pair counts as leaving."""
    if each.kind not in SEEN or not each.edges or len(each.edges) >= MOST_EDGES or each.edges[-1][2] > 2_000_000:
        return False
    recogniser = Recogniser()
    found = [recogniser.edge(*edge) for edge in each.edges]
    texts = [passage.kind for passage in found if passage]
    return not texts or (texts[-1] in LEFT) != (each.kind in LEFT)
