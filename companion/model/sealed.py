"""Verifiable random draws: the hash of a seed is published before the first draw, and the seed after the last draw.

The seal is the SHA-256 of the seed. Players may add words of their own. Each draw is computed from the HMAC-SHA256 of
these words and a counter. Its key is the seed. The counter never goes back, not even after an undo. The companion fixes
the seed without knowing the words, and the players choose the words without knowing the seed. After the game everybody
can repeat the computation. docs/fairness.md explains it step by step, with an example.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from random import Random
from typing import Any, TypeVar, cast

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields, whole
from companion.kernel.names import name_fault
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass, replace

SEED_BYTES = 32
_NUMBER_BYTES = 6
_SPAN = 256**_NUMBER_BYTES
"""Numbers have 48 bits, which every JSON parser and browser represents exactly."""
MOST_WORDS, LONGEST_WORDS = 64, 80
MOST_CUBES, LATEST = 99_999, 2**31
T = TypeVar("T")


@dataclass(frozen=True)
class Lot:
    """One draw: *colour* was drawn out of *under* (counts by colour), with the number at *counter*.

    *words* is how many of the players' words were used.
    """

    counter: int
    words: int
    under: Mapping[str, int]
    colour: str


@dataclass(frozen=True)
class Sealed:
    """The *seed* of a game in hexadecimal digits, the words that players added, and all lots that were drawn.

    In a copy of the game that was made before its end, *seed* is empty and *known* is the seal. Such a copy continues
    with ordinary random draws. The sealed draws can be checked only in the original, which has the seed.
    """

    seed: str
    words: tuple[str, ...] = ()
    lots: tuple[Lot, ...] = field(default_factory=tuple)
    known: str = ""

    @property
    def seal(self) -> str:
        """The SHA-256 of the seed. It is published before the first draw."""
        return self.known or seal_of(self.seed)

    @property
    def counter(self) -> int:
        """The counter at which the search for the next usable number begins."""
        return self.lots[-1].counter + 1 if self.lots else 0

    def draw(self, under: Mapping[str, int], counter: int | None = None) -> Lot:
        """Return the next draw from the cubes in *under* (counts by colour, at least one cube)."""
        there = {colour: under[colour] for colour in sorted(under) if under[colour]}
        first = self.counter if counter is None else counter
        at, place = next(accepted(self.seed, self.words, sum(there.values()), first))
        return Lot(at, len(self.words), there, _at(place, there))

    def drawn(self, lot: Lot) -> Sealed:
        """Return a copy with *lot* added."""
        return replace(self, lots=(*self.lots, lot))


def seal_of(seed: str) -> str:
    """Return the SHA-256 of *seed* (hexadecimal digits), as hexadecimal digits."""
    return sha256(bytes.fromhex(seed)).hexdigest()


def number(seed: str, words: Sequence[str], counter: int) -> int:
    """Return the number at *counter*: the first 48 bits of an HMAC-SHA256 with the seed as key.

    The message is *words* and the counter's decimal digits, joined by line feeds, as UTF-8.
    """
    message = "\n".join([*words, str(counter)]).encode()
    return int.from_bytes(hmac.digest(bytes.fromhex(seed), message, "sha256")[:_NUMBER_BYTES], "big")


def accepted(seed: str, words: Sequence[str], of: int, first: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of a usable counter, beginning with *first*, and its number modulo *of*.

    Numbers above the largest multiple of *of* are skipped, so that all results have the same probability.
    """
    counter = first
    while True:
        found = number(seed, words, counter)
        if found < _SPAN - _SPAN % of:
            yield counter, found % of
        counter += 1


def broken(sealed: Sealed) -> Iterator[tuple[int, str]]:
    """Yield the index of each lot that does not follow from the seed, with the colour that follows from it."""
    following = 0
    for place, lot in enumerate(sealed.lots):
        honest = replace(sealed, words=sealed.words[: lot.words], lots=()).draw(lot.under, following)
        if (honest.counter, honest.colour) != (lot.counter, lot.colour):
            yield place, honest.colour
        following = lot.counter + 1


@shows("drawn")
class SealedLots(Random):
    """Random numbers for a game with a sealed seed. Colours are drawn with the seed; other values come from *other*.

    *drawn* lists the lots that were drawn with this object.
    """

    def __init__(self, sealed: Sealed, other: Random) -> None:
        self._other = other
        super().__init__()
        self.sealed = sealed
        self.drawn: list[Lot] = []

    def choice(self, seq: Any) -> Any:
        """Return one of the colours in *seq*, drawn with the seed.

        If *seq* contains values that are not strings, draw one of them with *other*.
        """
        if not all(isinstance(each, str) for each in seq):
            return super().choice(seq)
        colours = cast("Sequence[str]", seq)
        lot = self.sealed.draw({colour: colours.count(colour) for colour in colours})
        self.sealed = self.sealed.drawn(lot)
        self.drawn.append(lot)
        return lot.colour

    def random(self) -> float:
        """Return a number from *other*: at least 0 and less than 1."""
        return self._other.random()

    def getrandbits(self, k: int, /) -> int:
        """Return *k* random bits from *other*."""
        return self._other.getrandbits(k)


def _at(place: int, there: Mapping[str, int]) -> str:
    """Return the colour at *place* when all cubes are sorted by the names of their colours."""
    for colour, count in there.items():
        place -= count
        if place < 0:
            return colour
    raise AssertionError("a place is below the sum")


def lot_line(lot: Lot) -> dict[str, object]:
    """Return *lot* as JSON for rows and records."""
    return {"counter": lot.counter, "words": lot.words, "under": dict(lot.under), "colour": lot.colour}


def lot_from(fields: Fields) -> Lot:
    """Return the lot in *fields*, or raise `Malformed`."""
    counts = Fields(fields.take("under"), fields.where("under")).rest()
    under = {colour: whole(count, f"under.{colour}", 1, MOST_CUBES) for colour, count in counts.items()}
    counter, words = (whole(fields.take(name), name, 0, LATEST) for name in ("counter", "words"))
    lot = Lot(counter, words, under, fields.text("colour"))
    if lot.colour not in under:
        raise Malformed(said("colour must be one of those that were there"))
    return lot


def seed_from(fields: Fields) -> str:
    """Return the seed in *fields*, or raise `Malformed`."""
    return _digits(fields, "seed")


def seal_from(fields: Fields) -> str:
    """Return the seal in *fields*, or raise `Malformed`."""
    return _digits(fields, "seal")


def _digits(fields: Fields, name: str) -> str:
    digits = fields.text(name)
    if len(digits) != 2 * SEED_BYTES or not set(digits) <= set("0123456789abcdef"):
        where = fields.where(name)
        raise Malformed(said("%(where)s must be %(digits)s hexadecimal digits", where=where, digits=2 * SEED_BYTES))
    return digits


def words_from(value: object) -> str:
    """Return a player's words for the seed as one line of text, or raise `Malformed`."""
    words = " ".join(value.split()) if isinstance(value, str) else ""
    if name_fault(words, LONGEST_WORDS) is not None:
        raise Malformed(said("Say 1 to %(most)s characters.", most=LONGEST_WORDS))
    return words
