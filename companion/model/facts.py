"""Facts: questions about a game that can be asked at any moment with one key or one tap, and are answered in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from companion.kernel.said import Said
from companion.kernel.values import dataclass

SCORE, LAST = "score", "last"
"""Questions about any game, in addition to `TURN` and `CLOCK` (`companion.model.speech`)."""

State = TypeVar("State")
Answer = tuple[Said, ...]
Teller = Callable[[State, str | None], Answer]
"""A function that answers a question about a state, for a seat or for everybody at once (None)."""


@dataclass(frozen=True)
class Fact:
    """A question.

    *word* is its name in programs and *ask* its text. *place* means that it is about a place of the board. *picture*
    names the icon that the game's pages draw for it.
    """

    word: str
    ask: Said
    place: bool = False
    picture: str = ""


class FactTable(Generic[State]):
    """The questions of a game and their answers.

    *answers* has functions for all *questions* and for turn and score. *places* returns the places of the board as
    questions, and *on* returns the answer to such a question.
    """

    def __init__(
        self,
        questions: tuple[Fact, ...],
        answers: Mapping[str, Teller[State]],
        points: Callable[[State, str | None], Mapping[str, int]],
        places: Callable[[State], tuple[Fact, ...]] = lambda state: (),
        on: Callable[[State, str], Answer] = lambda state, word: (),
    ) -> None:
        self._questions, self._answers = questions, answers
        self._points, self._places, self._on = points, places, on

    def known(self, state: State) -> tuple[Fact, ...]:
        """Return the questions other than turn and score."""
        return (*self._questions, *self._places(state))

    def points(self, state: State, seat: str | None) -> Mapping[str, int]:
        """Return the points of each colour. Points that *seat* may not know are left out."""
        return self._points(state, seat)

    def answer(self, state: State, word: str, seat: str | None) -> Answer:
        """Return the answer to the question called *word*."""
        return self._answers[word](state, seat) if word in self._answers else self._on(state, word)
