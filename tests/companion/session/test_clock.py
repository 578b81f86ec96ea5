"""The clock: how long the game and its step have been played, pauses and pulled plugs left out."""

from __future__ import annotations

from threading import Event

import pytest

from companion.app.workers import ticking
from companion.model.clock import Clock, read
from companion.model.game import Step
from tests.companion.live_table import HOST, Evening

TURN, NEXT = Step("turn", ("red",)), Step("turn", ("blue",))


def test_a_step_begins_at_nought() -> None:
    """Clock: a new step begins at nought, the same step goes on, and the game's time runs through."""
    clock = Clock().turned(TURN).after(500)

    assert clock.turned(TURN) == Clock(500, TURN, 500)
    assert clock.turned(NEXT).after(20) == Clock(520, NEXT, 20)


def test_without_a_step_only_the_game_runs() -> None:
    """Clock: while nothing is waited for no step's time runs."""
    assert Clock().after(500) == Clock(500, None, 0)


def test_parts_of_a_millisecond_are_not_lost() -> None:
    """Clock: many short readings make the same time as a long one."""
    clock, since = Clock(), 10.0
    for reading in range(1, 1001):
        clock, since = read(clock, since, 10.0 + reading * 0.0007)

    assert clock.game_ms in (699, 700)


def test_time_never_runs_backwards() -> None:
    """Clock: a reading before the last one counts as none."""
    assert read(Clock(5), 10.0, 9.0)[0] == Clock(5)


def test_the_sight_tells_both_times(evening: Evening) -> None:
    """Clock: the sight holds the times of step and game as of its own moment."""
    evening.open()
    evening.time += 4
    evening.score()
    evening.time += 2.5
    evening.do("fix", colour="red", count=1)

    assert (evening.sight.step_ms, evening.sight.game_ms, evening.sight.as_of) == (2500, 6500, 1006.5)
    assert [line["at"] for line in evening.lines()] == [4000, 6500]


def test_a_pause_does_not_count(evening: Evening) -> None:
    """Clock: paused time belongs neither to the step nor to the game."""
    evening.open()
    evening.time += 3
    evening.table.pause(HOST)
    evening.later(60)
    evening.table.resume(HOST)
    evening.time += 1
    evening.do("fix", colour="red", count=1)

    assert (evening.sight.step_ms, evening.sight.game_ms) == (4000, 4000)


def test_time_after_the_end_does_not_count(evening: Evening) -> None:
    """Clock: a finished game's time stands still."""
    evening.open(goal=1)
    evening.time += 3
    evening.score()
    evening.later(30).do("fix", colour="red", count=1)

    assert evening.sight.game_ms == 3000


def test_a_pulled_plug_loses_seconds_at_most(evening: Evening) -> None:
    """Clock: what was played is kept but for the last seconds, and the time without power does not count."""
    evening.open().later(57)
    evening.time += 1000
    evening.restart()

    assert 47_000 <= evening.sight.game_ms <= 57_000
    assert evening.sight.step_ms == evening.sight.game_ms
    assert evening.sight.as_of == evening.time


def test_an_orderly_end_loses_nothing(evening: Evening) -> None:
    """Clock: a table that is closed writes its clock down."""
    evening.open()
    evening.time += 7.25
    evening.table.close()
    evening.restart()

    assert evening.sight.game_ms == 7250


def test_beats_are_rare_and_change_nothing(evening: Evening) -> None:
    """Clock: the clock is written down every ten seconds at most, and no page has to look again for it."""
    evening.open()
    version, last = evening.sight.version, evening.ledger.last

    evening.later(60)

    assert evening.sight.version == version
    assert evening.ledger.last - last == 6


def test_beats_stop_while_the_game_stands_still(evening: Evening) -> None:
    """Clock: a paused game writes nothing."""
    evening.open().table.pause(HOST)
    last = evening.ledger.last

    assert evening.later(60).ledger.last == last


def test_undo_takes_the_steps_time_up_again(evening: Evening) -> None:
    """Clock: a step that is gone back to goes on where it was left; the game's time goes on regardless."""
    evening.open()
    evening.time += 5
    evening.score()
    evening.time += 3
    evening.undo()
    assert (evening.sight.step_ms, evening.sight.game_ms) == (5000, 8000)

    evening.restart()
    evening.table.go(HOST)
    evening.time += 1
    evening.do("fix", colour="red", count=1)
    assert evening.sight.step_ms == 6000


def test_undo_within_a_step_keeps_its_time(evening: Evening) -> None:
    """Clock: an undo inside a step does not turn its time back."""
    evening.open()
    evening.time += 5
    evening.dig(3)
    evening.time += 2
    evening.draw("red").undo()

    assert evening.sight.step_ms == 7000


def test_a_deep_undo_knows_the_old_times(evening: Evening) -> None:
    """Clock: a step from beyond what is kept in memory takes up its time again as well."""
    evening.open()
    for _ in range(300):
        evening.time += 0.5
        evening.score()
    for _ in range(299):
        evening.undo()

    assert (evening.sight.step_ms, evening.sight.game_ms) == (500, 150_000)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_tick_that_dies_is_seen(evening: Evening) -> None:
    """Clock: when the thread that ticks dies of a fault of ours, the table says so for good, and goes on."""
    died = Event()

    def broken() -> None:
        raise ZeroDivisionError

    def say(fault: Exception) -> None:
        evening.table.unattended(fault)
        died.set()

    end = ticking(broken, say, every_s=0.001)
    assert died.wait(10)
    end()

    assert evening.open().score().notices == ["unattended"]
    assert "ZeroDivisionError" in evening.sight.notices[0].text
