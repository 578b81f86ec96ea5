"""Every event of every game has a row of its own: said aloud, or declared silent with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_args

import pytest

WITH_TABLES = ("andromeda", "hanse", "wreck")
"""The open draw table has so few events that a closed match says them."""


def members(union: Any) -> Iterator[type]:
    """Yield the classes of a union, those of unions in it one by one."""
    if parts := get_args(union):
        for part in parts:
            yield from members(part)
    else:
        yield union


@pytest.mark.parametrize("name", WITH_TABLES)
def test_each_event_is_told_or_declared_silent(name: str) -> None:
    """Speech: the two tables together have just the events of the game, each once."""
    speech, events = (import_module(f"companion.games.{name}.{module}") for module in ("speech", "events"))

    assert set(speech.TELLERS) | set(speech.SILENT) == set(members(events.Event))
    assert not set(speech.TELLERS) & set(speech.SILENT)
