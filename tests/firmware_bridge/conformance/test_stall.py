"""STALL: what this machine withholds while it measures a ring is measured too, and no limit is about it."""

from __future__ import annotations

import pytest

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.result import AT_LEAST, ConformanceResult, Report
from firmware_bridge.conformance.stall import Stall, Watching, stretch, waited_s
from firmware_bridge.conformance.suite import checked
from firmware_bridge.conformance.text_report import as_text, bound
from firmware_bridge.device.framing import seal
from tests.pauses import at_once


class Slow:
    """A wire whose answer comes after so many reads of 0.1 s, on a clock of its own."""

    name = "slow"

    def __init__(self, reads: int) -> None:
        self.now = 0.0
        self._reads = reads

    def read(self, timeout_s: float) -> bytes:
        """Say nothing for a while, and then a beat."""
        self.now += min(timeout_s, 0.1)
        self._reads -= 1
        return seal("beat b=1f3a9c01 t=5 last=0 tok=0 gate=0 lift=0") if self._reads == 0 else b""

    def write(self, data: bytes) -> None:
        """Hear nothing."""

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize(("stalled_s", "heard"), [(0.0, False), (0.1, False), (0.3, True)])
def test_a_wait_is_longer_by_what_was_withheld(stalled_s, heard):
    """An answer that comes after 0.4 s is waited for 0.15 s, and for as long again as nobody here could run."""
    wire, stall = Slow(4), Stall()

    def owed() -> float:
        return stall.owed_s()

    talk = Conversation(wire, lambda: wire.now, lambda: "t1", owed)
    before = owed()
    read = wire.read

    def reading(timeout_s: float) -> bytes:
        if owed() == before:
            stall.late(wire.now, stalled_s)
        return read(timeout_s)

    wire.read = reading

    assert (talk.wait(lambda line: line.body.startswith("beat"), 0.15) is not None) == heard


def test_a_machine_that_is_always_busy_makes_no_wait_endless():
    """However much is owed: four times as long at most."""
    wire = Slow(-1)

    assert (
        Conversation(wire, lambda: wire.now, lambda: "t1", lambda: 10 * wire.now).wait(lambda line: False, 0.5) is None
    )
    assert wire.now == pytest.approx(2.0)


def test_a_limit_of_time_grows_and_says_so():
    """The value stays what it was; the limit, its growth and the machine's stall are on record."""
    result = ConformanceResult("round trip", 130.0, 100.0, "ms", stretch=40.0)
    report = Report("r", None, (result,), (), None, stall_ms=40.0)

    assert result.passed
    assert result.line() == result.line() | {"value": 130.0, "limit": 140.0, "stretch": 40.0}
    assert bound(result) == "at most 140"
    assert report.line()["stall_ms"] == 40.0
    assert "This machine was busy: limits of time are longer by 40 ms." in list(as_text(report))
    assert not ConformanceResult("round trip", 141.0, 100.0, "ms", stretch=40.0).passed


def test_what_is_no_time_does_not_grow():
    """Bytes, events and shares are what they are on any machine."""
    assert [stretch(unit, 1.0) for unit in ("bytes", "events", "", "%", "frames", "hundredths", "ms of the wait")] == [
        0.0
    ] * 7
    assert [stretch(unit, 0.5) for unit in ("s", "ms", "us")] == [0.5, 500.0, 500_000.0]


def test_a_check_holds_only_what_is_the_rings():
    """A ring that does not answer fails on any machine; what is at least so much grows not at all."""
    wire, stall = Slow(-1), Stall()
    stall.late(0.0, 0.5)

    report = checked("slow", Conversation(wire, lambda: wire.now, lambda: "t1"), stall=stall)

    assert [result.passed for result in report.results] == [False]
    assert ConformanceResult("frames", 3, 4, "ms", AT_LEAST, stretch=0.0).passed is False


def test_a_thread_measures_what_is_withheld():
    """Whatever its clock says that a wait took too long is noted; the worst second counts, for both ends of a wire."""
    times = iter([0.0, 0.005, 0.105, 0.110, *[0.115 + n * 0.005 for n in range(100_000)]])
    with Watching(lambda: next(times), lambda: 0.0) as stall:
        while not stall.owed_s():
            pass

    assert stall.worst_s(0.0) == pytest.approx(2 * 0.095)
    assert stall.worst_s(1.0) == 0.0


def test_an_error_does_not_end_the_measuring():
    """`stall`: after an unexpected error it measures on."""
    failed = iter([0.0, None])
    times = iter(n * 0.1 for n in range(100_000))

    def waited() -> float:
        if (told := next(failed, 0.0)) is None:
            raise OSError(5, "Input/output error")
        return told

    with Watching(lambda: next(times), waited, at_once()) as stall:
        while not stall.owed_s():
            pass

    assert stall.owed_s() > 0


def test_what_others_wait_for_counts_as_well():
    """A ring that waits for a processor while we run is as late: what the kernel tells of it counts."""
    times = iter([n * 0.005 for n in range(100_000)])
    waits = iter([7.0, 7.004, 8.0, *[8.0] * 100_000])
    with Watching(lambda: next(times), lambda: next(waits)) as stall:
        while stall.owed_s() < 0.0085:
            pass

    assert stall.owed_s() == pytest.approx(0.004 + 0.005)


def test_a_machine_that_tells_nothing_is_no_fault():
    """Where there is no `/proc/pressure` the thread alone is asked."""
    assert waited_s() >= 0.0
