"""Fixtures for brokers and connections, which are closed at the end of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.club import BrokerAddress, Connection
from companion.kernel.supervisor import Supervisor
from tests.club.broker import MISSING, PROGRAM, Broker
from tests.club.meeting import Meeting


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker without passwords."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    folder = tmp_path / "broker"
    folder.mkdir()
    running = Broker(folder)
    yield running
    running.close()


@pytest.fixture
def connect(broker: Broker) -> Iterator[Callable[..., Connection]]:
    """A function that opens a connection to the broker in a thread of its own."""
    with ExitStack() as closing:

        def open_one(name: str, **wishes: Any) -> Connection:
            connection = Connection(BrokerAddress("127.0.0.1", broker.port), name, **wishes)
            closing.callback(connection.start(Supervisor()))
            return connection

        yield open_one


@pytest.fixture
def meeting(broker: Broker, tmp_path: Path) -> Iterator[Meeting]:
    """A club at the broker, and tables that join it."""
    with Meeting(tmp_path, broker) as met:
        yield met
