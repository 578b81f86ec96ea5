"""Rooms for the tests of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.games.andromeda.room import Room


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Callable[..., Room]]:
    """Return a function that opens rooms, each with its own table."""
    opened: list[Room] = []

    def room(players: int = 4, **options: object) -> Room:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(Room(folder, players, options))
        return opened[-1]

    yield room
    for one in opened:
        one.table.close()
        one.ledger.close()


@pytest.fixture
def room(rooms: Callable[..., Room]) -> Room:
    """Open one room for four players."""
    return rooms()
