"""Verify that the lots in a record were computed from its seed, and that its draws agree with the lots.

The parts of the record must agree: the seal and the seed, each lot and its number, the stations that were under the
ring, the draw that counted, and the total number of lots. Because a whole record could be forged with another seed, it
can also be compared with the seal that the table displayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Fields, Line, shown
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.model.game import AnyGame, draw_wanted
from companion.model.sealed import LATEST, Lot, Sealed, broken, lot_from, seal_from, seal_of, seed_from, words_from
from companion.records.parser import RecordError
from companion.records.replay import Replay

Wrong = tuple[int, Said]
"""The number of a line, and a sentence about the error there."""


@dataclass(frozen=True)
class Verified:
    """The result of a verification: the seal, the players' words, the number of lots, and all errors, by line."""

    seal: str
    words: tuple[str, ...]
    lots: int
    wrong: tuple[Wrong, ...]


@plain_dataclass(frozen=True)
class _Head:
    """The seed and its related fields in a header. *drawn*, the number of lots, is None in older records."""

    seal: str
    words: tuple[str, ...]
    seed: str
    drawn: int | None
    unused: tuple[Lot, ...]


def verified(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]], seal: str = "") -> Verified:
    """Verify a record and return the result. *seal* is the seal that the table displayed, empty if unknown.

    Raises `RecordError` for the first line that is invalid or cannot be played. Raises `Malformed` if the record has no
    sealed seed, or if the seed is not revealed yet.
    """
    numbered = tuple(lines)
    head = _at(*numbered[0], _head)
    lots = [(number, lot) for number, line in numbered[1:] for lot in _at(number, line, _lots)]
    found = [*lots, *((1, lot) for lot in head.unused)]
    wrong = [*_of_the_seed(head, seal), *_of_the_lots(head, found), *_played(games, numbered, head.unused)]
    return Verified(head.seal, head.words, len(found), tuple(sorted(wrong)))


def _at(number: int, line: Line, read: Any) -> Any:
    """Call *read* with a line and return the result. An error becomes a `RecordError` with the number of the line."""
    try:
        return read(line)
    except (Malformed, Refused) as fault:
        if number == 1 and isinstance(fault, _NoSeed):
            raise
        do = line.get("do")
        raise RecordError(number, do if isinstance(do, str) else None, fault.reason) from None


class _NoSeed(Malformed):
    """The record has no seed, so it cannot be verified."""


def _head(header: Line) -> _Head:
    if "sealed" not in header:
        raise _NoSeed(said("No seed was sealed for this game."))
    fields = Fields(header["sealed"], "sealed")
    seal, words = seal_from(fields), tuple(map(_words, fields.texts("words")))
    if not fields.has("seed"):
        raise _NoSeed(said("The seed is still sealed. It opens when the game ends."))
    seed, drawn = seed_from(fields), fields.whole("drawn", 0, LATEST) if fields.has("drawn") else None
    unused = fields.list("lots", [])
    fields.nothing_else()
    return _Head(seal, words, seed, drawn, tuple(lot_from(Fields(lot, "sealed.lots")) for lot in unused))


def _words(text: str) -> str:
    if words_from(text) != text:
        raise Malformed(said("sealed.words must be as they were said, not %(given)s", given=shown(text)))
    return text


def _lots(line: Line) -> tuple[Lot, ...]:
    if "lots" not in line:
        return ()
    rows = Fields({"lots": line["lots"]}).list("lots")
    return tuple(_lot(Fields(row, "lots")) for row in rows)


def _lot(fields: Fields) -> Lot:
    lot = lot_from(fields)
    fields.nothing_else()
    return lot


def _of_the_seed(head: _Head, shown_seal: str) -> Iterator[Wrong]:
    if seal_of(head.seed) != head.seal:
        yield 1, said("The seed doesn't match its seal.")
    if shown_seal and head.seal != shown_seal:
        yield 1, said("This isn't the seal that the table showed.")


def _of_the_lots(head: _Head, found: Sequence[tuple[int, Lot]]) -> Iterator[Wrong]:
    """Yield an error for each lot that does not follow from the seed, and for a wrong number of words or lots."""
    last = found[-1][0] if found else 1
    said_before = 0
    for number, lot in found:
        if not said_before <= lot.words <= len(head.words):
            yield number, said("The lot counts %(num)s words, which weren't said then.", num=lot.words)
        said_before = max(said_before, lot.words)
    sealed = Sealed(head.seed, head.words, tuple(lot for _, lot in found))
    for at, colour in broken(sealed):
        number, lot = found[at]
        yield number, said("The seed gives %(honest)s, not %(colour)s.", honest=colour, colour=lot.colour)
    if head.drawn is not None and head.drawn != len(found):
        yield last, said("%(drawn)s lots were drawn, and the record has %(num)s.", drawn=head.drawn, num=len(found))


def _played(
    games: Mapping[str, AnyGame], numbered: Sequence[tuple[int, Line]], unused: Sequence[Lot]
) -> Iterator[Wrong]:
    """Yield an error for each lot drawn from the wrong contents, and for each draw that differs from its lot."""
    played: Replay = _at(*numbered[0], lambda header: Replay(games, header))
    waiting: Lot | None = None
    for number, line in numbered[1:]:
        before = _under(played)
        _at(number, line, played.play)
        lots = _lots(line)
        there: tuple[dict[str, int], ...] = (before, dict(Counter(line.get("colours", ()))))
        yield from ((number, OTHERS_LAY_THERE) for lot in lots if lot.under not in there)
        waiting = lots[-1] if lots else waiting
        out = () if played.game.ring is None or line["do"] == "undo" else played.game.ring.out(line)
        if out and (lots or line.get("via") == "virtual"):
            yield from ((number, why) for why in _counted(out, waiting))
            waiting = None
    yield from ((1, OTHERS_LAY_THERE) for lot in unused if lot.under != _under(played))


OTHERS_LAY_THERE = said("The lot was drawn from contents that weren't there.")


def _counted(out: Sequence[str], lot: Lot | None) -> Iterator[Said]:
    colours = ", ".join(out)
    if lot is None:
        yield said("%(colour)s counted, but there's no lot for it.", colour=colours)
    elif lot.colour not in out:
        yield said("%(colour)s counted, but the lot was %(lot)s.", colour=colours, lot=lot.colour)


def _under(played: Replay) -> dict[str, Any]:
    wanted = draw_wanted(played.game, played.state)
    return {} if wanted is None else {colour: count for colour, count in wanted.under.items() if count}
