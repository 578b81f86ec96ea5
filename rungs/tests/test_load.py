"""Load: the delays that this machine causes while it measures a device."""

from __future__ import annotations

import os
from itertools import chain, count

import pytest

from rungs.load import Load, waited_s


def test_a_thread_measures_how_late_it_is() -> None:
    """A late wake-up counts twice, because the device's process may have waited as long as ours."""
    times = chain([0.0, 0.005, 0.105, 0.110], (0.115 + n * 0.005 for n in count()))
    with Load(lambda: next(times)) as load:
        while not load.owed_s():
            pass

    assert load.worst_s(0.0) == pytest.approx(2 * 0.095)
    assert load.worst_s(1.0) == 0.0


def test_a_device_that_waits_longer_counts_as_the_kernel_says() -> None:
    """If the kernel reports the waits of the device's process, they are added to our own delay, counted once."""
    times = chain([0.0, 0.005, 0.025], (0.030 + n * 0.005 for n in count()))
    waits = chain([7.0, 7.0, 7.1], (7.1 for _ in count()))
    with Load(lambda: next(times), device=lambda: next(waits)) as load:
        while not load.owed_s():
            pass

    assert load.worst_s(0.0) == pytest.approx(0.015 + 0.1)


def test_a_delay_that_has_just_ended_is_waited_for() -> None:
    """`catch_up` waits until the measuring thread has recorded a delay that has just ended."""
    times = chain([0.0], (0.2 + n * 0.005 for n in count()))
    with Load(lambda: next(times)) as load:
        load.catch_up()

        assert load.owed_s() == pytest.approx(2 * 0.195)


@pytest.mark.parametrize(("window_s", "worst_s"), [(0.05, 0.02), (0.15, 0.04), (1.0, 0.06)])
def test_a_value_is_excused_by_delays_within_as_long_as_it_lasted(window_s: float, worst_s: float) -> None:
    """Of three delays 0.1 s apart, a measured time counts only as many as could fall within it: one for 50 ms."""
    load = Load()
    for at in (1.0, 1.1, 1.2):
        load.late(at, 0.02)

    assert load.worst_s(0.0, window_s) == pytest.approx(worst_s)


def test_the_kernel_knows_how_long_a_process_has_waited() -> None:
    """The time that a process has waited for a CPU never decreases; it is 0 if the process does not exist."""
    before = waited_s(os.getpid())

    assert waited_s(os.getpid()) >= before >= 0.0
    assert waited_s(-1) == 0.0
