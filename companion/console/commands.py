"""What a press of a console's button asks of the table: pure, from the sight and the button."""

from __future__ import annotations

from dataclasses import dataclass

from companion.console.panel import seats_of
from companion.kernel.errors import Refused
from companion.kernel.i18n import said
from companion.model.countdown import NAMING, REVEAL
from companion.model.game import still_to_lay
from companion.model.snapshot import Snapshot, Status, Who
from companion.ports.console import Button, Pressed
from companion.session.commands import AllReady, Command, Go, Hold, Move, Pause, Ready, Resume, Undo, command_of
from companion.session.table import Table

HOST, VIA = "host", "button"


@dataclass(frozen=True)
class Meant:
    """What a press asks of the table, and whose doing it is."""

    command: Command
    by: str = HOST


def meant(snapshot: Snapshot, pressed: Pressed, elapsed_ms: int = 0) -> Meant:
    """Return what *pressed* asks for, *elapsed_ms* after the moment of *snapshot*, or raise `Refused`.

    What it returns the table does: a button that the rules say no to means nothing.
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
    snapshot.game.decide(snapshot.whole, snapshot.game.parse(line))  # what the rules refuse, the button doesn't mean
    whose = snapshot.game.actor(snapshot.state, line) if pressed.seat else None
    return Meant(command_of(line), whose or HOST)


def carry_out(asked: Meant, table: Table, version: int | None = None) -> None:
    """Do it at the table, which may refuse; a line is for the *version* that the button was pressed at."""
    # Two seats press ready at once, and both are: only what plays is void once somebody else was quicker.
    shown = version if isinstance(asked.command, Move | Undo) else None
    table.execute(asked.command, Who(asked.by, VIA), shown)


def _clock(snapshot: Snapshot, held: bool) -> Command:
    """A short press holds the clock or lets it go on; a long one stops the whole game. Any press ends that."""
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
