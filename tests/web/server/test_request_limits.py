"""Request bodies must arrive at a minimum speed."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.asgi_visitor import Visitor
from tests.web.server.test_gateway import Pages
from web.http.asgi import Scope
from web.server.gateway import IMPORT_MOST, Gateway
from web.server.request_limits import GUESTS, OWN, BodyDeadline, Pace, RequestBudget
from web.server.sse import SseStreams


def lasts(size: int, bytes_a_second: int, every_s: float = 1.0) -> float | None:
    """Return when a body of *size*, with one part *every_s*, times out, or None if it arrives."""
    pace, now = BodyDeadline(0.0), 0.0
    while size > 0:
        now += every_s
        if now > pace.until:
            return pace.until
        part = min(size, round(bytes_a_second * every_s))
        pace.came(part, now)
        size -= part
    return None


@pytest.mark.parametrize("every_s", [0.1, 1.0, 9.5])
def test_the_longest_record_passes_over_poor_wifi(every_s: float) -> None:
    """Pace: 8 MiB at 8 kB/s arrive, in small parts or in large ones."""
    assert lasts(IMPORT_MOST, 8000, every_s) is None


@pytest.mark.parametrize(("speed", "ends_s"), [(1, 10.1), (800, 12), (4000, 21), (7000, 81)])
def test_what_comes_more_slowly_ends(speed: int, ends_s: float) -> None:
    """Pace: the slower a body, the sooner it times out; one byte a second doesn't extend the time."""
    end = lasts(IMPORT_MOST, speed)

    assert end is not None
    assert end < ends_s


def test_what_came_fast_may_not_rest_on_it() -> None:
    """Pace: after megabytes in a second, ten seconds without data are a timeout."""
    pace = BodyDeadline(0.0)

    assert pace.came(IMPORT_MOST - 1, now=1.0) == 11.0


class Clock:
    """A clock in seconds that only advances when the test sets it."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_store_fills_by_so_many_a_second() -> None:
    """Budget: a burst is allowed, then a fixed number per second; after a pause, no more than the burst is allowed."""
    clock = Clock()
    budget = RequestBudget(Pace(2.0, 3), clock)
    at_once = [budget.take("a") for _ in range(5)]
    clock.time += 1
    later = [budget.take("a") for _ in range(3)]
    clock.time += 3600

    assert at_once == [True] * 3 + [False] * 2
    assert later == [True, True, False]
    assert [budget.take("a") for _ in range(4)] == [True] * 3 + [False]
    assert budget.take("b")


def test_asking_in_vain_costs_nothing() -> None:
    """Budget: refused requests cost nothing, so a client that goes on trying is served as soon as one that waits."""
    clock = Clock()
    budget = RequestBudget(Pace(1.0, 1), clock)
    for _ in range(50):
        budget.take("a")
    clock.time += 1

    assert budget.take("a")


def test_what_is_remembered_is_bounded() -> None:
    """Budget: if more addresses are active than are stored, the least recently active one starts again."""
    budget = RequestBudget(Pace(1.0, 1), Clock(), places=2)
    first = [budget.take(place) for place in ("a", "b", "a", "c")]

    assert first == [True, True, False, True]
    assert [budget.take(place) for place in ("a", "b")] == [False, True]


def answers(times: int, address: str = "10.0.0.7", host: bool = False, accept: str = "") -> list[Visitor]:
    """Return *times* answered visitors from *address*, all at the same moment, with a burst of three."""

    async def story() -> list[Visitor]:
        front = Gateway(Pages(), SseStreams(), lambda scope: host, now=Clock(), guests=Pace(1.0, 3))
        came = [Visitor("/table", "GET", {"accept": accept}, address) for _ in range(times)]
        for visitor in came:
            await visitor.come(front)
        return came

    return asyncio.run(story())


def test_a_device_that_asks_too_much_is_told_so() -> None:
    """Budget: a 429 has one sentence and Retry-After, and is a page if one was requested."""
    *_, refused = answers(4)
    *_, page = answers(4, accept="text/html")

    assert [visitor.status for visitor in answers(5)] == [204] * 3 + [429] * 2
    assert "this device asks too much" in refused.text
    assert (b"retry-after", b"1") in refused.sent[0]["headers"]
    assert 'href="/"' in page.text


def test_the_host_and_the_machine_itself_have_more() -> None:
    """Budget: the host isn't limited by others at its address, and 127.0.0.1 is not limited at all."""
    assert [visitor.status for visitor in answers(9, host=True)] == [204] * 9
    assert [visitor.status for visitor in answers(9, "127.0.0.1")] == [204] * 9
    assert [visitor.status for visitor in answers(9, "127.0.0.2")] == [204] * 3 + [429] * 6
    assert (OWN.a_second, OWN.at_once) == (10 * GUESTS.a_second, 10 * GUESTS.at_once)


def test_a_whole_64_is_one_place() -> None:
    """Budget: another address of the same IPv6 network shares the budget."""

    async def story() -> list[int]:
        front = Gateway(Pages(), SseStreams(), nobody, now=Clock(), guests=Pace(1.0, 3))
        came = [Visitor("/table", "GET", {}, f"2001:db8::{number}") for number in range(5)]
        for visitor in came:
            await visitor.come(front)
        return [visitor.status for visitor in came]

    assert asyncio.run(story()) == [204] * 3 + [429] * 2


def nobody(_: Scope) -> bool:
    return False
