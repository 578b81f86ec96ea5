"""The service's log has a limited size: entries that repeat without end are left out and counted."""

from __future__ import annotations

import io
import logging

from companion.app.bounded_log import AN_HOUR, BURST, BoundedLog


def test_what_repeats_for_ever_is_bounded_and_counted() -> None:
    """Log: 100,000 equal faults write no more than the limit, and the next entry says how many were left out."""
    stream, time = io.StringIO(), [0.0]
    log = BoundedLog(stream, lambda: time[0])
    fault = logging.LogRecord("house", logging.ERROR, "", 0, "it broke again " * 20, None, None)
    for _ in range(100_000):
        log.emit(fault)
    burst = len(stream.getvalue())
    time[0] = 3600.0
    log.emit(fault)

    assert BURST * 0.9 < burst <= BURST
    assert len(stream.getvalue()) <= BURST + AN_HOUR
    assert "earlier entries left out" in stream.getvalue()[burst:]


def test_a_log_that_nobody_takes_breaks_nothing() -> None:
    """Log: if the disk is full, the entry is dropped and no exception reaches the caller."""

    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    log = BoundedLog(Full(), lambda: 0.0)

    log.emit(logging.LogRecord("house", logging.ERROR, "", 0, "it broke", None, None))

    assert log._said_before().startswith("1 ")
