"""Translate button presses to commands, as a pure function of the snapshot and the press."""

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
    """The command of a press, and who gives it."""

    command: Command
    by: str = HOST


def meant(snapshot: Snapshot, pressed: Pressed, elapsed_ms: int = 0) -> Meant:
    """Return the command of *pressed*, *elapsed_ms* after the time of *snapshot*, or raise `Refused`.

    A returned command is legal: a press that the rules do not allow is refused.
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
    snapshot.game.decide(snapshot.whole, snapshot.game.parse(line))  # raises `Refused` if the rules do
    whose = snapshot.game.actor(snapshot.state, line) if pressed.seat else None
    return Meant(command_of(line), whose or HOST)


def carry_out(asked: Meant, table: Table, version: int | None = None) -> None:
    """Execute the command at the table, which may refuse it.

    A line is valid only for *version*, the one seen at the press.
    """
    # Two seats may press ready at the same time and both are valid. Only a move is outdated by another command.
    shown = version if isinstance(asked.command, Move | Undo) else None
    table.execute(asked.command, Who(asked.by, VIA), shown)


def _clock(snapshot: Snapshot, held: bool) -> Command:
    """Return the command of the pause button.

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
