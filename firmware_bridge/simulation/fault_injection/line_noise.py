"""A noisy line: changes, drops or doubles a share of the bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p
from random import Random

from companion.kernel.shown import shows

WAYS = ("damaged", "lost", "doubled")


@shows("damaged", "_rate")
class LineNoise:
    """Damages a share *rate* of the bytes, each in one of *ways*, drawn from *lots*."""

    def __init__(self, rate: float, lots: Random, ways: Sequence[str] = WAYS) -> None:
        self._rate = rate
        self._lots = lots
        self._ways = ways
        self._spared = self._run()
        self.damaged = 0

    @classmethod
    def none(cls, damaged: int = 0) -> LineNoise:
        """Return a line that damages nothing. *damaged* is the initial count of damaged bytes."""
        line = cls(0.0, Random(0))
        line.damaged = damaged
        return line

    def become(self, rate: float, ways: Sequence[str] = WAYS) -> None:
        """Change the rate and the ways of damage."""
        self._rate, self._ways = rate, ways
        self._spared = self._run()

    def passed(self, data: bytes) -> bytes:
        """Return *data* after damage."""
        if self._spared >= len(data):
            self._spared -= len(data)
            return data
        whole = bytearray()
        rest = data
        while self._spared < len(rest):
            at = int(self._spared)
            whole += rest[:at] + self._spoilt(rest[at])
            rest = rest[at + 1 :]
            self._spared = self._run()
        self._spared -= len(rest)
        return bytes(whole + rest)

    def _run(self) -> float:
        """Return how many bytes pass undamaged before the next damaged one."""
        if self._rate <= 0:
            return float("inf")
        if self._rate >= 1:
            return 0
        return log1p(-self._lots.random()) // log1p(-self._rate)

    def _spoilt(self, byte: int) -> bytes:
        self.damaged += 1
        way = self._ways[self._lots.randrange(len(self._ways))]
        if way == "damaged":
            return bytes([byte ^ (1 << self._lots.randrange(8))])
        return b"" if way == "lost" else bytes([byte, byte])
