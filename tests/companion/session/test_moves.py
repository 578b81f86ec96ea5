"""Moves: the lines of a game with the states before and after each of them."""

from __future__ import annotations

from tests.companion.live_table import LiveTable


def test_each_move_stands_between_two_states(live_table: LiveTable) -> None:
    """Moves come oldest first, and each starts at the state after the previous line that was not undone."""
    live_table.open().score(1).score(2).undo().score(3)

    moves = live_table.table.archive.moves()

    assert [(move.line.line["points"], move.line.undone) for move in moves] == [(1, False), (2, True), (3, False)]
    assert moves[1].before == moves[2].before == moves[0].after
    assert live_table.table.snapshot.state == moves[2].after


def test_moves_are_the_same_after_a_restart(live_table: LiveTable) -> None:
    """Moves are the same after a restart."""
    live_table.open().score(1).score(2).undo()
    before = live_table.table.archive.moves()

    assert live_table.restart().table.archive.moves() == before
