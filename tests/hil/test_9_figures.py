"""PROTOCOL 9: figures that a device must keep, measured."""

from __future__ import annotations

import pytest

from firmware_bridge.conformance.result import quantile

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#9")

ANSWER_MS = TELL_MS = 100.0
LONGEST = 120
TIMES = 20
ORDERS_S = 3.0


def took(host, ask) -> float:
    """Return how long *ask* took, in milliseconds."""
    began = host.rung.now()
    line = ask()
    assert line
    return (line.at - began) * 1000


def within(measure, name: str, trips: list[float]) -> None:
    """Check that nineteen of twenty answers came within the limit."""
    measure(f"{name} (p95)", quantile(trips, 0.95), at_most=ANSWER_MS, unit="ms")


def test_a_ping_is_answered_within_100_ms(host, measure):
    """Nineteen of twenty pings are answered within 100 ms."""
    trips = [took(host, host.talk.ping) for _ in range(TIMES)]

    within(measure, "ping answered", trips)


def test_an_order_is_answered_within_100_ms(host, measure):
    """Nineteen of twenty orders are answered within 100 ms."""
    trips = [took(host, lambda token=token: host.talk.order("arm", ("tok", token))) for token in range(1, TIMES)]

    within(measure, "order answered", trips)


def test_a_greeting_is_answered_within_100_ms(host, measure):
    """Nineteen of twenty greetings are answered within 100 ms."""
    trips = []
    for _ in range(TIMES):
        began = host.rung.now()
        assert host.talk.greeted_again(0.5)
        trips.append((host.rung.now() - began) * 1000)

    within(measure, "greeting answered", trips)


@pytest.mark.needs("slides", "leisure", "midway")
@pytest.mark.waits(4.0)
def test_a_ping_is_answered_while_a_cube_is_in_the_gate(host, measure):
    """Pings are answered within 100 ms while a cube is in the gate, too."""
    before = host.newest
    host.hand({"slide": 1, "colours": ["red"], "fault": "stuck"})
    host.word("gate", before)
    host.listen(0.5)

    trips = [took(host, host.talk.ping) for _ in range(TIMES)]

    within(measure, "ping answered during a passage", trips)
    host.closed(before)


def test_a_dump_is_answered_within_100_ms(host, measure):
    """A `dump` is answered completely within 100 ms."""
    began = host.rung.now()
    host.status()

    measure("dump answered", (host.rung.now() - began) * 1000, at_most=ANSWER_MS, unit="ms")


@pytest.mark.needs("leisure", "slides")
@pytest.mark.deed(2)
def test_no_line_is_longer_than_120_bytes(host, measure):
    """No line is longer than 120 bytes, even in a passage with many frames and the longest numbers."""
    host.slide("white", 25)
    host.slide("red", fault="back")
    host.sift()

    measure("longest line", host.talk.longest, at_most=LONGEST, unit="bytes")


@pytest.mark.needs("slides", "edge times")
@pytest.mark.deed(4)
def test_a_passage_is_told_soon_after_its_last_edge(host, measure):
    """The last line of a passage reaches the host within 100 ms after the last edge at the gate."""
    late = [told_late(host, host.slide("red", 100)) for _ in range(4)]

    measure("passage told after its last edge (p50)", quantile(late, 0.5), at_most=TELL_MS, unit="ms")
    measure("passage told after its last edge (longest)", max(late), at_most=TELL_MS, unit="ms")


@pytest.mark.needs("slides", "edge times", "leisure")
@pytest.mark.waits(3.5)
def test_a_passage_is_told_as_soon_while_the_next_cube_rests_at_the_inner_beam(host, measure):
    """A cube's last line reaches the host within 100 ms after its B-, whatever the next cube does."""
    late = told_late(host, host.slide("red", 100, "waiting", "out"))

    measure("passage told after its last edge, the next cube at A", late, at_most=TELL_MS, unit="ms")


def told_late(host, passage) -> float:
    """Return the milliseconds from the last edge of *passage* to its last line, by the ring's own clock."""
    began, pong = host.rung.now(), host.talk.ping()
    ours_less_theirs = (began + pong.at) / 2 - pong.message.at_us / 1e6
    last_edge_us = passage.verdict.at_us + int(passage.verdict.fields["us"])
    return (passage.at - (last_edge_us / 1e6 + ours_less_theirs)) * 1000


@pytest.mark.needs("slides", "edge times", "leisure")
def test_a_passage_is_told_as_soon_whatever_orders_come_meanwhile(host, measure):
    """A passage is reported within 100 ms, even if orders and pings arrive all the time from the gate's opening on."""
    before, until, token = host.newest, host.rung.now() + ORDERS_S, 0
    host.hand({"slide": 1, "colours": ["red"], "speed_mm_s": 60})
    while host.rung.now() < until and not any(
        event.word == "pass" for number, event in host.events.items() if number > before
    ):
        token += 1
        host.talk.order("arm", ("tok", token))
        host.talk.ping()
        host.listen(0.01)

    late = told_late(host, host.passage(before))
    host.closed(before)
    measure("passage told after its last edge, orders meanwhile", late, at_most=TELL_MS, unit="ms")
