"""The supervisor: every thread has a name, its errors are logged and shown, and it is restarted."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from threading import Event

import pytest

from companion.kernel.supervisor import DeedSeries, Supervisor, ThreadState
from tests.pauses import PATIENCE_S, NoPause, at_once, held


def failing(times: int, done: Event, error: type[BaseException] = ZeroDivisionError) -> Callable[[], None]:
    """Return a function that fails *times* times, and then sets *done*."""
    left = iter(range(times))

    def work() -> None:
        if next(left, None) is not None:
            raise error("a hidden card, in /home/pi/ring")
        done.set()

    return work


def test_the_pause_doubles_up_to_a_minute() -> None:
    """Supervisor: the pause before a restart doubles with each failure, up to 60 s."""
    waited, done = list[float](), Event()
    threads = Supervisor(pause=lambda: NoPause(waited))

    threads.start("tick", failing(9, done)).join(PATIENCE_S)

    assert done.is_set()
    assert waited == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_minute_without_an_error_makes_the_pause_short_again() -> None:
    """Supervisor: after 60 s without an error, the next pause is the shortest again."""
    waited, done, time = list[float](), Event(), [0.0]
    threads = Supervisor(lambda: time[0], lambda: NoPause(waited))
    work = failing(5, done)

    def well_for_a_while() -> None:
        time[0] += 60.0 if len(waited) == 3 else 59.0
        work()

    threads.start("tick", well_for_a_while).join(PATIENCE_S)

    assert waited == [1, 2, 4, 1, 2]


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit, KeyboardInterrupt, MemoryError, GeneratorExit])
def test_a_failed_thread_is_listed_shown_and_back(error: type[BaseException]) -> None:
    """Supervisor: after any exception, one sentence is shown until the thread restarts after its pause."""
    threads, pause = held()
    shown, done = list[tuple[str, ...]](), Event()
    threads.subscribe(shown.append)
    thread = threads.start("tick", failing(1, done, error), "The clock")

    assert pause.reached() == 1.0
    (waiting,) = threads.views
    pause.go()
    thread.join(PATIENCE_S)

    sentence = f"The clock stopped ({error.__name__}). It starts again in 1 s."
    assert (waiting.name, waiting.state, waiting.last_error, waiting.restarts) == ("tick", "waiting", error.__name__, 0)
    assert shown == [(sentence,), ()]
    assert done.is_set()
    (over,) = threads.views
    assert (over.state, over.last_error, over.restarts, over.trouble) == (ThreadState.ENDED, error.__name__, 1, "")


def test_the_log_has_all_of_it_and_the_list_no_more_than_the_type(caplog: pytest.LogCaptureFixture) -> None:
    """Supervisor: the error's text may contain private data, so the list has only its type; the log has everything."""
    threads = at_once()

    threads.start("tick", failing(1, Event()), "The clock").join(PATIENCE_S)

    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "thread tick: ZeroDivisionError('a hidden card, in /home/pi/ring'); it starts again in 1 s" in caplog.text
    assert "Traceback" in caplog.text
    assert "hidden" not in repr(threads.views)


def test_a_stop_ends_the_pause_at_once() -> None:
    """Supervisor: stopping a thread ends its pause at once and removes its sentence."""
    threads, pause = held()
    thread = threads.start("tick", failing(9, Event()), "The clock")
    pause.reached()

    thread.end(PATIENCE_S)

    assert not thread.alive
    assert (threads.views[0].state, threads.views[0].restarts, threads.troubles) == (ThreadState.ENDED, 0, ())


def test_a_stopped_thread_does_not_start_again() -> None:
    """Supervisor: an error in a thread that was told to stop is logged, but not shown."""
    threads, begun, go = at_once(), Event(), Event()

    def work() -> None:
        begun.set()
        go.wait(PATIENCE_S)
        raise ZeroDivisionError

    thread = threads.start("tick", work, "The clock")
    assert begun.wait(PATIENCE_S)
    thread.stop()
    go.set()
    thread.join(PATIENCE_S)

    assert (threads.views[0].state, threads.views[0].last_error) == (ThreadState.ENDED, "ZeroDivisionError")


def test_a_one_off_is_listed_and_not_started_again() -> None:
    """Supervisor: a one-off thread is not restarted after an error; starting it again counts as a restart."""
    threads, done = at_once(), Event()

    threads.start("virtual ring", failing(1, done), again=False).join(PATIENCE_S)
    (failed,) = threads.views
    threads.start("virtual ring", failing(0, done), again=False).join(PATIENCE_S)
    (again,) = threads.views

    assert (failed.state, failed.failing, failed.restarts) == (ThreadState.FAILED, True, 0)
    assert (again.state, again.last_error, again.restarts) == (ThreadState.ENDED, "ZeroDivisionError", 1)


def test_an_error_in_showing_an_error_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Supervisor: an error in a callback or subscriber does not stop the restart."""
    threads, done, seen = at_once(), Event(), list[object]()

    def broken(*_: object) -> None:
        raise LookupError("nobody can show it")

    threads.subscribe(broken)
    threads.subscribe(seen.append)
    threads.start("tick", failing(2, done), "The clock", failed=broken).join(PATIENCE_S)

    assert done.is_set()
    assert threads.views[0].restarts == 2
    assert len(seen) == 4
    assert "nobody can show it" in caplog.text


class Deaf(logging.Handler):
    """A log handler that cannot write."""

    def emit(self, record: logging.LogRecord) -> None:
        raise OSError(28, "No space left on device")


@pytest.fixture
def deaf() -> Iterator[None]:
    """While this fixture is used, the companion's log cannot be written."""
    log, handler = logging.getLogger("companion"), Deaf()
    log.addHandler(handler)
    yield
    log.removeHandler(handler)


def test_an_error_in_logging_an_error_stops_nothing(deaf: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Supervisor: if logging fails, the error goes to standard error, the list says so, and the thread restarts."""
    threads, done = at_once(), Event()

    threads.start("tick", failing(1, done)).join(PATIENCE_S)

    assert done.is_set()
    assert threads.views[0].last_error == "ZeroDivisionError (not logged: OSError)"
    assert "thread tick: ZeroDivisionError" in capsys.readouterr().err


def test_two_threads_of_one_name_are_told_apart() -> None:
    """Supervisor: a second running thread of the same name gets a number; later the plain name is used again."""
    threads, go = at_once(), Event()
    first = threads.start("ring", lambda: go.wait(PATIENCE_S))
    second = threads.start("ring", lambda: go.wait(PATIENCE_S))
    go.set()
    first.join(PATIENCE_S)
    second.join(PATIENCE_S)
    threads.start("ring", lambda: None).join(PATIENCE_S)

    assert [view.name for view in threads.views] == ["ring", "ring 2"]


def test_deeds_of_a_series_come_one_after_another() -> None:
    """Supervisor: the functions of a series run one after another, under the same thread name."""
    threads, told = at_once(), list[int]()
    series = DeedSeries(threads, "luck")

    for number in range(20):
        series(lambda number=number: told.append(number))  # type: ignore[misc]
    series(lambda: told.append(20))
    series(lambda: None)

    assert told == list(range(21))
    assert [view.name for view in threads.views] == ["luck"]
