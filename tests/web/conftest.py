"""A house for each test, one that answers on a real port, and a browser to come in with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.open_port import Street
from tests.web.served_house import Lodging
from web import Service


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    path = shutil.which("chromium")
    assert path, "Chromium is missing: sh tests/browser/chromium.sh installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def lodging(tmp_path: Path) -> Iterator[Lodging]:
    """A house with a game of three, dealt as far as `deal`."""
    lodging = Lodging(tmp_path).play()
    yield lodging
    lodging.ledger.close()


@pytest.fixture
def street(lodging: Lodging) -> Iterator[Street]:
    """The way to that house: a real port."""
    with opened(lodging) as street:
        yield street


@contextmanager
def opened(lodging: Lodging, **more: float) -> Iterator[Street]:
    """Serve *lodging* on a free port, from a thread of its own."""
    service = Service(lodging.app, lodging.streams, "127.0.0.1", 0, **more)
    ready: Queue[int] = Queue()
    thread = Thread(target=service.run, args=(ready.put,))
    thread.start()
    try:
        yield Street(ready.get(timeout=10), service, thread)
    finally:
        service.stop()
        thread.join(10)
