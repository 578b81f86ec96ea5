"""Spoken questions of the ring. Each is one sentence with the two likeliest answers, if there are any."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.said import Said, said, word
from companion.model.capabilities import Wanted
from companion.model.snapshot import Asked, Question
from companion.model.speech import QUESTION, Utterance, Verbosity

SURE_ENOUGH = 2
"""How many answers are named. More answers would be hard to remember."""


def question(asked: Question, names: Mapping[str, str], wanted: Wanted | None) -> tuple[Utterance, ...]:
    """Return the question as a sentence for the player who holds the ring, or for the whole table."""
    seats = (wanted.seat,) if wanted is not None and wanted.seat else ()
    return (Utterance(_sentence(asked, names), seats, Verbosity.FEW, QUESTION),)


def _sentence(asked: Question, names: Mapping[str, str]) -> Said:
    likely = [names.get(colour) or word(colour) for colour, share in asked.offered if share and "+" not in colour]
    match asked.kind:
        case Asked.PAIR:
            return said("Two came out at once. Which two?")
        case Asked.LATE:
            return said("One more came out. Is it typed in already?")
        case Asked.UNSURE if len(likely) >= SURE_ENOUGH:
            return said("Which one came out: %(one)s or %(other)s?", one=likely[0], other=likely[1])
        case Asked.UNSURE | Asked.FOREIGN:
            return said("Which one came out?")
        case _:
            raise AssertionError(f"nobody asks {asked.kind}")
