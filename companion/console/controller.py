"""Runs a console for a table: shows the table, executes button presses, and plays each sound once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.console.panel import due_ms, panel, seats_of
from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.model.clock import NAMING, REVEAL
from companion.model.game import still_to_lay
from companion.model.snapshot import MovedOn, Snapshot, Status, Who
from companion.ports.console import Button, Cue, OpenConsole, Pressed, Sound
from companion.session.commands import AllReady, Command, Go, Hold, Move, Pause, Ready, Resume, Undo, command_of
from companion.session.table import Table

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
