"""A house for each test, and one that answers on a real port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from tests.web.lodging import Lodging
from tests.web.street import Street
from web import Service


@pytest.fixture
def lodging(tmp_path: Path) -> Iterator[Lodging]:
    """A house with a game of three, dealt as far as `deal`."""
    lodging = Lodging(tmp_path).play()
    yield lodging
    lodging.ledger.close()


@pytest.fixture
def street(lodging: Lodging) -> Iterator[Street]:
    """The way to that house: a real port, served from a thread of its own."""
    service = Service(lodging.app, lodging.streams, "127.0.0.1", 0)
    ready: Queue[int] = Queue()
    thread = Thread(target=service.run, args=(ready.put,))
    thread.start()
    yield Street(ready.get(timeout=10), service, thread)
    service.stop()
    thread.join(10)
