"""How a game words what happens: a table with a row for each event, from which voice, history and practice read.

A sentence is written without its full stop. The voice adds it; history shows the sentence as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.kernel.i18n import Fill, Said
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.game import Seat
from companion.model.speech import Utterance, Verbosity

GAP = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Occurrence:
    """What happened: the *fields* of an event or of a line of a record, and the players' *names* by colour."""

    fields: Mapping[str, Any]
    names: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the player whose event or line it is."""
        colour = str(self.fields.get("player", ""))
        return self.names.get(colour, colour)


Sentence = Said | Callable[[Occurrence], Said | None]
"""A pattern whose gaps the table fills, or a function that returns a whole sentence; None: nothing to say this time."""
Gaps = Mapping[str, Callable[[Occurrence], Fill]]
"""What each gap of a game's patterns stands for."""


@dataclass(frozen=True)
class Silent:
    """An event that is never said aloud, and why nobody misses it."""

    why: str


@dataclass(frozen=True)
class Telling:
    """How an event is worded.

    *sentence* is the history's for a line *do*, and the voice's too unless *aloud* is different; an event without a
    *do* is no line of its own. *means* and *card* explain the line to beginners: in one sentence, and by a rules card.
    A table that wants fewer *words* doesn't hear it. *everybody*: it concerns the whole table, not the player alone.
    """

    sentence: Sentence
    do: str = ""
    means: Said | str = ""
    card: str = ""
    aloud: Sentence | Silent | None = None
    words: Verbosity = Verbosity.USUAL
    everybody: bool = False
    at_once: bool = False


Rows = Mapping[type, Telling | Silent]


@shows("rows")
class Tellings:
    """The table of a game: *rows* by the type of event, and the same rows by the `do` of a line."""

    def __init__(self, rows: Rows, gaps: Gaps) -> None:
        self.rows = rows
        self.lines = {row.do: row for row in rows.values() if isinstance(row, Telling) and row.do}
        self._gaps = gaps

    def sentence(self, line: Line, header: Line) -> str:
        """Return the history's sentence for *line* of the game that *header* began; a foreign line is its own `do`."""
        row = self.lines.get(str(line.get("do")))
        names = {player["colour"]: player["name"] for player in header.get("players", ())}
        made = self._filled(row.sentence, Occurrence(line, names)) if row else None
        return str(line.get("do")) if made is None else made

    def explained(self, line: Line) -> tuple[str, str]:
        """Return what *line* means, and the rules card about it."""
        row = self.lines[str(line["do"])]
        return row.means, row.card

    def uttered(self, event: Any, seats: Iterable[Seat]) -> tuple[Utterance, ...]:
        """Return what is said of *event* at a table with these *seats*."""
        row = self.rows[type(event)]
        aloud = row if isinstance(row, Silent) else row.aloud or row.sentence
        if isinstance(row, Silent) or isinstance(aloud, Silent):
            return ()
        names = {seat.colour: seat.name for seat in seats}
        happened = Occurrence(vars(event), names)
        made = self._filled(aloud, happened)
        about = () if row.everybody else (event.player,)
        return () if made is None else (Utterance(stopped(made), about, row.words, "", row.at_once),)

    def _filled(self, sentence: Sentence, happened: Occurrence) -> Said | None:
        if not isinstance(sentence, Said):
            return sentence(happened)
        return Said(sentence.pattern, {gap: self._gaps[gap](happened) for gap in GAP.findall(sentence.pattern)})


def stopped(sentence: Said) -> Said:
    """Return *sentence* as the voice says it, in every language.

    >>> stopped(Said("Ana flies through the sun"))
    'Ana flies through the sun.'
    """
    return Said("%(sentence)s.", {"sentence": sentence})
