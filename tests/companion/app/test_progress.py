"""The progress line shows count, rate and time left on a terminal; in a pipe and with --json there is no line."""

from __future__ import annotations

import io
import os
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from companion.app.progress import watching
from companion.kernel.progress import unwatched
from tests.companion.app.processes import companion


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, int]]:
    """A pseudo-terminal to write to, and the descriptor from which its output is read."""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    termios.tcsetwinsize(slave, (24, 80))
    with os.fdopen(slave, "w", encoding="utf-8") as out:
        yield out, master
    os.close(master)


def test_a_terminal_shows_count_rate_and_time_left(terminal: tuple[TextIO, int]) -> None:
    """Progress: the line shows the percentage, the count with its total, the rate and the time left."""
    out, screen = terminal

    done = list(watching("Playing", "games", after_s=0, out=out)(range(3), 3))
    seen = os.read(screen, 4096).decode()

    assert done == [0, 1, 2]
    assert "Playing: 100 %" in seen or "Playing:   0 %" in seen
    assert "of 3 games" in seen
    assert "games/s" in seen
    assert "left" in seen


def test_the_line_waits_two_seconds_and_is_erased(terminal: tuple[TextIO, int]) -> None:
    """Progress: a command of less than two seconds shows no progress line."""
    out, screen = terminal

    list(watching("Playing", "games", out=out)(range(3), 3))
    out.write("end")
    out.flush()

    assert os.read(screen, 4096) == b"end"


@pytest.mark.parametrize("quiet", [True, False])
def test_a_pipe_and_json_show_nothing(quiet: bool) -> None:
    """With --json, or if the output is not a terminal, the progress of the steps is not watched."""
    out = io.StringIO()

    assert watching("Playing", "games", quiet, after_s=0, out=out) is unwatched
    assert out.getvalue() == ""


def test_the_output_of_a_command_is_the_same_fast_or_slow() -> None:
    """Progress: in a pipe, only the result is printed, and standard error is empty."""
    told = companion("simulate", "--games", 2, "--players", 3)

    assert told.stdout.startswith("2 games of andromeda for 3")
    assert told.stderr == ""
