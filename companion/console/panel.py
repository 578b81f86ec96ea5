"""What a console shows of the table: pure, from a sight and the milliseconds since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from companion.model.countdown import NAMING, REVEAL, Countdown
from companion.model.snapshot import Snapshot, Status
from companion.ports.console import Cue, Lamp, Led, Panel, Shape, Sound

SHAPES: Mapping[str, Shape] = {REVEAL: Shape.PULSES, NAMING: Shape.BREATH}
"""How the lamp shines in the steps of a common reveal; in all others as the game says, or steadily."""
SECOND_MS = 1000
LAST_MS = 5 * SECOND_MS
FRESH_MS = 2 * SECOND_MS
"""For so long a step is new: who hears of it later has been called already."""


def panel(snapshot: Snapshot, elapsed_ms: int = 0) -> Panel:
    """Return what a console shows of *snapshot*, so many milliseconds after the second it is right for."""
    timing = None if snapshot.timing is None else snapshot.timing.at(elapsed_ms)
    cue = next(_cues(snapshot, timing), None) if snapshot.status is Status.LIVE else None
    return Panel(_lamp(snapshot, timing), dict(_leds(snapshot, timing)), cue)


def due_ms(snapshot: Snapshot, elapsed_ms: int = 0) -> int | None:
    """Return after how many more milliseconds the panel must be looked at again, None while nothing but a row can."""
    if snapshot.timing is None or not snapshot.timing.running:
        return None
    timing = snapshot.timing.at(elapsed_ms)
    left = timing.lead_ms or max(0, timing.left_ms)
    seconds = [(left - 1) % SECOND_MS + 1] if left else []
    banks = [timing.lead_ms + each.free_ms + each.left_ms for each in timing.banks if each.waits and not each.empty]
    return min((*seconds, *banks), default=None)


def seats_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the seats of the game on the table, in their order; none without a game."""
    return () if snapshot.game is None else tuple(seat.colour for seat in snapshot.game.seats(snapshot.state))


def _lamp(snapshot: Snapshot, timing: Countdown | None) -> Lamp:
    """Phase by its shape, whose turn by colour and as many blinks as their seat counts: never by colour alone."""
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
    """A light blinks while its seat is waited for, and shines once it has done its part of a step of several."""
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
    """Return who is ready; once all have turned over and cards are named, that is said of nobody."""
    return () if timing.step == NAMING else timing.ready


def _cues(snapshot: Snapshot, timing: Countdown | None) -> Iterator[Cue]:
    """Yield what is to be heard now, the most urgent first."""
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
    """Yield what a clock that runs has to say: three, two, one, a low note; the last five seconds; over."""
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
    """Return whose bank has run out since the last row; whoever goes on without any is not called again."""
    had = {each.seat for each in before.banks if not each.empty}
    return tuple(each.seat for each in timing.banks if each.empty and each.seat in had)
