"""Every event of every game has exactly one entry of text: it is spoken, or silent with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, get_args

import pytest

from companion.games.registry import GAMES
from companion.model.tellings import Silent, Tellings


def members(union: Any) -> Iterator[type]:
    """Yield the classes of a union, including those of nested unions."""
    if parts := get_args(union):
        for part in parts:
            yield from members(part)
    else:
        yield union


@pytest.mark.parametrize("name", sorted(GAMES))
def test_each_event_has_one_row(name: str) -> None:
    """The table of sentences has exactly the game's events, and gives a reason for each silent one."""
    rules, speech = import_module(f"companion.games.{name}.rules"), GAMES[name].speech
    assert isinstance(speech, Tellings)
    rows = speech.rows

    assert set(rows) == set(members(rules.Event))
    assert all(each.why for row in rows.values() for each in (row, getattr(row, "aloud", None)) if type(each) is Silent)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_each_line_of_a_record_has_a_sentence_and_a_meaning(name: str) -> None:
    """The table of sentences has a row for each `do` of a record, with its sentence, meaning and rules card."""
    rules, speech = import_module(f"companion.games.{name}.rules"), GAMES[name].speech
    assert isinstance(speech, Tellings)
    lines = speech.lines

    assert set(lines) == {each.do for each in members(rules.Command)}
    assert all(row.sentence and row.means and row.card for row in lines.values())
