"""Spoken announcements. Each is a sentence with the seats that it concerns and its importance."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from companion.kernel.said import Said
from companion.kernel.values import dataclass


class Verbosity(IntEnum):
    """How much is announced, from turns and results only to every card."""

    FEW = 1
    USUAL = 2
    ALL = 3


class Whose(StrEnum):
    """Which announcements a device speaks: all, those about its own seat or the whole table, or none."""

    ALL = "all"
    MINE = "mine"
    NONE = "none"


TURN, RING, QUESTION, CLOCK, RESULT, PAUSE = "turn", "ring", "question", "clock", "result", "pause"
"""Topics of sentences. If two sentences in the queue have the same topic, only the newer one is spoken."""


@dataclass(frozen=True)
class Utterance:
    """One spoken sentence about *seats* (empty means the whole table).

    *words* is the lowest verbosity at which it is spoken. *at_once* means that it corrects an earlier sentence, so it
    is spoken before the sentences in the queue.
    """

    text: Said
    seats: tuple[str, ...] = ()
    words: Verbosity = Verbosity.USUAL
    topic: str = ""
    at_once: bool = False


def chosen(said: Iterable[Utterance], words: Verbosity, whose: Whose, seat: str | None = None) -> tuple[Utterance, ...]:
    """Return the sentences that a device speaks at verbosity *words* with the setting *whose*.

    *seat* is the device's seat, if any.
    """
    return tuple(one for one in said if one.words <= words and _is_whose(one, whose, seat))


def _is_whose(one: Utterance, whose: Whose, seat: str | None) -> bool:
    match whose:
        case Whose.ALL:
            return True
        case Whose.NONE:
            return False
        case Whose.MINE:
            return seat in one.seats or not one.seats
