"""The sentences of a game, in one table with a row for each event. Speech, the history and practice use it.

The sentences have no full stop at the end. Speech adds the full stop; the history shows the sentences without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import Fill, Said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.model.game import seats_of
from companion.model.speech import Utterance, Verbosity

GAP = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Occurrence:
    """What happened: the *fields* of an event or of a record's line, and the players' *names* by colour.

    For an event, *before* is the state before it. For a line, *header* is the header of its game; *before* and *after*
    are the states around it, if the caller has them.
    """

    fields: Mapping[str, Any]
    names: Mapping[str, str]
    before: Any = None
    after: Any = None
    header: Line = field(default_factory=dict)

    @property
    def seat(self) -> str:
        """The colour of the player who made the event or line, or "" for the whole table."""
        return str(self.fields.get("player") or self.fields.get("colour") or "")

    @property
    def name(self) -> str:
        """The name of the player who made the event or line."""
        return self.named(self.seat)

    def named(self, colour: str) -> str:
        """Return the name of the player with *colour*."""
        return self.names.get(colour, colour)


def its_seat(what: Occurrence) -> tuple[str, ...]:
    """Return the seat of the player who made the event, if there is one."""
    return (what.seat,) if what.seat else ()


def nobody(what: Occurrence) -> tuple[str, ...]:
    """Return an empty tuple: the event concerns the whole table."""
    return ()


Sentence = Said | Callable[[Occurrence], Said | None]
"""A pattern with placeholders, or a function that returns the sentence.

The function returns None if nothing is said.
"""
Gaps = Mapping[str, Callable[[Occurrence], Fill]]
"""For each placeholder in a game's patterns, the function that returns its value."""


@dataclass(frozen=True)
class Silent:
    """An event that is never said aloud, and the reason why."""

    why: str


@dataclass(frozen=True)
class Telling:
    """The wording of an event.

    *sentence* describes the line in the history. It is also spoken, unless *aloud* has another sentence for that. *do*
    is the `do` of the line; it is empty if the event has no line of its own. *means* explains the line to beginners in
    one sentence, and *card* is the rules card about it. *possible* and *how* are used for "What can we do now?": what
    the line would do, and in a few words how.

    *words* is the lowest verbosity at which the sentence is spoken. *about* returns the seats that it concerns, none
    for the whole table. *then* is spoken after it.
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
    """The sentences of a game. *rows* contains a row for each type of event.

    *lines* has further rows, for each `do` that causes no event or more than one. *turn* returns the announcement of
    the seat that must act. A `Tellings` is also the game's `Speech`.
    """

    def __init__(self, turn: Turn, gaps: Gaps, rows: Rows, lines: Mapping[str, Telling] | None = None) -> None:
        self.turn, self.rows = turn, rows
        self.lines = {row.do: row for row in rows.values() if isinstance(row, Telling) and row.do} | {**(lines or {})}
        self._gaps = gaps

    def sentence(self, line: Line, header: Line, before: Any = None) -> str:
        """Return the sentence of *line* for the history.

        *header* is the header of its game. For an unknown line, return the value of its field `do`.
        """
        row = self.lines.get(str(line.get("do")))
        made = self._filled(row.sentence, _occurrence(line, header, before)) if row else None
        return str(line.get("do")) if made is None else made

    def explained(self, line: Line, header: Line, before: Any, after: Any) -> tuple[str, str]:
        """Return an explanation of *line* and the name of its rules card.

        *before* and *after* are the states around the line.
        """
        row = self.lines[str(line["do"])]
        means = row.means
        if callable(means):
            means = means(_occurrence(line, header, before, after)) or ""
        return means, row.card

    def uttered(self, before: Any, event: Any) -> tuple[Utterance, ...]:
        """Return the spoken sentences for *event*. *before* is the state before it."""
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
    """Return *sentence* with a full stop at the end, unless it has one. The full stop is added in every language.

    >>> stopped(Said("Ana flies through the sun"))
    'Ana flies through the sun.'
    """
    return sentence if sentence.endswith(".") else Said("%(sentence)s.", {"sentence": sentence})
