"""Keeps at the table what was calibrated at the keyboard, and the copy of the game that it names."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.registry import GAMES
from companion.kernel.validation import Line
from companion.model.boxes import Copy
from companion.model.game import with_ring
from companion.model.snapshot import Who
from companion.session.table import Table

AT_THE_KEYBOARD = Who("script", "calibrate")


def colours_of(table: Table, copy: str) -> tuple[str, ...]:
    """Return the colours of the *copy* of that name, or else those of most boxes."""
    known = next((each.colours for each in table.copies() if each.name == copy), None)
    return tuple(known) if known else with_ring(GAMES)[1].colours


def keep_line(table: Table, line: Line, colours: Sequence[str]) -> str:
    """Keep a calibration, and the copy that it names where the table has none of that name; say what was kept."""
    copy = str(line["copy"])
    table.keep_calibration(line, AT_THE_KEYBOARD)
    if copy not in {each.name for each in table.copies()}:
        table.keep_copy(Copy(copy, with_ring(GAMES)[0], None, {each: each for each in colours}), AT_THE_KEYBOARD)
    return f"Saved: the calibration of “{copy}”, made {line['made']} by the ring {line['device']}."
