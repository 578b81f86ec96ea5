"""Check the stations that an attempt leaves under the ring.

The number of stations of each colour is known before an attempt, so the number after it can be computed and compared
with a count. If they differ, the table is asked questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product, takewhile
from typing import Any

from companion.kernel.fields import Line
from companion.kernel.said import Said, said, said_n, word
from companion.kernel.shown import shows
from companion.model.capabilities import Wanted
from companion.model.game import AnyGame, ring_of
from companion.model.snapshot import Cause, Doubt, LeftOver, TranscriptLine
from companion.session.state import Past, Remains, TableState


def left_after(game: AnyGame, past: Sequence[Past], wanted: Wanted | None, after: Any) -> Remains | None:
    """Return the finished attempt after the last line of *past*, or None.

    If that line ended an attempt, *wanted* is the draw that was expected before it. Otherwise *wanted* is None, and the
    last attempt is an earlier attempt. *after* is the state after the line, in which no draw is expected. If the
    stations of an earlier attempt were counted, a station that moves in adds one to the count. A repair corrects the
    state to the real stations, so it doesn't change the count.
    """
    last = past[-1]
    if wanted is not None:
        ring = ring_of(game)
        if not ring.stations(after, wanted.place):
            return None
        draws = [each.line for each in past if each.line.id > last.attempt and ring.out(each.line.line)]
        return Remains(last.line.id, wanted.seat, wanted.place, tuple(draws))
    remains = last.remains
    if remains is None or remains.counted is None:
        return remains
    return replace(remains, counted=_followed(game, last.state, after, last.line.line, remains.place, remains.counted))


def _followed(
    game: AnyGame, before: Any, after: Any, line: Line, place: str, counted: Mapping[str, int]
) -> Mapping[str, int]:
    ring = ring_of(game)
    was, now = ring.stations(before, place), ring.stations(after, place)
    seat = next(iter(was))
    if line["do"] in [each["do"] for each in ring.redrawn(before, seat, place, seat, "")]:
        return counted
    return {colour: max(0, count + now[colour] - was[colour]) for colour, count in counted.items()}


def left_over(play: TableState) -> LeftOver | None:
    """Return the stations that the last attempt should have left, or None if the table has agreed to them."""
    remains = play.unagreed
    if remains is None:
        return None
    ring, place = ring_of(play.game), remains.place
    return LeftOver(
        *(remains.id, remains.seat, place, ring.label(play.state, place), ring.stations(play.state, place)),
        draws=remains.draws,
        counted=remains.counted,
        doubts=() if remains.counted is None else doubts(play, remains, remains.counted),
        left_open=remains.left_open,
    )


def doubts(play: TableState, remains: Remains, counted: Mapping[str, int]) -> tuple[Doubt, ...]:
    """Return the differences between *counted* and the expected stations, with questions about their causes."""
    must = ring_of(play.game).stations(play.state, remains.place)
    more = {colour: counted[colour] - count for colour, count in must.items()}
    asking = _Asking(play, remains)
    over = [colour for colour, by in more.items() if by > 0]
    short = [colour for colour, by in more.items() if by < 0]
    found = []
    for one, other in product(over, short):
        if more[one] > 0 and more[other] < 0 and asking.drawn(one):
            found.append(asking.taken_for(one, other))
            more[one], more[other] = more[one] - 1, more[other] + 1
    found.extend(asking.too_many(colour, more[colour]) for colour in over if more[colour] > 0)
    found.extend(asking.missing(colour, -more[colour]) for colour in short if more[colour] < 0)
    return tuple(found)


@shows("_remains")
class _Asking:
    """The questions about a finished attempt, each with its corrections."""

    def __init__(self, play: TableState, remains: Remains) -> None:
        self._play = play
        self._remains = remains
        self._ring = ring_of(play.game)
        self._place = self._ring.label(play.state, remains.place)
        self._again = redrawable(play)

    def drawn(self, colour: str) -> list[tuple[int, TranscriptLine]]:
        """Return the draws of *colour* with their numbers in the attempt, newest first."""
        draw = self._play.game.line(self._ring.draw(colour))
        return [(at, each) for at, each in enumerate(self._remains.draws, 1) if each.line == draw][::-1]

    def taken_for(self, one: str, other: str) -> Doubt:
        """Return the questions about one unexpected station (colour *one*) and one missing station (colour *other*)."""
        causes = [
            self._redraw_cause(_was_it(at, one, other), _it_was(other), at, line, one, other)
            for at, line in self.drawn(one)
        ]
        swapped = Cause(
            f"swapped-{one}-{other}",
            _swap_the_two(one, other, self._place),
            said("Swapped back"),
            moves={one: -1, other: 1},
        )
        text = said("One %(colour)s station too many, one %(other)s missing.", colour=word(one), other=word(other))
        return Doubt(text, (*causes, swapped))

    def too_many(self, colour: str, by: int) -> Doubt:
        """Return the questions to ask if there are *by* stations of *colour* too many."""
        causes = []
        for at, line in self.drawn(colour):
            put_back = _was_it_put_back(colour, at, self._place)
            causes.append(Cause(f"put-back-{at}-{colour}", put_back, said("It's there now"), moves={colour: -1}))
            nothing = said("Was draw %(at)s empty?", at=at)
            causes.append(self._redraw_cause(nothing, said("Yes, it was empty"), at, line, colour, ""))
        if not causes:
            ask = _did_one_come(colour, self._place)
            causes.append(Cause(f"came-{colour}", ask, self._ring.arrived, lines=self._repair(colour, "")))
            away = said("Doesn't it belong there? Take it off %(place)s.", place=self._place)
            causes.append(Cause(f"off-{colour}", away, said("Taken off"), moves={colour: -1}))
        return Doubt(_too_many(by, colour), tuple(causes))

    def missing(self, colour: str, by: int) -> Doubt:
        """Return the questions to ask if *by* stations of *colour* are missing."""
        back = said("Did it roll away or come out late? Put it back on %(place)s.", place=self._place)
        unseen = said("Did the ring miss a %(colour)s station?", colour=word(colour))
        causes = (
            Cause(f"back-{colour}", back, said("It's back"), moves={colour: 1}),
            Cause(f"unseen-{colour}", unseen, said("Yes, it came out"), lines=self._repair("", colour)),
        )
        return Doubt(_missing(by, colour), causes)

    def _redraw_cause(self, ask: Said, way: Said, at: int, line: TranscriptLine, drawn: str, really: str) -> Cause:
        """Return a cause about one draw.

        The correction is to draw again if there are only draws after *line*, otherwise a repair.
        """
        word = f"draw-{at}-{really or 'nothing'}"
        if line.id in self._again:
            return Cause(word, ask, way, again_from=line.id, really=really)
        return Cause(word, ask, way, lines=self._repair(drawn, really))

    def _repair(self, drawn: str, really: str) -> tuple[Line, ...]:
        return self._ring.redrawn(self._play.state, self._remains.seat, self._remains.place, drawn, really)


def redrawable(play: TableState) -> frozenset[int]:
    """Return the rows of those draws of the finished attempt that can be drawn again.

    After such a draw there are only draws and lines of the companion.
    """
    draws = {each.id for each in play.remains.draws} if play.remains is not None else set()
    newest = takewhile(lambda each: each.line.id in draws or each.line.via == "companion", reversed(play.past))
    return frozenset(each.line.id for each in newest) & draws


def _was_it(draw: int, one: str, other: str) -> Said:
    return said("Was draw %(at)s not %(colour)s, but %(other)s?", at=draw, colour=word(one), other=word(other))


def _it_was(colour: str) -> Said:
    return said("Yes, it was %(colour)s", colour=word(colour))


def _swap_the_two(one: str, other: str, place: str) -> Said:
    return said(
        "Did %(colour)s go back to %(place)s instead of %(other)s? Swap them.",
        colour=word(one),
        place=place,
        other=word(other),
    )


def _was_it_put_back(colour: str, draw: int, place: str) -> Said:
    return said(
        "Was the %(colour)s station of draw %(at)s put back on %(place)s?",
        colour=word(colour),
        at=draw,
        place=place,
    )


def _did_one_come(colour: str, place: str) -> Said:
    return said("Did a %(colour)s station arrive on %(place)s unnoticed?", colour=word(colour), place=place)


def _too_many(count: int, colour: str) -> Said:
    return said_n(
        "One %(colour)s station too many.", "%(num)s %(colour)s stations too many.", count, colour=word(colour)
    )


def _missing(count: int, colour: str) -> Said:
    return said_n("One %(colour)s station missing.", "%(num)s %(colour)s stations missing.", count, colour=word(colour))
