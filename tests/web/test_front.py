"""The front door: bodies are read whole before anybody is troubled with them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.web.asgi_visitor import Visitor
from web.asgi import Receive, Scope, Send
from web.front import BODY_MOST, MOST, Front
from web.streams import Streams


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
    front = Front(pages, Streams(), body_s=0.01)
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
    assert "Nothing was changed" in visitor.text
    assert 'href="/"' in visitor.text


def test_a_body_that_does_not_come_is_given_up() -> None:
    """Body: after its time it is 408, without a page having been asked."""
    visitor, pages = visit("/table/do", b"line=", ends=False)

    assert (visitor.status, pages.bodies) == (408, [])


def test_whoever_leaves_in_the_middle_changes_nothing() -> None:
    """Body: half a form is no form."""
    _, pages = visit("/table/do", b"line=", ends=False, leaves=True)

    assert pages.bodies == []


def test_the_end_of_the_house_waits_for_no_body() -> None:
    """Body: what has not come when the house closes is given up at once."""

    async def story() -> None:
        front = Front(pages, Streams(), body_s=3600)
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
