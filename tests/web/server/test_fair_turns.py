"""Turns of requests: the host's come first, and no client delays the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import pytest

from tests.web.asgi_visitor import Visitor
from web.http.asgi import Receive, Scope, Send
from web.server.fair_turns import Crowded, Rank, Turns
from web.server.gateway import FOR_COMMANDS, THREADS, Gateway
from web.server.sse import SseStreams

HOST_FIRST = {"host": Rank.COMMAND}


def told(story: Callable[[], Awaitable[list[str]]]) -> list[str]:
    """Return the result of *story*."""

    async def patient() -> list[str]:
        async with asyncio.timeout(60):
            return await story()

    return asyncio.run(patient())


async def queue(
    turns: Turns, *whose: str, ranks: Mapping[str, Rank] = HOST_FIRST
) -> tuple[list[str], list[asyncio.Task[None]]]:
    """Queue requests in this order with *ranks*. Each request gives its turn back when it has been answered."""
    answered: list[str] = []

    async def ask(place: str) -> None:
        turn = await turns.take(place, ranks.get(place, Rank.OTHERS))
        answered.append(place)
        turn.give_back()

    tasks = [asyncio.create_task(ask(place)) for place in whose]
    await asyncio.sleep(0)  # one iteration of the loop, until all are waiting
    return answered, tasks


def test_the_host_goes_first_and_places_take_turns() -> None:
    """Turns: many requests from one address delay only that address."""

    async def story() -> list[str]:
        turns = Turns(1)
        busy = await turns.take("a")
        answered, tasks = await queue(turns, "a", "a", "a", "b", "host", "c")
        busy.give_back()
        await asyncio.gather(*tasks)
        return answered

    assert told(story) == ["host", "a", "b", "c", "a", "a"]


def test_who_leaves_while_waiting_takes_no_turn_along() -> None:
    """Turns: a cancelled request passes its turn on, whether it was still waiting or had just got its turn."""

    async def story() -> list[str]:
        turns = Turns(1)
        busy = await turns.take("a")
        answered, (first, second, third) = await queue(turns, "a", "b", "c")
        first.cancel()
        busy.give_back()
        second.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)
        (await turns.take("d")).give_back()
        return answered

    assert told(story) == ["c"]


def test_a_turn_is_given_back_once() -> None:
    """Turns: giving a turn back twice admits only one request."""

    async def story() -> list[str]:
        turns = Turns(1)
        first = await turns.take("a")
        first.give_back()
        first.give_back()
        await turns.take("a")
        answered, tasks = await queue(turns, "b")
        tasks[0].cancel()
        return answered

    assert told(story) == []


def test_a_place_has_room_for_so_many() -> None:
    """Requests beyond what a browser sends at once are refused, but not those of other clients."""

    async def story() -> list[str]:
        turns = Turns(1, most_waiting=2)
        busy = await turns.take("a")
        answered, tasks = await queue(turns, "a", "a", "host", "host", "host", "b")
        with pytest.raises(Crowded):
            await turns.take("a")
        busy.give_back()
        await asyncio.gather(*tasks)
        return answered

    assert told(story) == ["host", "host", "host", "a", "b", "a"]


def test_those_who_play_take_turns_too() -> None:
    """Turns: a phone that sends endless requests delays the host by only one of them."""

    async def story() -> list[str]:
        turns = Turns(1)
        busy = await turns.take("a")
        answered, tasks = await queue(
            turns, "phone", "phone", "phone", "host", "a", ranks={"phone": Rank.OWN, "host": Rank.OWN}
        )
        busy.give_back()
        await asyncio.gather(*tasks)
        return answered

    assert told(story) == ["phone", "host", "phone", "phone", "a"]


def test_slow_readers_hold_no_turn() -> None:
    """Turns: a turn ends when the page is rendered, however slowly it is read, and also after an exception."""

    async def story() -> list[str]:
        front = Gateway(pages, SseStreams(), lambda scope: False)
        slow = [Visitor("/table", "GET") for _ in range(2 * THREADS)]
        for visitor in slow:
            visitor.taking.clear()
        reading = [visitor.come(front) for visitor in slow]
        faulty = [Visitor("/fault", "GET").come(front) for _ in range(2 * THREADS)]
        await asyncio.gather(*faulty, return_exceptions=True)
        quick = Visitor("/table", "GET")
        await quick.come(front)
        for visitor in slow:
            visitor.taking.set()
        await asyncio.gather(*reading)
        return [str(quick.status)]

    async def pages(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/fault":
            raise RuntimeError("a bug of ours")
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    assert told(story) == ["204"]


def test_a_client_holds_one_thread() -> None:
    """Turns: a client with many requests waits for its own answers, even if threads are free."""

    async def story() -> list[str]:
        turns = Turns(4)
        first = await turns.take("a")
        answered, tasks = await queue(turns, "a", "a", "b")
        before = [*answered]
        first.give_back()
        await asyncio.gather(*tasks)
        return [*before, "then", *answered]

    assert told(story) == ["b", "then", "b", "a", "a"]


def test_slow_pages_of_many_clients_leave_a_thread_to_the_host() -> None:
    """Turns: while four phones request slow pages, a host's command is answered at once, despite its own slow page."""

    async def story() -> list[str]:
        turns = Turns(THREADS, FOR_COMMANDS)
        slow = [asyncio.create_task(turns.take(f"phone {n}", Rank.OWN)) for n in range(THREADS)]
        page = asyncio.create_task(turns.take("host", Rank.OWN))
        await asyncio.sleep(0)
        command = await turns.take("host", Rank.COMMAND)
        under_way = [f"{sum(task.done() for task in slow)} slow", f"{page.done()}"]
        command.give_back()
        for task in (*slow, page):
            (await task).give_back()
        return under_way

    assert told(story) == [f"{THREADS - FOR_COMMANDS} slow", "False"]


def test_commands_of_the_host_come_one_after_another() -> None:
    """Turns: a device's second command waits for the first, and comes before every page."""

    async def story() -> list[str]:
        turns = Turns(1)
        first = await turns.take("host", Rank.COMMAND)
        answered, tasks = await queue(turns, "a", "phone", "host", ranks={"phone": Rank.OWN, "host": Rank.COMMAND})
        first.give_back()
        await asyncio.gather(*tasks)
        return answered

    assert told(story) == ["host", "phone", "a"]
