"""Compute what a console shows.

The functions are pure: they depend only on a snapshot and on the milliseconds since it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from companion.model.clock import NAMING, REVEAL, Countdown
from companion.model.snapshot import Snapshot, Status
from companion.ports.console import Cue, Lamp, Led, Panel, Shape, Sound

SHAPES: Mapping[str, Shape] = {REVEAL: Shape.PULSES, NAMING: Shape.BREATH}
"""The lamp's shape for each step in which the players reveal cards together.

In other steps the game chooses the shape; the default is steady.
"""
SECOND_MS = 1000
LAST_MS = 5 * SECOND_MS
FRESH_MS = 2 * SECOND_MS
"""A step counts as new for this long. After that its turn sound is no longer played."""


def panel(snapshot: Snapshot, elapsed_ms: int = 0) -> Panel:
    """Return what a console shows of *snapshot*, *elapsed_ms* milliseconds after it was taken."""
    timing = None if snapshot.timing is None else snapshot.timing.at(elapsed_ms)
    cue = next(_cues(snapshot, timing), None) if snapshot.status is Status.LIVE else None
    return Panel(_lamp(snapshot, timing), dict(_leds(snapshot, timing)), cue)


def due_ms(snapshot: Snapshot, elapsed_ms: int = 0) -> int | None:
    """Return the milliseconds until the panel changes without a new row, or None if only a new row can change it."""
    if snapshot.timing is None or not snapshot.timing.running:
        return None
    timing = snapshot.timing.at(elapsed_ms)
    left = timing.lead_ms or max(0, timing.left_ms)
    seconds = [(left - 1) % SECOND_MS + 1] if left else []
    banks = [timing.lead_ms + each.free_ms + each.left_ms for each in timing.banks if each.waits and not each.empty]
    return min((*seconds, *banks), default=None)


def seats_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the seats of the present game in their order, or none if there is no game."""
    return () if snapshot.game is None else tuple(seat.colour for seat in snapshot.game.seats(snapshot.state))


def _lamp(snapshot: Snapshot, timing: Countdown | None) -> Lamp:
    """Return what the lamp shows. Its shape shows the phase; its colour and its blinks show the seat that must act.

    The number of blinks is the number of the seat, for players who can't see the colour.
    """
    if snapshot.status is Status.PAUSED:
        return Lamp(shape=Shape.DIM)
    if snapshot.status is not Status.LIVE or timing is None:
        return Lamp()
    if snapshot.questions:
        return Lamp(shape=Shape.LONG_SHORT)
    shape = _shape(snapshot, timing.step)
    if len(timing.seats) != 1 or timing.step == REVEAL:
        return Lamp(shape=shape)
    (seat,) = timing.seats
    return Lamp(seat, shape, seats_of(snapshot).index(seat) + 1)


def _shape(snapshot: Snapshot, step: str) -> Shape:
    console = None if snapshot.game is None else snapshot.game.console
    lamps = SHAPES if console is None else {**console.lamps, **SHAPES}
    return lamps.get(step, Shape.STEADY)


def _leds(snapshot: Snapshot, timing: Countdown | None) -> Iterator[tuple[str, Led]]:
    """Yield the light of each seat: it blinks while the table waits for that seat.

    In a step in which several seats act, the light of a seat that has finished is on without blinking.
    """
    awaited: tuple[str, ...] = ()
    if snapshot.game is not None and snapshot.status is Status.LIVE:
        awaited = snapshot.game.waited_for(snapshot.state)
    several = timing is not None and (len(timing.seats) > 1 or timing.step == REVEAL)
    for seat in seats_of(snapshot):
        if timing is None or snapshot.status is not Status.LIVE:
            yield seat, Led.OFF
        elif timing.step == REVEAL:
            yield seat, Led.ON
        elif seat in awaited and seat not in _done(timing):
            yield seat, Led.BLINK
        else:
            yield seat, Led.ON if several and seat in timing.seats else Led.OFF


def _done(timing: Countdown) -> tuple[str, ...]:
    """Return the seats that are ready. In the step `NAMING`, after the reveal, there are none."""
    return () if timing.step == NAMING else timing.ready


def _cues(snapshot: Snapshot, timing: Countdown | None) -> Iterator[Cue]:
    """Yield the sounds for this moment, most urgent first."""
    if snapshot.questions:
        yield Cue(Sound.UNSURE, (snapshot.game_id, snapshot.questions[0].id))
    if timing is None or snapshot.timing is None:
        return
    mark = (snapshot.game_id, timing.name, timing.seats, snapshot.step.mark if snapshot.step else ())
    if timing.running:
        yield from _ticks(snapshot.timing, timing, mark)
    if timing.spent_ms < FRESH_MS and timing.seats:
        yield Cue(Sound.TURN, mark)


def _ticks(before: Countdown, timing: Countdown, mark: tuple[object, ...]) -> Iterator[Cue]:
    """Yield the sounds of a running clock.

    These are the countdown (three notes and a low one), the last five seconds of a limit, and its end.
    """
    if timing.lead_ms:
        yield Cue(Sound.TICK, (*mark, ceil(timing.lead_ms / SECOND_MS)))
    elif before.lead_ms and timing.spent_ms < FRESH_MS:
        yield Cue(Sound.LOW, mark)
    emptied = _emptied(before, timing)
    if emptied:
        yield Cue(Sound.OVER, (*mark, *emptied))
    if timing.over:
        yield Cue(Sound.OVER, (*mark, timing.limit_ms))
    elif timing.limit_ms and timing.left_ms <= LAST_MS and not timing.lead_ms:
        yield Cue(Sound.LAST, (*mark, ceil(timing.left_ms / SECOND_MS)))


def _emptied(before: Countdown, timing: Countdown) -> tuple[str, ...]:
    """Return the seats whose time bank ran out since the last row.

    A bank that was already empty is not reported again.
    """
    had = {each.seat for each in before.banks if not each.empty}
    return tuple(each.seat for each in timing.banks if each.empty and each.seat in had)
