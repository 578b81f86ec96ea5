"""Runs a console for a table: shows the table in lights, executes button presses, and plays each sound once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from companion.kernel.errors import Malformed, Refused
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.model.countdown import NAMING, REVEAL, Countdown
from companion.model.game import still_to_lay
from companion.model.snapshot import MovedOn, Snapshot, Status, Who
from companion.ports.console import Button, Cue, Lamp, Led, OpenConsole, Panel, Pressed, Shape, Sound
from companion.session.commands import AllReady, Command, Go, Hold, Move, Pause, Ready, Resume, Undo
from companion.session.table import Table, command_of

SHAPES: Mapping[str, Shape] = {REVEAL: Shape.PULSES, NAMING: Shape.BREATH}
"""The lamp's shape for each step in which the players reveal cards together.

In other steps the game chooses the shape; the default is steady.
"""
SECOND_MS = 1000
LAST_MS = 5 * SECOND_MS
FRESH_MS = 2 * SECOND_MS
"""A step counts as new for this long. After that its turn sound is no longer played."""


# What a console shows is computed by pure functions. They depend only on a snapshot and on the milliseconds since it.


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


# `meant` translates a button press to a command. It is a pure function of the snapshot and the press.

HOST, VIA = "host", "button"


@dataclass(frozen=True)
class Meant:
    """The command that a press stands for, and the player or host who gives it."""

    command: Command
    by: str = HOST


def meant(snapshot: Snapshot, pressed: Pressed, elapsed_ms: int = 0) -> Meant:
    """Return the command that *pressed* means now, or raise `Refused` if the rules do not allow it.

    Now is *elapsed_ms* after the time of *snapshot*.
    """
    if pressed.button is Button.PAUSE:
        return Meant(_clock(snapshot, pressed.held))
    if pressed.seat and pressed.seat not in seats_of(snapshot):
        raise Refused(said("Nobody is playing %(seat)s.", seat=pressed.seat))
    if snapshot.game is None or snapshot.status is not Status.LIVE:
        raise Refused(said("The game is paused."))
    step = "" if snapshot.timing is None else snapshot.timing.at(elapsed_ms).step
    if step == REVEAL:
        raise Refused(said("Three, two, one, turn over!"))
    laying = still_to_lay(snapshot.game, snapshot.state)
    if laying and step != NAMING:
        if pressed.seat and pressed.seat not in laying:
            raise Refused(said("There's no card to play now."))
        return Meant(Ready(pressed.seat), pressed.seat) if pressed.seat else Meant(AllReady())
    console = snapshot.game.console
    line = None if console is None else console.by_button(snapshot.state, pressed.seat or None, pressed.held)
    if line is None:
        raise Refused(said("This button does nothing now."))
    snapshot.game.decide(snapshot.whole, snapshot.game.parse(line))  # raises `Refused` if the line is illegal
    whose = snapshot.game.actor(snapshot.state, line) if pressed.seat else None
    return Meant(command_of(line), whose or HOST)


def carry_out(asked: Meant, table: Table, version: int | None = None) -> None:
    """Execute the command at the table, or raise `Refused`.

    A line is valid only for *version*, the version of the game that was shown at the press.
    """
    # Two seats may press ready at the same time, and both presses are valid. Only a move becomes outdated by another
    # command.
    shown = version if isinstance(asked.command, Move | Undo) else None
    table.execute(asked.command, Who(asked.by, VIA), shown)


def _clock(snapshot: Snapshot, held: bool) -> Command:
    """Return the command that the pause button means now.

    A short press stops or starts the clock; a long press pauses the game. Any press resumes a paused game.
    """
    if snapshot.status is Status.PAUSED:
        return Resume()
    if snapshot.status is not Status.LIVE:
        raise Refused(said("There's no game to pause."))
    if held:
        return Pause()
    if snapshot.timing is not None and snapshot.timing.held:
        return Go()
    if not snapshot.runs:
        raise Refused(said("The clock is already stopped."))
    return Hold()


SETTLING_S = 0.6
"""A press within this time after the beginning of a step counts as meant for the step before."""


@shows("_step", "_closed", "_sounded")
class ConsoleController:
    """Connects a table with its console.

    `turn` does everything that is due; `wait` blocks until the next turn is due.
    """

    def __init__(self, table: Table, open_console: OpenConsole, now: Callable[[], float]) -> None:
        """Open the console and show the table on it. *now* returns the seconds of the table's clock."""
        self._table, self._open_console, self._now = table, open_console, now
        self._bell = threading.Event()
        self._sounded: dict[Sound, Cue] = {}
        self._step: object = None
        self._step_since = now() - SETTLING_S  # treat the present step as begun long ago, so that presses count at once
        self._look(table.snapshot, self._step_since)
        # The port and the table set this event from their own threads; only the console's thread uses the pins.
        self._port = open_console(self._bell.set)
        self._closed = False
        self._unsubscribe = table.subscribe(lambda snapshot: self._bell.set())

    def open(self) -> None:
        """Reopen the console if it was closed.

        Presses made while it was closed are ignored, and old sounds are not repeated.
        """
        if self._closed:
            self._port = self._open_console(self._bell.set)
            self._closed = False
            self._unsubscribe = self._table.subscribe(lambda snapshot: self._bell.set())

    def turn(self) -> None:
        """Execute the presses, then show the present table."""
        self._bell.clear()  # cleared first, so that an event during this turn causes another turn
        self._look(self._table.snapshot, self._now())
        for pressed in self._port.turn():
            self._obey(pressed)
        snapshot = self._table.snapshot
        self._look(snapshot, self._now())
        shown = panel(snapshot, self._elapsed_ms(snapshot))
        self._port.show(shown)
        if shown.cue is not None and self._sounded.get(shown.cue.sound) != shown.cue:
            self._sounded[shown.cue.sound] = shown.cue
            self._port.sound(shown.cue.sound)

    def due_s(self) -> float | None:
        """Return the number of seconds until the next turn is due, or None if only an event can make it due."""
        snapshot = self._table.snapshot
        of_panel = due_ms(snapshot, self._elapsed_ms(snapshot))
        dues = (None if of_panel is None else of_panel / 1000, self._port.due_s())
        return min((due for due in dues if due is not None), default=None)

    def wait(self) -> None:
        """Block until the next turn is due."""
        self._bell.wait(self.due_s())

    def stir(self) -> None:
        """End a `wait`, from any thread."""
        self._bell.set()

    def close(self) -> None:
        """Switch the console off and close it; safe to call twice."""
        if not self._closed:
            self._closed = True  # set first, so that a failed close is not repeated
            self._unsubscribe()
            self._port.close()

    def _elapsed_ms(self, snapshot: Snapshot) -> int:
        return max(0, int((self._now() - snapshot.as_of) * 1000 + 1e-6))

    def _look(self, snapshot: Snapshot, now: float) -> None:
        step = (snapshot.game_id, snapshot.step)
        if step != self._step:
            self._step, self._step_since = step, now

    def _obey(self, pressed: Pressed) -> None:
        """Execute a press. A refused press plays a low buzz and changes nothing."""
        try:
            if pressed.button is not Button.PAUSE and self._now() - self._step_since < SETTLING_S:
                raise Refused(said("That was for the step before."))
            snapshot = self._table.snapshot
            carry_out(meant(snapshot, pressed, self._elapsed_ms(snapshot)), self._table, snapshot.version)
        except (Refused, Malformed, MovedOn):
            self._port.sound(Sound.REFUSED)
        self._look(self._table.snapshot, self._now())


def keeping(keeper: ConsoleController, threads: Supervisor) -> Callable[[], None]:
    """Run a console in a thread of its own; the returned function ends it.

    After an error the console is dark until the thread restarts. Presses during that time are ignored, because they may
    be meant for a step that has ended.
    """
    over = threading.Event()

    def keep() -> None:
        try:
            keeper.open()
            while not over.is_set():
                keeper.turn()
                if not over.is_set():  # `turn` clears the event that `end` may have set
                    keeper.wait()
        finally:
            keeper.close()

    thread = threads.start("console", keep, said("The console"))

    def end() -> None:
        over.set()
        keeper.stir()
        thread.end()

    return end
