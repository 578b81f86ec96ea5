"""What a table says aloud: one sentence each, whose it is about, and how sparing a table has to be not to hear it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from companion.kernel.i18n import Said
from companion.kernel.values import dataclass


class Verbosity(IntEnum):
    """How much is said, from whose turn and what came of it to every card that is played."""

    FEW = 1
    USUAL = 2
    ALL = 3


class Whose(StrEnum):
    """Which sentences a device speaks: all of them, those of its own seat and of the whole table, none."""

    ALL = "all"
    MINE = "mine"
    NONE = "none"


TURN, RING, QUESTION, CLOCK, RESULT, PAUSE = "turn", "ring", "question", "clock", "result", "pause"
"""Topics: of two sentences about the same one that wait to be spoken, the newer is enough."""


@dataclass(frozen=True)
class Utterance:
    """One sentence to be spoken, about *seats* (none: about the whole table); fewer *words* than these leave it out.

    *at_once*: it puts right what was said, and does not wait for a sentence that may be wrong by now.
    """

    text: Said
    seats: tuple[str, ...] = ()
    words: Verbosity = Verbosity.USUAL
    topic: str = ""
    at_once: bool = False


def chosen(said: Iterable[Utterance], words: Verbosity, whose: Whose, seat: str | None = None) -> tuple[Utterance, ...]:
    """Return what a device speaks that wants so many *words*, of *whose*; *seat* is its own, if it has one."""
    return tuple(one for one in said if one.words <= words and _is_whose(one, whose, seat))


def _is_whose(one: Utterance, whose: Whose, seat: str | None) -> bool:
    match whose:
        case Whose.ALL:
            return True
        case Whose.NONE:
            return False
        case Whose.MINE:
            return seat in one.seats or not one.seats
