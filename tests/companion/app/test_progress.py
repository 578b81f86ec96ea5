"""The progress line: on a terminal how many, how fast and how much longer; nothing for programs."""

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
    """A terminal to write to, and the descriptor from which its screen is read."""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    termios.tcsetwinsize(slave, (24, 80))
    with os.fdopen(slave, "w", encoding="utf-8") as out:
        yield out, master
    os.close(master)


def test_a_terminal_shows_count_rate_and_time_left(terminal: tuple[TextIO, int]) -> None:
    """Progress: the line says what is done, how many of how many, how fast, and for how much longer."""
    out, screen = terminal

    done = list(watching("Playing", "games", after_s=0, out=out)(range(3), 3))
    seen = os.read(screen, 4096).decode()

    assert done == [0, 1, 2]
    assert "Playing: 100 %" in seen or "Playing:   0 %" in seen
    assert "of 3 games" in seen
    assert "games/s" in seen
    assert "left" in seen


def test_the_line_waits_two_seconds_and_is_erased(terminal: tuple[TextIO, int]) -> None:
    """Progress: a quick command writes nothing to its terminal."""
    out, screen = terminal

    list(watching("Playing", "games", out=out)(range(3), 3))
    out.write("end")
    out.flush()

    assert os.read(screen, 4096) == b"end"


@pytest.mark.parametrize("quiet", [True, False])
def test_a_pipe_and_json_show_nothing(quiet: bool) -> None:
    """Progress: where a program reads, or --json is asked for, the steps pass through unwatched."""
    out = io.StringIO()

    assert watching("Playing", "games", quiet, after_s=0, out=out) is unwatched
    assert out.getvalue() == ""


def test_the_output_of_a_command_is_the_same_fast_or_slow() -> None:
    """Progress: in a pipe nothing but the result comes out, and nothing on standard error."""
    told = companion("simulate", "--games", 2, "--players", 3)

    assert told.stdout.startswith("2 games of andromeda for 3")
    assert told.stderr == ""
