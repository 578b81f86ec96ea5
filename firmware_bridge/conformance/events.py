"""Checks that a ring stores its events until they are acknowledged, and sends them in order with unique numbers."""

from __future__ import annotations

from itertools import pairwise

from firmware_bridge.conformance.conversation import TRIES, TRY_S, Conversation, RingLine
from firmware_bridge.conformance.result import EXACTLY, ConformanceResult, Figures, Found, Skipped
from firmware_bridge.protocol.messages import Event

REPORT_S = 1.0
AGAIN_S = 2.5  # a lost event is sent again after at most 2 s, the longest timeout
ACKED_S = 0.2
WHY_NONE = "no order makes this ring send an event"


def events(talk: Conversation, figures: Figures) -> Found:
    """Check that events are stored, resent, and deleted when acknowledged. Older events stay on the ring."""
    talk.ack()  # report the older events as arrived, because a ring resends only the oldest eight without an answer
    own = _happen(talk)
    if own is None:
        for name in ("event sent again while nobody answers", "event sent again when asked for"):
            yield Skipped(name, WHY_NONE)
        yield Skipped("event forgotten when acknowledged", WHY_NONE)
        return
    yield ConformanceResult(
        "event sent again while nobody answers", int(_comes_again(talk, own, AGAIN_S)), 1, "", EXACTLY
    )
    for _ in range(TRIES):  # repeated, because an acknowledgement may be lost
        talk.ack()
        talk.listen(ACKED_S)
    before = len(talk.events[own])
    talk.listen(AGAIN_S)
    yield ConformanceResult("event sent again though it arrived", len(talk.events[own]) - before, 0, "times")
    yield from _replayed(talk, own)


def _replayed(talk: Conversation, own: int) -> Found:
    if not talk.keeps_older:
        talk.listen(0)
        own = _happen(talk) or own
    again = any(_replays(talk, own) for _ in range(TRIES))
    yield ConformanceResult("event sent again when asked for", int(again), 1, "", EXACTLY)
    if talk.keeps_older:
        yield Skipped("event forgotten when acknowledged", "the ring holds older events that aren't ours to take")
        return
    for _ in range(TRIES):
        talk.ack()
    _, tally = talk.dump()
    yield ConformanceResult("event forgotten when acknowledged", int(bool(tally and tally.first > own)), 1, "", EXACTLY)


def _replays(talk: Conversation, own: int) -> bool:
    talk.say("replay", ("n", own))
    return _comes_again(talk, own, TRY_S)


def _happen(talk: Conversation) -> int | None:
    """Cause an event by an order. Return the event's number, or None if no event follows."""
    newest, since = max([talk.before, *talk.events]), len(talk.lines)  # a fast ring sends both together
    if talk.hello is None or talk.hello.sensor == "none":
        return None
    talk.order("look", ("what", "dark"))
    found = talk.wait(lambda line: newest < _number(line) and _number(line) in talk.events, REPORT_S, since)
    return _number(found) if found else None


def _number(line: RingLine) -> int:
    return line.message.number if isinstance(line.message, Event) else 0


def _comes_again(talk: Conversation, number: int, within_s: float) -> bool:
    found = talk.wait(lambda line: isinstance(line.message, Event) and line.message.number == number, within_s)
    return found is not None


def event_order(talk: Conversation, figures: Figures) -> Found:
    """Check that event numbers have no gaps, times never go back, and repeated events are equal.

    Call this check last.
    """
    numbers = sorted(talk.events)
    if not numbers:
        yield Skipped("gaps between events", "no event came")
        return
    yield ConformanceResult("gaps between events", numbers[-1] - numbers[0] + 1 - len(numbers), 0, "events")
    bodies = [{line.body for line in talk.events[number]} for number in numbers]
    yield ConformanceResult("events that changed when told again", sum(len(each) > 1 for each in bodies), 0, "events")
    firsts = [min(line.at for line in talk.events[number]) for number in numbers]
    out_of_order = sum(later < sooner for sooner, later in pairwise(firsts))
    yield ConformanceResult("events told out of order", out_of_order, talk.damaged, "events")
