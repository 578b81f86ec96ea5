"""The bell that wakes a reader: it can be rung from any thread, at any moment, and by a signal."""

from __future__ import annotations

import os
import signal
import threading

from firmware_bridge.simulation.serving.process import Ending
from rungs.wire import Bell, ready

LONG_S = 3600.0


def test_who_rings_a_closed_bell_writes_into_nobody_elses_file() -> None:
    """Ringing a closed bell doesn't write to a file that now has the bell's descriptor."""
    bell = Bell()
    bell.close()
    heard, other = os.pipe()  # the lowest free descriptors: those of the bell
    os.set_blocking(heard, False)

    bell.ring()

    assert not ready(heard, False, -1, 0)[0]
    os.close(heard)
    os.close(other)


def test_a_bell_may_be_closed_twice() -> None:
    """Closing a bell twice doesn't close a file that now has the bell's descriptor."""
    bell = Bell()
    bell.close()
    heard, other = os.pipe()

    bell.close()

    os.write(other, b"!")
    assert os.read(heard, 1) == b"!"
    os.close(heard)
    os.close(other)


def test_a_signal_ends_the_longest_pause() -> None:
    """A signal wakes a thread from a long wait."""
    ending = Ending()
    before = signal.signal(signal.SIGUSR1, ending.come)
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    try:
        ending.wait(LONG_S)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert ending.near
