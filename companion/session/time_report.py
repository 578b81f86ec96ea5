"""Compute how long each step of a game took, and how long players waited for each other.

The times are those of the game's clock, without pauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion.events.table_events import ClockChanged, EventEntry, Fate, LineDone, SeatReady, StepStarted


@dataclass(frozen=True)
class Spell:
    """One step of a game. It took *ms* milliseconds; *by_seat* has the time until each seat had finished.

    *mark* distinguishes steps of the same name; its first number is the round. If an undo returned to a step, both
    times are added.
    """

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    ms: int
    by_seat: Mapping[str, int]


@dataclass
class _Open:
    """A step in progress that began at *began_ms*. *done* has the time at which each seat finished."""

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    began_ms: int
    done: dict[str, int] = field(default_factory=dict)

    def closed(self, at_ms: int) -> Spell:
        by_seat = {seat: self.done.get(seat, at_ms) - self.began_ms for seat in self.seats}
        return Spell(self.step, self.seats, self.mark, at_ms - self.began_ms, by_seat)


def spells(entries: Iterable[EventEntry], until_ms: int) -> tuple[Spell, ...]:
    """Return the steps of a game from its *entries*, oldest first.

    If the last step has not ended, its time is counted until *until_ms*. The result is empty for a game from a version
    of the program that didn't store steps.
    """
    found: dict[tuple[object, ...], Spell] = {}
    going: _Open | None = None
    for entry in entries:
        started = _started(entry)
        if going is not None and (started is not None or entry.event is Fate.FINISHED):
            _add(found, going.closed(entry.at_ms))
            going = None
        elif going is not None and (seat := _done(entry)) is not None:
            going.done.setdefault(seat, entry.at_ms)
        if started is not None:
            going = _Open(started.step, started.seats, started.mark, entry.at_ms)
    if going is not None:
        _add(found, going.closed(max(until_ms, going.began_ms)))
    return tuple(found.values())


def _started(entry: EventEntry) -> StepStarted | None:
    """Return the step that began with *entry*, or None."""
    match entry.event:
        case ClockChanged(StepStarted() as started):
            return started
        case _:
            return None


def _done(entry: EventEntry) -> str | None:
    """Return the seat that finished the step with *entry*, or None."""
    match entry.event:
        case ClockChanged(SeatReady(seat)):
            return seat
        case LineDone(line):
            player = line.get("player")
            return player if isinstance(player, str) else None
        case _:
            return None


def _add(found: dict[tuple[object, ...], Spell], spell: Spell) -> None:
    key = (spell.step, spell.seats, spell.mark)
    before = found.get(key)
    if before is not None:
        by_seat = {seat: before.by_seat[seat] + ms for seat, ms in spell.by_seat.items()}
        spell = replace(spell, ms=before.ms + spell.ms, by_seat=by_seat)
    found[key] = spell


Waits = Mapping[str, Mapping[str, float]]
"""Milliseconds: the first key is the seat that waited, and the second the seat that it waited for."""


def waits(spells: Iterable[Spell], seats: tuple[str, ...]) -> Waits:
    """Return how long each of *seats* waited for each other seat.

    If the table waited for several seats, the time is divided between them.
    """
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
    """Return the intervals between the times at which seats finished."""
    return pairwise(sorted({0, *ends}))
