"""The process of an emulated board: how its end is detected."""

from __future__ import annotations

import pytest

from firmware_bridge.simulation.emulated.child_process import Child, Crashed


def test_a_board_that_dies_before_it_has_read_an_answer_has_crashed() -> None:
    """A child process killed while an answer is unread counts as crashed, and causes no error of the socket."""
    child = Child(["sleep", "60"], patience_s=60.0)
    child.answer("0")
    child._process.kill()
    child._process.wait()

    with pytest.raises(Crashed, match="status -9"):
        child.question()
    child.end()
