"""The gateway: bodies are read completely before a thread handles them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.web.asgi_visitor import Visitor
from web.http.asgi import Receive, Scope, Send
from web.server.gateway import BODY_MOST, GUEST_SHARE, IMPORT, IMPORT_MOST, MOST, Gateway, IsHost
from web.server.sse import SseStreams


class Pages:
    """An application that records the requests it gets."""

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
    """Send *bodies* to *path*; return the visitor and the pages after the answer or the disconnection."""

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
    """Body: the application gets it in one piece with its length, however many pieces it came in."""
    visitor, pages = visit("/table/do", b"line=", b"", b"deal")

    assert (visitor.status, pages.bodies, pages.lengths) == (204, [b"line=deal"], [b"9"])


@pytest.mark.parametrize(("path", "most"), [("/table/do", BODY_MOST), *MOST.items()])
def test_a_body_has_its_limit(path: str, most: int) -> None:
    """Body: the maximum size is accepted, and one more byte gives 413 without using a thread; records may be larger."""
    half = b"x" * (most // 2)
    taken, pages = visit(path, half, half)
    refused, none = visit(path, half, half, b"xx")

    assert (taken.status, len(pages.bodies[0])) == (204, most)
    assert (refused.status, none.bodies) == (413, [])


def test_people_are_refused_with_a_page() -> None:
    """Body: if a page was requested, a body that is too large is answered with a page that says so."""
    visitor, _ = visit("/table/do", b"x" * (BODY_MOST + 1), accept="text/html,*/*")
    kinds = [value for name, value in visitor.sent[0]["headers"] if name == b"content-type"]

    assert (visitor.status, kinds) == (413, [b"text/html; charset=utf-8"])
    assert "Nothing changed" in visitor.text
    assert 'href="/"' in visitor.text


def test_a_body_that_does_not_come_is_given_up() -> None:
    """Body: a timeout gives 408 without calling the application."""
    visitor, pages = visit("/table/do", b"line=", ends=False)

    assert (visitor.status, pages.bodies) == (408, [])
    assert "slower than 8 kB a second" in visitor.text


def test_whoever_leaves_in_the_middle_changes_nothing() -> None:
    """Body: an incomplete form is not passed to the application."""
    _, pages = visit("/table/do", b"line=", ends=False, leaves=True)

    assert pages.bodies == []


def test_the_end_of_the_house_waits_for_no_body() -> None:
    """Body: when the server closes, incomplete bodies are dropped at once."""

    async def story() -> None:
        front = Gateway(pages, SseStreams(), anybody, stall_s=3600)
        visitor = Visitor("/table/do", "POST")
        visitor.body = [{"type": "http.request", "body": b"line=", "more_body": True}]
        task = visitor.come(front)
        while visitor.body:
            await asyncio.sleep(0)  # one iteration of the loop, until the first piece was read
        front.close()
        async with asyncio.timeout(5):
            await task

        assert visitor.status == 408

    pages = Pages()
    asyncio.run(story())
    assert pages.bodies == []


@pytest.mark.parametrize("path", MOST)
def test_much_is_read_from_the_host_only(path: str) -> None:
    """A visitor's import isn't read: the application is called at once without the body, and refuses the import."""
    visitor, pages = visit(path, b"x" * 1000, ends=False, is_host=nobody)

    assert (visitor.status, pages.bodies, pages.lengths) == (204, [b""], [b"0"])
    assert visitor.body, "nothing was read"


async def waiting(front: Gateway, path: str, address: str, size: int) -> tuple[Visitor, asyncio.Task[Any]]:
    """Announce *size* bytes to *front*, send all but one, and return the visitor and its task."""
    visitor = Visitor(path, "POST", {"content-length": str(size)}, address)
    visitor.body = [{"type": "http.request", "body": b"x" * (size - 1), "more_body": True}]
    task = visitor.come(front)
    while visitor.body and not task.done():
        await asyncio.sleep(0)  # one iteration of the loop, until it was read or refused
    return visitor, task


async def asked(front: Gateway, address: str, path: str = "/table/do", size: int = 9) -> Visitor:
    """Send a body of *size* bytes from *address*, and return the answered visitor."""
    visitor = Visitor(path, "POST", {"content-length": str(size), "accept": "text/html"}, address)
    visitor.body = parts(b"x" * size)
    await visitor.come(front)
    return visitor


def with_much_on_its_way(is_host: IsHost, path: str, *sizes: int) -> dict[str, Visitor]:
    """Return the answers to 10.0.0.66 and another address during uploads of *sizes* by 10.0.0.66, and afterwards."""
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
    """Body: an address whose uploads have reached their share is refused with 429, but another address isn't."""
    answers = with_much_on_its_way(nobody, "/table/do", *[BODY_MOST] * (GUEST_SHARE // BODY_MOST))

    assert [answers[who].status for who in ("same", "other", "later")] == [429, 204, 204]
    assert (b"retry-after", b"5") in answers["same"].sent[0]["headers"]
    assert "too many uploads at once" in answers["same"].text
    assert "larger" not in answers["same"].text and "smaller" not in answers["same"].text


def test_a_second_record_waits_for_the_first() -> None:
    """Body: an address can upload one record of the maximum size at a time; commands from others are executed."""
    answers = with_much_on_its_way(anybody, IMPORT, IMPORT_MOST)

    assert [answers[who].status for who in ("same", "other", "later")] == [429, 204, 204]


def test_strangers_take_nothing_of_the_hosts_share() -> None:
    """Body: the host's command is executed even from an address whose share is used up."""

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
    """Body: if the announced length is too large, the body is refused without being read."""

    async def story() -> None:
        front = Gateway(Pages(), SseStreams(), nobody, stall_s=3600)
        visitor, task = await waiting(front, "/table/do", "10.0.0.7", BODY_MOST + 1)
        await task

        assert (visitor.status, len(visitor.body)) == (413, 1)

    asyncio.run(story())
