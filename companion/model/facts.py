"""What can be asked about a game at any moment, by one key or one tap, to be answered in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from companion.kernel.i18n import Said
from companion.kernel.values import dataclass

SCORE, LAST = "score", "last"
"""Beside `TURN` and `CLOCK` (`companion.model.speech`), what can be asked about any game."""

State = TypeVar("State")
Answer = tuple[Said, ...]
Teller = Callable[[State, str | None], Answer]
"""Answers a question in a state to a seat, or to everybody at once (None)."""


@dataclass(frozen=True)
class Fact:
    """Something to ask about: its *word* for programs, the question; *place*: it is about a place of the board.

    *picture* is the mark by which the game's pages draw it.
    """

    word: str
    ask: Said
    place: bool = False
    picture: str = ""


@dataclass(frozen=True)
class FactRow:
    """A row of the small table of what everybody has: its heading, and what each seat has, as anybody may know it.

    *fact* is the word of the question that it answers.
    """

    fact: str
    heading: Said
    has: Mapping[str, str]


class FactTable(Generic[State]):
    """The facts of a game: its *questions*, who *answers* each (and turn and score), its *places*, what is *on* one.

    *sides*: what everybody has that can be told in a table.
    """

    def __init__(
        self,
        questions: tuple[Fact, ...],
        answers: Mapping[str, Teller[State]],
        points: Callable[[State, str | None], Mapping[str, int]],
        places: Callable[[State], tuple[Fact, ...]] = lambda state: (),
        on: Callable[[State, str], Answer] = lambda state, word: (),
        sides: Callable[[State], tuple[FactRow, ...]] = lambda state: (),
    ) -> None:
        self._questions, self._answers = questions, answers
        self._points, self._places, self._on, self._sides = points, places, on, sides

    def known(self, state: State) -> tuple[Fact, ...]:
        """Return what can be asked beside turn and score."""
        return (*self._questions, *self._places(state))

    def points(self, state: State, seat: str | None) -> Mapping[str, int]:
        """Return everybody's points, as far as *seat* may know them."""
        return self._points(state, seat)

    def sides(self, state: State) -> tuple[FactRow, ...]:
        """Return what everybody has, row by row."""
        return self._sides(state)

    def answer(self, state: State, word: str, seat: str | None) -> Answer:
        """Return what is to be said of *word*."""
        return self._answers[word](state, seat) if word in self._answers else self._on(state, word)
