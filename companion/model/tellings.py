"""How a game words what happens: a table with a row for each event, from which voice, history and practice read.

A sentence is written without its full stop. The voice adds it; history shows the sentence as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from companion.kernel.i18n import Fill, Said
from companion.kernel.shown import shows
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.speech import Utterance, Verbosity

GAP = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Occurrence:
    """What happened: the *fields* of an event or of a line of a record, and the players' *names* by colour.

    An event knows the state *before* it; a line the *header* of its game, and the states around it where they are at
    hand.
    """

    fields: Mapping[str, Any]
    names: Mapping[str, str]
    before: Any = None
    after: Any = None
    header: Line = field(default_factory=dict)

    @property
    def seat(self) -> str:
        """The colour of the player whose event or line it is, empty for the whole table."""
        return str(self.fields.get("player") or self.fields.get("colour") or "")

    @property
    def name(self) -> str:
        """The name of the player whose event or line it is."""
        return self.named(self.seat)

    def named(self, colour: str) -> str:
        """Return the name of the player of *colour*."""
        return self.names.get(colour, colour)


def its_seat(what: Occurrence) -> tuple[str, ...]:
    """Return the one seat of an event, for those that it is about."""
    return (what.seat,) if what.seat else ()


def nobody(what: Occurrence) -> tuple[str, ...]:
    """Return that an event is about no seat, but about the whole table."""
    return ()


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
    *possible* and *how* are for "What can we do now?": what the line would do, and in a few words how.
    A table that wants fewer *words* doesn't hear it. *about* gives the seats that it concerns, none for the
    whole table. *then* is said after it.
    """

    sentence: Sentence
    do: str = ""
    means: Sentence | str = ""
    card: str = ""
    aloud: Sentence | Silent | None = None
    words: Verbosity = Verbosity.USUAL
    topic: str = ""
    about: Callable[[Occurrence], tuple[str, ...]] = its_seat
    then: Telling | None = None
    at_once: bool = False
    possible: Said | str = ""
    how: Said | str = ""


Rows = Mapping[type, Telling | Silent]
Turn = Callable[[Any], Utterance | None]


@shows("rows")
class Tellings:
    """The table of a game: *rows* by the type of event, and the same rows by the `do` of a line.

    A `do` that is not just one event has a row of its own among *lines*. *turn* says whose turn it is: with it, the
    table is the game's `Speech`.
    """

    def __init__(self, turn: Turn, gaps: Gaps, rows: Rows, lines: Mapping[str, Telling] | None = None) -> None:
        self.turn, self.rows = turn, rows
        self.lines = {row.do: row for row in rows.values() if isinstance(row, Telling) and row.do} | {**(lines or {})}
        self._gaps = gaps

    def sentence(self, line: Line, header: Line, before: Any = None) -> str:
        """Return the history's sentence for *line* of the game that *header* began; a foreign line is its own `do`."""
        row = self.lines.get(str(line.get("do")))
        made = self._filled(row.sentence, _occurrence(line, header, before)) if row else None
        return str(line.get("do")) if made is None else made

    def explained(self, line: Line, header: Line, before: Any, after: Any) -> tuple[str, str]:
        """Return what *line* means, as it turned *before* into *after*, and the rules card about it."""
        row = self.lines[str(line["do"])]
        means = row.means
        if callable(means):
            means = means(_occurrence(line, header, before, after)) or ""
        return means, row.card

    def uttered(self, before: Any, event: Any) -> tuple[Utterance, ...]:
        """Return what is said of *event*, which happened in *before*."""
        row = self.rows[type(event)]
        if isinstance(row, Silent) or isinstance(row.aloud, Silent):
            return ()
        names = {seat.colour: seat.name for seat in before.setting.seats}
        return tuple(self._aloud(row, Occurrence(vars(event), names, before)))

    def _aloud(self, row: Telling, happened: Occurrence) -> Iterator[Utterance]:
        aloud = row.sentence if row.aloud is None or isinstance(row.aloud, Silent) else row.aloud
        made = self._filled(aloud, happened)
        if made is not None:
            yield Utterance(stopped(made), row.about(happened), row.words, row.topic, row.at_once)
        if row.then is not None:
            yield from self._aloud(row.then, happened)

    def _filled(self, sentence: Sentence, happened: Occurrence) -> Said | None:
        if not isinstance(sentence, Said):
            return sentence(happened)
        return Said(sentence.pattern, {gap: self._gaps[gap](happened) for gap in GAP.findall(sentence.pattern)})


def _occurrence(line: Line, header: Line, before: Any = None, after: Any = None) -> Occurrence:
    names = {player["colour"]: player["name"] for player in header.get("players", ())}
    return Occurrence(line, names, before, after, header)


def stopped(sentence: Said) -> Said:
    """Return *sentence* as the voice says it, in every language: with a full stop, unless it has one.

    >>> stopped(Said("Ana flies through the sun"))
    'Ana flies through the sun.'
    """
    return sentence if sentence.endswith(".") else Said("%(sentence)s.", {"sentence": sentence})
