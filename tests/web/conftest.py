"""A house for each test, one that answers on a real port, and a browser to come in with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from flask import Flask
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import launched
from tests.web.applications import given_back
from tests.web.open_port import OpenPort
from tests.web.served_house import ServedHouse
from web import Service, SseStreams


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _applications() -> Iterator[None]:
    """The houses of this test leave their applications to the next."""
    with given_back():
        yield


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedHouse]:
    """A house with a game of three, dealt as far as `deal`."""
    site = ServedHouse(tmp_path).play()
    yield site
    site.ledger.close()


@pytest.fixture
def open_port(site: ServedHouse) -> Iterator[OpenPort]:
    """The way to that house: a real port."""
    with opened(site) as open_port:
        yield open_port


@contextmanager
def opened(site: ServedHouse, **more: float) -> Iterator[OpenPort]:
    """Serve *site* on a free port, from a thread of its own."""
    with opened_app(site.app, site.streams, **more) as port:
        yield port


@contextmanager
def opened_app(app: Flask, streams: SseStreams, **more: float) -> Iterator[OpenPort]:
    """Serve *app* on a free port, from a thread of its own."""
    service = Service(app, streams, "127.0.0.1", 0, **more)
    ready: Queue[int] = Queue()
    thread = Thread(target=service.run, args=(ready.put,))
    thread.start()
    try:
        yield OpenPort(ready.get(timeout=60), service, thread)
    finally:
        service.stop()
        thread.join(10)
