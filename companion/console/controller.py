"""Keeps a console going beside a table: shows it what is, does what is pressed, sounds each thing once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.console.commands import carry_out, meant
from companion.console.panel import due_ms, panel
from companion.kernel.errors import Malformed, Refused
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.model.snapshot import MovedOn, Snapshot
from companion.ports.console import Button, Cue, OpenConsole, Pressed, Sound
from companion.session.table import Table

SETTLING_S = 0.6
"""So long after a step began, a press was meant for the one before: nobody is that quick."""


@shows("_step", "_closed", "_sounded")
class ConsoleController:
    """A table and its console; `turn` does all that is due, `wait` sleeps until there is more."""

    def __init__(self, table: Table, open_console: OpenConsole, now: Callable[[], float]) -> None:
        """Open the console and show the table on it; *now* gives the table's own seconds."""
        self._table, self._open_console, self._now = table, open_console, now
        self._bell = threading.Event()
        self._sounded: dict[Sound, Cue] = {}
        self._step: object = None
        self._step_since = now() - SETTLING_S  # what lies on the table when the console comes has long begun
        self._look(table.snapshot, self._step_since)
        # Port and table ring the bell from threads of their own; pins are touched in the console's only.
        self._port = open_console(self._bell.set)
        self._closed = False
        self._unsubscribe = table.subscribe(lambda snapshot: self._bell.set())

    def open(self) -> None:
        """Open the console again if it was closed: dark buttons were not heard, and what sounded sounds no more."""
        if self._closed:
            self._port = self._open_console(self._bell.set)
            self._closed = False
            self._unsubscribe = self._table.subscribe(lambda snapshot: self._bell.set())

    def turn(self) -> None:
        """Do what was pressed, then show the table as it is now."""
        self._bell.clear()  # first: whatever comes from now on wants another turn
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
        """Return in how many seconds another turn is wanted, None for not before something happens."""
        snapshot = self._table.snapshot
        of_panel = due_ms(snapshot, self._elapsed_ms(snapshot))
        dues = (None if of_panel is None else of_panel / 1000, self._port.due_s())
        return min((due for due in dues if due is not None), default=None)

    def wait(self) -> None:
        """Wait until another turn is wanted."""
        self._bell.wait(self.due_s())

    def stir(self) -> None:
        """End a wait, from any thread."""
        self._bell.set()

    def close(self) -> None:
        """Switch the console off and let it go; safe to call twice."""
        if not self._closed:
            self._closed = True  # first: pins that fail to close are not closed again, they are opened again
            self._unsubscribe()
            self._port.close()

    def _elapsed_ms(self, snapshot: Snapshot) -> int:
        return max(0, int((self._now() - snapshot.as_of) * 1000 + 1e-6))

    def _look(self, snapshot: Snapshot, now: float) -> None:
        step = (snapshot.game_id, snapshot.step)
        if step != self._step:
            self._step, self._step_since = step, now

    def _obey(self, pressed: Pressed) -> None:
        """Do what a press asks for; what cannot be is told by a low buzz, and changes nothing."""
        try:
            if pressed.button is not Button.PAUSE and self._now() - self._step_since < SETTLING_S:
                raise Refused(said("That was for the step before."))
            snapshot = self._table.snapshot
            carry_out(meant(snapshot, pressed, self._elapsed_ms(snapshot)), self._table, snapshot.version)
        except (Refused, Malformed, MovedOn):
            self._port.sound(Sound.REFUSED)
        self._look(self._table.snapshot, self._now())


def keeping(keeper: ConsoleController, threads: Supervisor) -> Callable[[], None]:
    """Keep a console going in a thread of its own until the returned end is called.

    After an error it is dark, and opened again with the thread. A button pressed meanwhile does nothing: what was
    meant for a step that may be over must not be done late, or twice.
    """
    over = threading.Event()

    def keep() -> None:
        try:
            keeper.open()
            while not over.is_set():
                keeper.turn()
                if not over.is_set():  # an end that came during the turn has been forgotten by it
                    keeper.wait()
        finally:
            keeper.close()

    thread = threads.start("console", keep, said("The console"))

    def end() -> None:
        over.set()
        keeper.stir()
        thread.end()

    return end
