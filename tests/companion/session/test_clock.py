"""The clock: how long a game and its current step have lasted, without pauses and power cuts."""

from __future__ import annotations

from threading import Event

from companion.app.workers import ticking
from companion.kernel.said import said
from companion.model.clock import Clock, Step, read
from companion.session.commands import Go, Pause, Resume
from companion.session.line_reducer import DEPTH
from tests.companion.live_table import HOST, LiveTable
from tests.pauses import held

TURN, NEXT = Step("turn", ("red",)), Step("turn", ("blue",))


def test_a_step_begins_at_nought() -> None:
    """Clock: a new step begins at 0, the same step continues, and the game's time always runs on."""
    clock = Clock().turned(TURN).after(500)

    assert clock.turned(TURN) == Clock(500, TURN, 500)
    assert clock.turned(NEXT).after(20) == Clock(520, NEXT, 20)


def test_without_a_step_only_the_game_runs() -> None:
    """Clock: without a step, only the game's time increases."""
    assert Clock().after(500) == Clock(500, None, 0)


def test_parts_of_a_millisecond_are_not_lost() -> None:
    """Clock: the sum of many short readings equals one long reading, up to a millisecond."""
    clock, since = Clock(), 10.0
    for reading in range(1, 1001):
        clock, since = read(clock, since, 10.0 + reading * 0.0007)

    assert clock.game_ms in (699, 700)


def test_time_never_runs_backwards() -> None:
    """Clock: a reading earlier than the last one adds nothing."""
    assert read(Clock(5), 10.0, 9.0)[0] == Clock(5)


def test_the_sight_tells_both_times(live_table: LiveTable) -> None:
    """Clock: the snapshot has the elapsed times of the step and of the game at the moment it was made."""
    live_table.open()
    live_table.time += 4
    live_table.score()
    live_table.time += 2.5
    live_table.do("fix", colour="red", count=1)

    assert (live_table.snapshot.step_ms, live_table.snapshot.game_ms, live_table.snapshot.as_of) == (2500, 6500, 1006.5)
    assert [line["at"] for line in live_table.lines()] == [4000, 6500]


def test_a_pause_does_not_count(live_table: LiveTable) -> None:
    """Clock: paused time counts neither for the step nor for the game."""
    live_table.open()
    live_table.time += 3
    live_table.table.execute(Pause(), HOST)
    live_table.later(60)
    live_table.table.execute(Resume(), HOST)
    live_table.time += 1
    live_table.do("fix", colour="red", count=1)

    assert (live_table.snapshot.step_ms, live_table.snapshot.game_ms) == (4000, 4000)


def test_time_after_the_end_does_not_count(live_table: LiveTable) -> None:
    """Clock: the time of a finished game no longer increases."""
    live_table.open(goal=1)
    live_table.time += 3
    live_table.score()
    live_table.later(30).do("fix", colour="red", count=1)

    assert live_table.snapshot.game_ms == 3000


def test_a_pulled_plug_loses_seconds_at_most(live_table: LiveTable) -> None:
    """Clock: a power cut loses at most ten seconds, and the time without power does not count."""
    live_table.open().later(57)
    live_table.time += 1000
    live_table.restart()

    assert 47_000 <= live_table.snapshot.game_ms <= 57_000
    assert live_table.snapshot.step_ms == live_table.snapshot.game_ms
    assert live_table.snapshot.as_of == live_table.time


def test_an_orderly_end_loses_nothing(live_table: LiveTable) -> None:
    """Clock: closing a table stores the exact time."""
    live_table.open()
    live_table.time += 7.25
    live_table.table.close()
    live_table.restart()

    assert live_table.snapshot.game_ms == 7250


def test_beats_are_rare_and_change_nothing(live_table: LiveTable) -> None:
    """Clock: the time is stored at most every ten seconds, and this does not change the snapshot's version."""
    live_table.open()
    version, last = live_table.snapshot.version, live_table.ledger.last

    live_table.later(60)

    assert live_table.snapshot.version == version
    assert live_table.ledger.last - last == 6


def test_beats_stop_while_the_game_stands_still(live_table: LiveTable) -> None:
    """Clock: nothing is stored while a game is paused."""
    live_table.open().table.execute(Pause(), HOST)
    last = live_table.ledger.last

    assert live_table.later(60).ledger.last == last


def test_undo_takes_the_steps_time_up_again(live_table: LiveTable) -> None:
    """Clock: after an undo, the earlier step continues from its earlier time, and the game's time runs on."""
    live_table.open()
    live_table.time += 5
    live_table.score()
    live_table.time += 3
    live_table.undo()
    assert (live_table.snapshot.step_ms, live_table.snapshot.game_ms) == (5000, 8000)

    live_table.restart()
    live_table.table.execute(Go(), HOST)
    live_table.time += 1
    live_table.do("fix", colour="red", count=1)
    assert live_table.snapshot.step_ms == 6000


def test_undo_within_a_step_keeps_its_time(live_table: LiveTable) -> None:
    """Clock: an undo within a step does not change its time."""
    live_table.open()
    live_table.time += 5
    live_table.dig(3)
    live_table.time += 2
    live_table.draw("red").undo()

    assert live_table.snapshot.step_ms == 7000


def test_a_deep_undo_knows_the_old_times(live_table: LiveTable) -> None:
    """Clock: undo also restores the time of steps that are no longer in memory."""
    live_table.open()
    for _ in range(DEPTH + 2):
        live_table.time += 0.5
        live_table.score()
    for _ in range(DEPTH + 1):
        live_table.undo()

    assert (live_table.snapshot.step_ms, live_table.snapshot.game_ms) == (500, 500 * (DEPTH + 2))


def test_a_tick_that_dies_is_seen_and_comes_again(live_table: LiveTable) -> None:
    """Clock: while the ticking thread is stopped after an error, a notice says so."""
    threads, pause = held()
    threads.subscribe(live_table.table.show_unattended)
    ticked, faults = Event(), [ZeroDivisionError()]

    def broken() -> None:
        if faults:
            raise faults.pop()
        ticked.set()

    end = ticking(threads, "tick", broken, said("The watch over storage and clock"), every_s=0.001)
    pause.reached()

    assert live_table.open().score().notices == ["unattended"]
    assert "ZeroDivisionError" in live_table.snapshot.notices[0].text
    pause.go()
    assert ticked.wait(60)
    assert live_table.snapshot.notices == ()
    end()
