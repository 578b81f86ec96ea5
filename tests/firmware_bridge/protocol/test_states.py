"""The states of a conversation are one complete table."""

from __future__ import annotations

from firmware_bridge.protocol.connection import STATES, Signal, Standpoint, state_table


def test_every_signal_has_its_place_in_every_state() -> None:
    """The table has an entry for every signal in every state."""
    assert {state: set(row) for state, row in STATES.items()} == {state: set(Signal) for state in Standpoint}


def test_the_table_prints_every_state_and_signal() -> None:
    """The printed table has a row for each state and a column for each signal."""
    head, *rows = (line.split("|") for line in state_table().splitlines())

    assert [each.strip() for each in head[1:]] == list(Signal)
    assert [row[0].strip() for row in rows] == list(Standpoint)
