"""The front door: bodies are read whole before anybody is troubled with them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.web.asgi_visitor import Visitor
from web.http.asgi import Receive, Scope, Send
from web.server.gateway import BODY_MOST, GUEST_SHARE, IMPORT, IMPORT_MOST, MOST, Gateway, IsHost
from web.server.sse import SseStreams


class Pages:
    """An application that keeps what it was handed."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.lengths: list[bytes] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.bodies.append((await receive())["body"])
        self.lengths += [value for name, value in scope["headers"] if name == b"content-length"]
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def anybody(_: Scope) -> bool:
    return True


def nobody(_: Scope) -> bool:
    return False


def parts(*bodies: bytes) -> list[Any]:
    last = len(bodies) - 1
    return [{"type": "http.request", "body": body, "more_body": n < last} for n, body in enumerate(bodies)]


def visit(path: str, *bodies: bytes, ends: bool = True, **more: Any) -> tuple[Visitor, Pages]:
    """Return who came with *bodies* to *path*, answered or let go, and what the pages were handed."""

    async def story() -> None:
        visitor.body = parts(*bodies) if ends else [{**part, "more_body": True} for part in parts(*bodies)]
        if more.get("leaves"):
            visitor.leave()
        await visitor.come(front)

    pages = Pages()
    front = Gateway(pages, SseStreams(), more.get("is_host", anybody), stall_s=0.01)
    visitor = Visitor(path, "POST", {"transfer-encoding": "chunked", "accept": more.get("accept", "")})
    asyncio.run(story())
    return visitor, pages


def test_pieces_are_handed_on_as_one() -> None:
    """Body: in how many pieces it came makes no difference; its length is announced."""
    visitor, pages = visit("/table/do", b"line=", b"", b"deal")

    assert (visitor.status, pages.bodies, pages.lengths) == (204, [b"line=deal"], [b"9"])


@pytest.mark.parametrize(("path", "most"), [("/table/do", BODY_MOST), *MOST.items()])
def test_a_body_has_its_limit(path: str, most: int) -> None:
    """Body: exactly the most is taken, one byte more is 413, and no thread was troubled; records may be larger."""
    half = b"x" * (most // 2)
    taken, pages = visit(path, half, half)
    refused, none = visit(path, half, half, b"xx")

    assert (taken.status, len(pages.bodies[0])) == (204, most)
    assert (refused.status, none.bodies) == (413, [])


def test_people_are_refused_with_a_page() -> None:
    """Body: who asked for a page is told on one that it was too much, and where to go."""
    visitor, _ = visit("/table/do", b"x" * (BODY_MOST + 1), accept="text/html,*/*")
    kinds = [value for name, value in visitor.sent[0]["headers"] if name == b"content-type"]

    assert (visitor.status, kinds) == (413, [b"text/html; charset=utf-8"])
    assert "Nothing changed" in visitor.text
    assert 'href="/"' in visitor.text


def test_a_body_that_does_not_come_is_given_up() -> None:
    """Body: after its time it is 408, without a page having been asked."""
    visitor, pages = visit("/table/do", b"line=", ends=False)

    assert (visitor.status, pages.bodies) == (408, [])
    assert "slower than 8 kB a second" in visitor.text


def test_whoever_leaves_in_the_middle_changes_nothing() -> None:
    """Body: half a form is no form."""
    _, pages = visit("/table/do", b"line=", ends=False, leaves=True)

    assert pages.bodies == []


def test_the_end_of_the_house_waits_for_no_body() -> None:
    """Body: what has not come when the house closes is given up at once."""

    async def story() -> None:
        front = Gateway(pages, SseStreams(), anybody, stall_s=3600)
        visitor = Visitor("/table/do", "POST")
        visitor.body = [{"type": "http.request", "body": b"line=", "more_body": True}]
        task = visitor.come(front)
        while visitor.body:
            await asyncio.sleep(0)  # a turn of the loop, until the first piece was taken
        front.close()
        async with asyncio.timeout(5):
            await task

        assert visitor.status == 408

    pages = Pages()
    asyncio.run(story())
    assert pages.bodies == []


@pytest.mark.parametrize("path", MOST)
def test_much_is_read_from_the_host_only(path: str) -> None:
    """Body: where records come in, a stranger's body is not waited for; the pages are asked at once, and refuse."""
    visitor, pages = visit(path, b"x" * 1000, ends=False, is_host=nobody)

    assert (visitor.status, pages.bodies, pages.lengths) == (204, [b""], [b"0"])
    assert visitor.body, "nothing was read"


async def waiting(front: Gateway, path: str, address: str, size: int) -> tuple[Visitor, asyncio.Task[Any]]:
    """Return who has announced *size* bytes to *front*, has sent all but one, and its request."""
    visitor = Visitor(path, "POST", {"content-length": str(size)}, address)
    visitor.body = [{"type": "http.request", "body": b"x" * (size - 1), "more_body": True}]
    task = visitor.come(front)
    while visitor.body and not task.done():
        await asyncio.sleep(0)  # a turn of the loop, until it was read or refused
    return visitor, task


async def asked(front: Gateway, address: str, path: str = "/table/do", size: int = 9) -> Visitor:
    """Return who has sent a body of *size* bytes from *address*, answered."""
    visitor = Visitor(path, "POST", {"content-length": str(size), "accept": "text/html"}, address)
    visitor.body = parts(b"x" * size)
    await visitor.come(front)
    return visitor


def with_much_on_its_way(is_host: IsHost, path: str, *sizes: int) -> dict[str, Visitor]:
    """Return how two addresses fare while bodies of *sizes* from 10.0.0.66 are on their way, and after them."""
    answers = {}

    async def story() -> None:
        front = Gateway(Pages(), SseStreams(), is_host, stall_s=3600)
        tasks = [(await waiting(front, path, "10.0.0.66", size))[1] for size in sizes]
        answers["same"] = await asked(front, "10.0.0.66", path, sizes[0])
        answers["other"] = await asked(front, "10.0.0.7")
        front.close()
        await asyncio.gather(*tasks)
        answers["later"] = await asked(front, "10.0.0.66", path, sizes[0])

    asyncio.run(story())
    return answers


def test_one_address_has_its_share() -> None:
    """Body: an address that has its share on the way is refused more in plain words; another is not."""
    answers = with_much_on_its_way(nobody, "/table/do", *[BODY_MOST] * (GUEST_SHARE // BODY_MOST))

    assert [answers[who].status for who in ("same", "other", "later")] == [429, 204, 204]
    assert (b"retry-after", b"5") in answers["same"].sent[0]["headers"]
    assert "too many uploads at once" in answers["same"].text
    assert "larger" not in answers["same"].text and "smaller" not in answers["same"].text


def test_a_second_record_waits_for_the_first() -> None:
    """Body: an address sends one longest record at a time, and a command from elsewhere goes on beside it."""
    answers = with_much_on_its_way(anybody, IMPORT, IMPORT_MOST)

    assert [answers[who].status for who in ("same", "other", "later")] == [429, 204, 204]


def test_strangers_take_nothing_of_the_hosts_share() -> None:
    """Body: the host is heard from the very address that has no share left for others."""

    async def story() -> None:
        front = Gateway(Pages(), SseStreams(), lambda scope: scope["path"] == "/host", stall_s=3600)
        tasks = [
            (await waiting(front, "/table/do", "10.0.0.66", BODY_MOST))[1] for _ in range(GUEST_SHARE // BODY_MOST)
        ]

        assert (await asked(front, "10.0.0.66", "/table/do")).status == 429
        assert (await asked(front, "10.0.0.66", "/host", BODY_MOST)).status == 204
        front.close()
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_too_much_is_refused_when_it_is_announced() -> None:
    """Body: what says that it will be too large is not waited for."""

    async def story() -> None:
        front = Gateway(Pages(), SseStreams(), nobody, stall_s=3600)
        visitor, task = await waiting(front, "/table/do", "10.0.0.7", BODY_MOST + 1)
        await task

        assert (visitor.status, len(visitor.body)) == (413, 1)

    asyncio.run(story())
