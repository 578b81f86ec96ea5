"""How long each step of a game took, and whom: told by where the steps began on the game's clock, pauses left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.events.table_events import ClockChanged, EventEntry, Fate, LineDone, SeatReady, StepStarted


@dataclass(frozen=True)
class Spell:
    """One step as it was played: *ms* in all, and of each seat until it had done its part.

    *mark* tells steps of the same name apart; the round comes first. A step
    that was gone back to is one spell with the time of both.
    """

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    ms: int
    by_seat: Mapping[str, int]


@dataclass
class _Open:
    """A step that is going on since *began_ms*; *done* holds when each seat had done its part."""

    step: str
    seats: tuple[str, ...]
    mark: tuple[int, ...]
    began_ms: int
    done: dict[str, int] = field(default_factory=dict)

    def closed(self, at_ms: int) -> Spell:
        by_seat = {seat: self.done.get(seat, at_ms) - self.began_ms for seat in self.seats}
        return Spell(self.step, self.seats, self.mark, at_ms - self.began_ms, by_seat)


def spells(entries: Iterable[EventEntry], until_ms: int) -> tuple[Spell, ...]:
    """Return the steps of a game that these *entries* tell of, oldest first; the one going on lasts *until_ms*.

    Games from before steps were written down have none.
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
    """Return the step that began with *entry*."""
    match entry.event:
        case ClockChanged(StepStarted() as started):
            return started
        case _:
            return None


def _done(entry: EventEntry) -> str | None:
    """Return the seat that has done its part of a step with *entry*."""
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
