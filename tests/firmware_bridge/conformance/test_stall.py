"""STALL: delays of this machine during a measurement are measured, and extend the limits."""

from __future__ import annotations

import pytest

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.result import AT_LEAST, ConformanceResult, Report, stretch
from firmware_bridge.conformance.suite import checked
from firmware_bridge.conformance.text_report import as_text, bound
from firmware_bridge.device.framing import seal
from rungs.load import Load
from tests.pauses import at_once


class Slow:
    """A wire that answers after a number of reads of 0.1 s, with its own clock."""

    name = "slow"

    def __init__(self, reads: int) -> None:
        self.now = 0.0
        self._reads = reads

    def read(self, timeout_s: float) -> bytes:
        """Return nothing for a while, and then a heartbeat."""
        self.now += min(timeout_s, 0.1)
        self._reads -= 1
        return seal("beat b=1f3a9c01 t=5 last=0 tok=0 gate=0 lift=0") if self._reads == 0 else b""

    def write(self, data: bytes) -> None:
        """Ignore the data."""

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("stalled_s", "heard"), [(0.0, False), (0.1, False), (0.3, True)])
def test_a_wait_is_longer_by_what_was_withheld(stalled_s, heard):
    """A wait of 0.15 s is extended by the time for which this machine withheld the processor."""
    wire, load = Slow(4), Load()

    def owed() -> float:
        return load.owed_s()

    talk = Conversation(wire, lambda: wire.now, lambda: "t1", owed)
    before = owed()
    read = wire.read

    def reading(timeout_s: float) -> bytes:
        if owed() == before:
            load.late(wire.now, stalled_s)
        return read(timeout_s)

    wire.read = reading

    assert (talk.wait(lambda line: line.body.startswith("beat"), 0.15) is not None) == heard


def test_a_machine_that_is_always_busy_makes_no_wait_endless():
    """A wait is extended to at most four times its length."""
    wire = Slow(-1)

    assert (
        Conversation(wire, lambda: wire.now, lambda: "t1", lambda: 10 * wire.now).wait(lambda line: False, 0.5) is None
    )
    assert wire.now == pytest.approx(2.0)


def test_a_limit_of_time_grows_and_says_so():
    """The limit grows, not the value; limit, growth and the machine's stall are reported."""
    result = ConformanceResult("round trip", 130.0, 100.0, "ms", stretch=40.0)
    report = Report("r", None, (result,), (), None, stall_ms=40.0)

    assert result.passed
    assert result.line() == result.line() | {"value": 130.0, "limit": 140.0, "stretch": 40.0}
    assert bound(result) == "at most 140"
    assert report.line()["stall_ms"] == 40.0
    assert "This machine was busy: limits of time are longer by 40 ms." in list(as_text(report))
    assert not ConformanceResult("round trip", 141.0, 100.0, "ms", stretch=40.0).passed


def test_what_is_no_time_does_not_grow():
    """Only limits of time are extended, not limits of bytes, events or shares."""
    assert [stretch(unit, 1.0) for unit in ("bytes", "events", "", "%", "frames", "hundredths", "ms of the wait")] == [
        0.0
    ] * 7
    assert [stretch(unit, 0.5) for unit in ("s", "ms", "us")] == [0.5, 500.0, 500_000.0]


def test_a_check_holds_only_what_is_the_rings():
    """A ring that doesn't answer fails on any machine, and lower limits don't grow."""
    wire, load = Slow(-1), Load()
    load.late(0.0, 0.5)

    report = checked("slow", Conversation(wire, lambda: wire.now, lambda: "t1"), load=load)

    assert [result.passed for result in report.results] == [False]
    assert ConformanceResult("frames", 3, 4, "ms", AT_LEAST, stretch=0.0).passed is False


def test_an_error_does_not_end_the_measuring():
    """After an unexpected error the thread `stall` continues to measure."""
    failed = iter([0.0, None])
    times = iter(n * 0.1 for n in range(100_000))

    def waited() -> float:
        if (told := next(failed, 0.0)) is None:
            raise OSError(5, "Input/output error")
        return told

    with Load(lambda: next(times), lambda work: at_once().start("stall", work), waited) as load:
        while not load.owed_s():
            pass

    assert load.owed_s() > 0
