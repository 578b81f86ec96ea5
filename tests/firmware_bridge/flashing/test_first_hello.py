"""The first hello of a restarted ring is received however slow the ring is, and progress is reported."""

from __future__ import annotations

import pytest

from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.flashing.find import START_S, WORD_S, first_hello
from rungs.wire import WireLost

BOOT = "000001a1b2c3"
IDENTITY: list[tuple[str, object]] = [("fw", "0.1.0"), ("id", "slow"), ("sensor", "none"), ("sim", 1), ("can", "-")]


class Slow:
    """A ring that needs *start_s* to start and *line_s* per line, with its own clock; its input is queued."""

    name = "slow"

    def __init__(self, start_s: float, line_s: float, gone_s: float = 0.0) -> None:
        self.at = 0.0
        self.greetings = 0
        self._gone_s, self._line_s = gone_s, line_s
        self._free_s = start_s
        self._link = Endpoint(IDENTITY, BOOT)
        self._said: list[tuple[float, bytes]] = []

    def now(self) -> float:
        """Return the time."""
        return self.at

    def rest(self, seconds: float) -> None:
        """Advance the clock."""
        self.at += seconds

    def plug(self) -> Slow:
        """Open the port, which is missing at first; output sent before is lost."""
        if self.at < self._gone_s:
            raise WireLost("gone")
        self._said = [(at, data) for at, data in self._said if at > self.at]
        return self

    def write(self, data: bytes) -> None:
        """Queue a line for the ring."""
        self.greetings += 1
        self._free_s = max(self._free_s, self.at) + self._line_s
        us = round(self._free_s * 1e6)
        self._link.receive(data, us)
        self._said.append((self._free_s, self._link.outgoing(us)))

    def read(self, timeout_s: float) -> bytes:
        """Return the ring's next output, if it comes within the timeout."""
        until = self.at + timeout_s
        if self._said and self._said[0][0] <= until:
            at, data = self._said.pop(0)
            self.at = max(self.at, at)
            return data
        self.at = until
        return b""

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("start_s", [0.2, 3.0, 25.0, 60.0])
@pytest.mark.parametrize("line_s", [0.01, 0.2, 0.6, 1.5])
def test_a_slow_ring_is_heard_as_soon_as_it_has_answered_once(start_s, line_s):
    """Queued greetings don't delay the first hello: one answer is enough."""
    ring = Slow(start_s, line_s)

    hello = first_hello(ring.plug, [].append, ring.now, ring.rest)

    assert hello
    assert hello.boot == BOOT
    assert ring.at <= start_s + line_s + WORD_S / 10


def test_a_port_that_goes_and_comes_again_is_waited_for():
    """If the port disappears while the board starts, the command waits for it."""
    ring = Slow(4.0, 0.01, gone_s=2.5)

    assert first_hello(ring.plug, [].append, ring.now, ring.rest)


def test_whoever_waits_is_told_and_not_for_ever():
    """Every ten seconds a sentence says how long the wait has taken and how much is left; in the end it is given up."""
    ring, said = Slow(1000.0, 0.01), []

    assert first_hello(ring.plug, said.append, ring.now, ring.rest) is None

    assert ring.at == pytest.approx(START_S, abs=1.0)
    assert len(said) == START_S / WORD_S - 1
    assert said[0].startswith("No answer yet, 10 s after its start; 80 s are left")
    assert ring.greetings <= 2 * START_S + len(said) + 1
