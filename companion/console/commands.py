"""What a press of a console's button asks of the table: pure, from the sight and the button."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from companion.console.panel import seats_of
from companion.kernel.errors import Refused
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.countdown import NAMING, REVEAL
from companion.model.snapshot import Snapshot, Status, Who
from companion.ports.console import Button, Pressed
from companion.session.table import Table

HOST, VIA = "host", "button"


class Word(StrEnum):
    """A deed that needs no more than its name."""

    ALL_READY = "all_ready"
    HOLD = "hold"
    GO = "go"
    PAUSE = "pause"
    RESUME = "resume"


@dataclass(frozen=True)
class Do:
    """A line of the game, and whose doing it is."""

    line: Line
    by: str = HOST


@dataclass(frozen=True)
class Ready:
    """A seat has laid face down."""

    seat: str


Deed = Do | Ready | Word


def meant(snapshot: Snapshot, pressed: Pressed, elapsed_ms: int = 0) -> Deed:
    """Return what *pressed* asks for, *elapsed_ms* after the moment of *snapshot*, or raise `Refused`."""
    if pressed.button is Button.PAUSE:
        return _clock(snapshot, pressed.held)
    if pressed.seat and pressed.seat not in seats_of(snapshot):
        raise Refused(said("Nobody plays %(seat)s now.", seat=pressed.seat))
    if snapshot.game is None or snapshot.status is not Status.LIVE:
        raise Refused(said("The game stands still."))
    step = "" if snapshot.timing is None else snapshot.timing.at(elapsed_ms).step
    if step == REVEAL:
        raise Refused(said("Three, two, one: then all turn over."))
    if snapshot.game.together(snapshot.state) and step != NAMING:
        return Ready(pressed.seat) if pressed.seat else Word.ALL_READY
    line = snapshot.game.by_button(snapshot.state, pressed.seat or None, pressed.held)
    if line is None:
        raise Refused(said("This button means nothing now."))
    whose = snapshot.game.actor(snapshot.state, line) if pressed.seat else None
    return Do(line, whose or HOST)


def carry_out(deed: Deed, table: Table, version: int | None = None) -> None:
    """Do it at the table, which may refuse; a line is for the *version* that the button was pressed at."""
    match deed:
        case Do():
            table.do(deed.line, Who(deed.by, VIA), version)
        case Ready():
            table.ready(deed.seat, Who(deed.seat, VIA))
        case Word():
            _WORDS[deed](table, Who(HOST, VIA))
        case _:
            assert_never(deed)


_WORDS: Mapping[Word, Callable[[Table, Who], int]] = {
    Word.ALL_READY: Table.all_ready,
    Word.HOLD: Table.hold,
    Word.GO: Table.go,
    Word.PAUSE: Table.pause,
    Word.RESUME: Table.resume,
}


def _clock(snapshot: Snapshot, held: bool) -> Word:
    """A short press holds the clock or lets it go on; a long one stops the whole game. Any press ends that."""
    if snapshot.status is Status.PAUSED:
        return Word.RESUME
    if snapshot.status is not Status.LIVE:
        raise Refused(said("There is no game to pause."))
    if held:
        return Word.PAUSE
    return Word.GO if snapshot.timing is not None and snapshot.timing.held else Word.HOLD
