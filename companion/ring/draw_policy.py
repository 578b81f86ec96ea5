"""Decide with a pure function what a passage through the ring means for the game.

In unclear cases the table is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import combinations_with_replacement

from companion.kernel.errors import Malformed
from companion.kernel.said import Said, said, word
from companion.kernel.values import dataclass
from companion.model.capabilities import RingWords, Wanted
from companion.model.snapshot import Asked, Question
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.ring.faults import FAULTS, RingFault, unsure


class Ended(StrEnum):
    """How an arming ended: not yet (`OPEN`), by a draw typed in by hand, or otherwise."""

    OPEN = "open"
    TYPED = "typed"
    OVER = "over"


@dataclass(frozen=True)
class Arming:
    """One arming of the ring: its token, *attempt* (the row with which the attempt began), and how it ended."""

    token: int
    attempt: int
    ended: Ended = Ended.OPEN


@dataclass(frozen=True)
class RingPassage:
    """One or two stations that left the ring.

    *id* is the raw row. *colour* is None if the colour is uncertain; then *why* is the reason. *rejected* is a colour
    that the ring recognised, but somebody undid as a misreading.
    """

    id: int
    pair: bool
    token: int
    colour: str | None
    ranking: tuple[tuple[str, float], ...] = ()
    why: str = ""
    rejected: str = ""

    def seen_as(self, seen: Judgement) -> RingPassage:
        """Return the passage with a new judgement. A colour that the table has rejected stays rejected."""
        colour = None if seen.colour == self.rejected else seen.colour
        return replace(self, colour=colour, ranking=seen.ranking, why=seen.why)


@dataclass(frozen=True)
class Draws:
    """The passage is the expected draw."""

    colour: str


@dataclass(frozen=True)
class Asks:
    """The table is asked a question, because only a person can know what the passage was."""

    question: Question


class Became(StrEnum):
    """The reason why a passage makes no line. The values are the words in the ledger."""

    SURPLUS = "surplus"
    PRACTICE = "practice"


@dataclass(frozen=True)
class Left:
    """The passage makes no line. *became* is the reason in the ledger, and *text* a sentence for the table."""

    became: Became
    text: Said


Verdict = Draws | Asks | Left


def passage_of(row: int, event: RingEvent) -> RingPassage | None:
    """Return the passage in *event*, which is stored as row *row*.

    Return None for other events and during a calibration.
    """
    if event.kind not in (RingEventKind.OUT, RingEventKind.PAIR) or event.detail.get("calibrating"):
        return None
    passage = (row, event.kind is RingEventKind.PAIR, event.token)
    seen = event.judgement
    return RingPassage(*passage, None) if seen is None else RingPassage(*passage, seen.colour, seen.ranking, seen.why)


def misread(passage: RingPassage) -> RingPassage:
    """Return *passage* without its token, and with its recognised colour marked as rejected.

    If the ring was not sure of the colour, no colour is rejected.
    """
    rejected = passage.colour or ""
    ranking = tuple(each for each in passage.ranking if each[0] != rejected)
    return RingPassage(passage.id, passage.pair, 0, None, ranking, rejected=rejected)


def asked_again(passage: RingPassage, token: int) -> RingPassage:
    """Return the result of `misread`, with *token*, the token of the present arming."""
    return replace(passage, token=token)


def pair_of(chosen: str) -> tuple[str, str]:
    """Return the two colours of an answer such as `red+blue`, or raise `Malformed`."""
    one, plus, other = chosen.partition("+")
    if not plus or not one or not other or "+" in other:
        raise Malformed(said("Two left the ring: give two colours, joined by a plus."))
    return one, other


def verdict(passage: RingPassage, wanted: Wanted | None, armings: tuple[Arming, ...], words: RingWords) -> Verdict:
    """Return what *passage* means for the game.

    *wanted* is the expected draw; *armings* are those of the ring, oldest first. *words* are the game's phrases for the
    sentences.
    """
    mine = [each for each in armings if each.token == passage.token]
    if not mine:
        return Left(Became.PRACTICE, practised(passage, words))
    since = [each for each in armings if each.token >= passage.token and each.attempt == mine[0].attempt]
    if since[-1].ended is not Ended.OPEN:
        wanted = None
    if Ended.TYPED in [each.ended for each in since]:
        return Asks(_late(passage, wanted, words))
    if wanted is None:
        return Left(Became.SURPLUS, _with_station(words.surplus, passage, words))
    if len(since) > 1:
        return Asks(_unsure(passage, wanted, words))
    return _judged(passage, wanted, words)


def practised(passage: RingPassage, words: RingWords) -> Said:
    """Return the sentence for *passage* when no draw is expected."""
    return _with_station(words.practice, passage, words)


def _judged(passage: RingPassage, wanted: Wanted, words: RingWords) -> Verdict:
    if passage.pair:
        return Asks(_unsure(passage, wanted, words, FAULTS["two-together"]))
    if passage.rejected:
        detail = said("The ring saw %(colour)s.", colour=word(passage.rejected))
        return Asks(Question(passage.id, Asked.UNSURE, _likeliest(passage, wanted), detail))
    if passage.colour is None:
        why = passage.why or ("ambiguous" if passage.ranking else "unread")
        return Asks(_unsure(passage, wanted, words, unsure(why)))
    if not wanted.under.get(passage.colour):
        colour = word(passage.colour)
        detail = said("The ring saw %(colour)s, but there's none under it. What was it?", colour=colour)
        name = FAULTS["colour-not-in-the-ring"].name
        return Asks(Question(passage.id, Asked.FOREIGN, _likeliest(passage, wanted), detail, name))
    return Draws(passage.colour)


def _late(passage: RingPassage, wanted: Wanted | None, words: RingWords) -> Question:
    detail = _with_station(words.late, passage, words)
    name = FAULTS["late-station"].name
    if wanted is None:
        return Question(passage.id, Asked.LATE, (), detail, name)
    offered = _pairs(passage, wanted) if passage.pair else _likeliest(passage, wanted)
    return Question(passage.id, Asked.LATE, offered, detail, name)


def _unsure(passage: RingPassage, wanted: Wanted, words: RingWords, fault: RingFault | None = None) -> Question:
    """Return a question about *passage*. It is asked because of *fault*, or because the attempt has changed since."""
    offered = _pairs(passage, wanted) if passage.pair else _likeliest(passage, wanted)
    kind = Asked.PAIR if passage.pair else Asked.UNSURE
    if fault is None:
        return Question(passage.id, kind, offered, _with_station(words.changed, passage, words))
    return Question(passage.id, kind, offered, fault.text, fault.name)


def _with_station(sentence: Said, passage: RingPassage, words: RingWords) -> Said:
    return Said(sentence.pattern, {"station": _named(passage, words)})


def _likeliest(passage: RingPassage, wanted: Wanted) -> tuple[tuple[str, float], ...]:
    """Return the colours under the ring with probabilities, likeliest first.

    The probabilities come from the judgement, or from the numbers of stations if there is no judgement.

    A rejected colour comes last, with a share of 0.
    """
    under = {colour: count for colour, count in wanted.under.items() if count}
    judged = dict(passage.ranking)
    chance = {colour: judged.get(colour, 0.0) for colour in under} if judged else under
    if passage.rejected:
        chance = {colour: share for colour, share in chance.items() if colour != passage.rejected}
        if not sum(chance.values()):
            chance = {colour: under[colour] for colour in chance}
        chance |= {colour: 0.0 for colour in under if colour == passage.rejected}
    return _shared(chance)


def _shared(chance: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return pairs of each item and its share of the total, largest share first."""
    total = sum(chance.values()) or 1
    return tuple(sorted(((each, share / total) for each, share in chance.items()), key=lambda each: -each[1]))


def _pairs(passage: RingPassage, wanted: Wanted) -> tuple[tuple[str, float], ...]:
    """Return the pairs of stations that may have left together, likeliest first.

    A pair is two colours joined by `+`.
    """
    singles = dict(_likeliest(passage, wanted))
    pairs = {
        f"{one}+{other}": singles[one] * singles[other] * (1 if one == other else 2)
        for one, other in combinations_with_replacement([each for each in wanted.under if each in singles], 2)
        if one != other or wanted.under[one] > 1
    }
    return _shared(pairs)


def _named(passage: RingPassage, words: RingWords) -> Said:
    if passage.pair:
        return words.pair
    return Said(words.coloured.pattern, {"colour": word(passage.colour)}) if passage.colour else words.one
