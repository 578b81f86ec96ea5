"""Add up draws for one question, in a limited number of groups, so that a plot can show how the result developed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.fairness.evidence import Cell, Evidence, Pull
from companion.kernel.shown import shows

PIECES = 80
"""The maximum number of groups. A plot needs no more."""


@shows("_each", "_hits", "_count")
class Tally:
    """The draws for one question, oldest first, in groups with equal numbers of draws."""

    def __init__(self, pulls: Iterable[Pull] = (), most: int = PIECES) -> None:
        self._most = most
        self._each = 1
        self._pieces: list[Evidence] = []
        self._hits, self._made, self._count = 0, Counter[Cell](), 0
        for pull in pulls:
            self.add(pull)

    def add(self, pull: Pull) -> None:
        """Add a draw. A draw with a certain result is ignored."""
        if not pull.informative:
            return
        self._hits += pull.hits
        self._made[pull.cell] += 1
        self._count += 1
        if self._count == self._each:
            self._close()

    @property
    def pieces(self) -> tuple[Evidence, ...]:
        """All draws in groups, oldest first. The last group may have fewer draws."""
        return (*self._pieces, *((self._open(),) if self._count else ()))

    @property
    def evidence(self) -> Evidence:
        """All draws together."""
        whole = Evidence()
        for piece in self.pieces:
            whole = whole.also(piece)
        return whole

    def copy(self) -> Tally:
        """Return an independent copy."""
        twin = Tally(most=self._most)
        twin._each, twin._pieces = self._each, list(self._pieces)
        twin._hits, twin._made, twin._count = self._hits, Counter(self._made), self._count
        return twin

    def _open(self) -> Evidence:
        return Evidence(self._hits, dict(self._made))

    def _close(self) -> None:
        self._pieces.append(self._open())
        self._hits, self._made, self._count = 0, Counter(), 0
        if len(self._pieces) < self._most:
            return
        # Join neighbouring groups in pairs, so that the number of groups stays limited.
        ones, others = self._pieces[::2], self._pieces[1::2]
        self._pieces = [one.also(other) for one, other in zip(ones, others, strict=True)]
        self._each *= 2
