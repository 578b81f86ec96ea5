"""A server for each test, one on a real port, and a browser that opens its pages."""

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
    """Debian's Chromium, headless."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _applications() -> Iterator[None]:
    """Return the applications of this test's servers to the pool, for the next test."""
    with given_back():
        yield


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedHouse]:
    """A server with a game of three players, before `deal`."""
    site = ServedHouse(tmp_path).play()
    yield site
    site.ledger.close()


@pytest.fixture
def open_port(site: ServedHouse) -> Iterator[OpenPort]:
    """The site, served on a real port."""
    with opened(site) as open_port:
        yield open_port


@contextmanager
def opened(site: ServedHouse, **more: float) -> Iterator[OpenPort]:
    """Serve *site* on a free port, in a thread of its own."""
    with opened_app(site.app, site.streams, **more) as port:
        yield port


@contextmanager
def opened_app(app: Flask, streams: SseStreams, **more: float) -> Iterator[OpenPort]:
    """Serve *app* on a free port, in a thread of its own."""
    service = Service(app, streams, "127.0.0.1", 0, **more)
    ready: Queue[int] = Queue()
    thread = Thread(target=service.run, args=(ready.put,))
    thread.start()
    try:
        yield OpenPort(ready.get(timeout=60), service, thread)
    finally:
        service.stop()
        thread.join(10)
