"""Who waited for whom: the time that each seat had nothing left to do while the table waited for others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from companion.session.time_report import Spell

Waits = Mapping[str, Mapping[str, float]]
"""Milliseconds by who waited and for whom; nobody waits for themselves."""


def waits(spells: Iterable[Spell], seats: tuple[str, ...]) -> Waits:
    """Return how long each of *seats* waited for each other; while the table waits for several, they share it."""
    found = {seat: dict.fromkeys((other for other in seats if other != seat), 0.0) for seat in seats}
    for spell in spells:
        busy = {seat: ms for seat, ms in spell.by_seat.items() if seat in found}
        for began, ended in _stretches(busy.values()):
            late = [seat for seat, ms in busy.items() if ms >= ended]
            for seat in seats:
                for other in late if seat not in late else ():
                    found[seat][other] += (ended - began) / len(late)
    return found


def _stretches(ends: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Return the stretches of time between those moments at which a seat had done its part."""
    return pairwise(sorted({0, *ends}))
