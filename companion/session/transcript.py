"""The record of a live game, in memory. It can be saved even if the memory card can't be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from companion.events.table_events import (
    Abandoned,
    EventEntry,
    Fate,
    LineDone,
    LineUndone,
    LotDrawn,
    SeedSealed,
    WordsAdded,
)
from companion.kernel.fields import Line
from companion.kernel.shown import shows
from companion.kernel.values import replace
from companion.model.sealed import Sealed, lot_line

UNDO = {"do": "undo"}


@shows("_sealed", "_opened", "_over")
class Transcript:
    """The record of one game so far; a long game takes about a megabyte."""

    def __init__(self, game_id: int, header: Line) -> None:
        self.game_id = game_id
        self._lines = [header]
        self._sealed: Sealed | None = None
        self._opened = False
        self._waiting: list[Line] = []
        self._over = False

    def record(self) -> Iterator[Line]:
        """Return the record, header first, as a deep copy."""
        header, *lines = self._lines
        return map(_own, ({**header, **self._seal()}, *lines))

    def _seal(self) -> Line:
        """Return the part of the header about the sealed seed. The seed is included only when the game is over."""
        if self._sealed is None:
            return {}
        opened = {"seed": self._sealed.seed} if self._sealed.seed and (self._over or self._opened) else {}
        unused = {"lots": self._waiting} if self._waiting else {}
        fields = {"seal": self._sealed.seal, "words": list(self._sealed.words), "drawn": len(self._sealed.lots)}
        return {"sealed": {**fields, **opened, **unused}}

    @property
    def sealed(self) -> tuple[Sealed | None, bool]:
        """The seed with all its lots, and whether the seed may be published."""
        return self._sealed, self._over or self._opened

    def valid_lines(self) -> list[Line]:
        """Return the header and the lines that count, in order."""
        valid: list[Line] = []
        for line in self._lines:
            if line.get("do") == UNDO["do"]:
                valid.pop()
            else:
                valid.append(line)
        return valid

    def add(self, entries: Iterable[EventEntry]) -> None:
        """Add the lines and lots in *entries*."""
        for entry in entries:
            match entry.event:
                case LineDone() | LineUndone():
                    lots = {"lots": self._waiting} if self._waiting else {}
                    self._lines.append({**line_of(entry, entry.event), **lots})
                    self._waiting = []
                case SeedSealed(seed, seal):
                    self._sealed = Sealed(seed, known=seal)
                case WordsAdded(words) if self._sealed is not None:
                    self._sealed = replace(self._sealed, words=(*self._sealed.words, words))
                case LotDrawn(lot) if self._sealed is not None:
                    self._sealed = self._sealed.drawn(lot)
                    self._waiting.append(lot_line(lot))
                case Fate.FINISHED | Abandoned():
                    self._over = True
                case Fate.REOPENED | Fate.RESUMED:
                    self._opened, self._over = self._opened or self._over, False
                case _:
                    pass


def line_of(entry: EventEntry, event: LineDone | LineUndone) -> Line:
    """Return the line of *entry* in the form of a record."""
    line = event.line if isinstance(event, LineDone) else UNDO
    noted = {} if event.note is None else {"note": event.note}
    return {**line, "at": entry.at_ms, "via": entry.via, **noted}


def _own(line: Line) -> Line:
    own: Line = json.loads(json.dumps(line))
    return own
