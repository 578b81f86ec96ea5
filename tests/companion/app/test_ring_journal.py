"""The log says why a ring is unavailable, with one line for each reason, however often it is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.ring_journal import AGAIN_S, MOST, RingJournal
from companion.kernel.said import said
from companion.ports.ring import RingState, RingView
from tests.companion.app.cli.test_console import serve

NO_PINS = RingView(RingState.SEARCHING, port="gpio:", trouble=said("gpio: needs the package lgpio."))
WELL = RingView(RingState.LIVE, port="gpio:")


class Log:
    """A journal with its lines, and a clock that the test sets."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.now_s = 0.0
        self.journal = RingJournal(self.lines.append, lambda: self.now_s)

    def see(self, *views: RingView) -> list[str]:
        """Pass each view to the journal, and return the lines that the journal adds."""
        before = len(self.lines)
        for view in views:
            self.journal.look(view)
        return self.lines[before:]


@pytest.fixture
def log() -> Log:
    return Log()


def silent(seconds: int) -> RingView:
    """Return the view of a ring that has been silent for *seconds*."""
    return RingView(RingState.SILENT, trouble=said("Nothing for %(seconds)s seconds.", seconds=seconds))


def test_a_reason_is_told_once_however_long_it_lasts(log: Log) -> None:
    """Journal: trouble that repeats all night is logged once, even if a number in its text changes."""
    texts = log.see(NO_PINS)
    log.now_s = 9 * 3600
    again = log.see(*[NO_PINS] * 100, *map(silent, range(100)))

    assert texts == ["gpio: needs the package lgpio."]
    assert again == ["Nothing for 0 seconds."]


def test_an_end_of_trouble_is_told_and_trouble_after_it(log: Log) -> None:
    """Journal: recovery is logged after trouble, but the same trouble is logged again only ten minutes later."""
    assert log.see(WELL, WELL) == []
    assert log.see(NO_PINS, WELL, WELL) == ["gpio: needs the package lgpio.", "The ring at gpio: answers."]
    assert log.see(NO_PINS) == []

    log.now_s = AGAIN_S

    assert log.see(NO_PINS, WELL) == ["gpio: needs the package lgpio.", "The ring at gpio: answers."]


def test_a_loose_plug_does_not_fill_the_log(log: Log) -> None:
    """Journal: a ring that reconnects all the time, or always has new trouble, adds a limited number of lines."""
    for second in range(3600):
        log.now_s = second
        log.see(NO_PINS, WELL)
    assert len(log.lines) <= 2 * (3600 / AGAIN_S + 1)

    log.see(*[RingView(RingState.SEARCHING, trouble=f"odd {number}") for number in range(1000)])

    assert len(log.lines) <= 2 * (3600 / AGAIN_S + 1) + MOST


def test_the_service_says_why_its_ring_cannot_be_had(tmp_path: Path) -> None:
    """`serve` also prints trouble with the ring's pins on standard error; this machine has no such bus."""
    with serve("--data", tmp_path, "--ring", "gpio:?bus=22") as process:
        line = process.stderr.readline()

    assert line.startswith("companion: gpio: ")
