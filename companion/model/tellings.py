"""The sentences of a game: one table with a row for each event, for the voice, the history and practice.

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
from companion.model.state_contract import seats_of

GAP = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Occurrence:
    """What happened: the *fields* of an event or of a record's line, and the players' *names* by colour.

    An event has the state *before* it. A line has the *header* of its game, and the states before and after it if the
    caller has them.
    """

    fields: Mapping[str, Any]
    names: Mapping[str, str]
    before: Any = None
    after: Any = None
    header: Line = field(default_factory=dict)

    @property
    def seat(self) -> str:
        """The colour of the player whose event or line it is, "" for the whole table."""
        return str(self.fields.get("player") or self.fields.get("colour") or "")

    @property
    def name(self) -> str:
        """The name of the player whose event or line it is."""
        return self.named(self.seat)

    def named(self, colour: str) -> str:
        """Return the name of the player of *colour*."""
        return self.names.get(colour, colour)


def its_seat(what: Occurrence) -> tuple[str, ...]:
    """Return the seat of the player whose event it is, if there is one."""
    return (what.seat,) if what.seat else ()


def nobody(what: Occurrence) -> tuple[str, ...]:
    """Return no seats: the event is about the whole table."""
    return ()


Sentence = Said | Callable[[Occurrence], Said | None]
"""A pattern with gaps for the table to fill, or a function that returns the sentence, or None if nothing is said."""
Gaps = Mapping[str, Callable[[Occurrence], Fill]]
"""For each gap in a game's patterns, the function that fills it."""


@dataclass(frozen=True)
class Silent:
    """An event that is never said aloud, and the reason why."""

    why: str


@dataclass(frozen=True)
class Telling:
    """The wording of an event.

    *sentence* is for a line *do* in the history, and is also said aloud unless *aloud* is given. An event without a
    *do* has no line of its own. *means* explains the line to beginners in one sentence, and *card* is the rules card
    about it. *possible* and *how* are for "What can we do now?": what the line would do, and in a few words how.

    *words* is the least verbosity at which it is said. *about* returns the seats that it concerns, none for the whole
    table. *then* is said after it.
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
    """The sentences of a game: *rows* by the type of event, which are also found by the `do` of a line.

    *lines* has further rows, for a `do` that is not exactly one event. *turn* says whose turn it is. With it the table
    is also the game's `Speech`.
    """

    def __init__(self, turn: Turn, gaps: Gaps, rows: Rows, lines: Mapping[str, Telling] | None = None) -> None:
        self.turn, self.rows = turn, rows
        self.lines = {row.do: row for row in rows.values() if isinstance(row, Telling) and row.do} | {**(lines or {})}
        self._gaps = gaps

    def sentence(self, line: Line, header: Line, before: Any = None) -> str:
        """Return the history's sentence for *line* in the game that *header* began. An unknown line is its own `do`."""
        row = self.lines.get(str(line.get("do")))
        made = self._filled(row.sentence, _occurrence(line, header, before)) if row else None
        return str(line.get("do")) if made is None else made

    def explained(self, line: Line, header: Line, before: Any, after: Any) -> tuple[str, str]:
        """Return what *line* means, given the states *before* and *after* it, and the name of its rules card."""
        row = self.lines[str(line["do"])]
        means = row.means
        if callable(means):
            means = means(_occurrence(line, header, before, after)) or ""
        return means, row.card

    def uttered(self, before: Any, event: Any) -> tuple[Utterance, ...]:
        """Return what is said aloud when *event* happens in the state *before*."""
        row = self.rows[type(event)]
        if isinstance(row, Silent) or isinstance(row.aloud, Silent):
            return ()
        names = {seat.colour: seat.name for seat in seats_of(before, "Tellings")}
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
    """Return *sentence* as it is said aloud: with a full stop, unless it has one. That holds in every language.

    >>> stopped(Said("Ana flies through the sun"))
    'Ana flies through the sun.'
    """
    return sentence if sentence.endswith(".") else Said("%(sentence)s.", {"sentence": sentence})
