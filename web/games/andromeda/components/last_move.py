"""The last move on the board and its points, from the newest line, and the result of the last attempt.

Every page marks the last move. The page after an attempt shows its result, since nobody looks at the screen while
drawing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    TECHNOLOGY_POINTS,
    Attempt,
    State,
    best_free_centre,
    centres_of,
    full_planets,
    label_of,
)
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.players import Face, faces
from web.http.formatting import percent
from web.http.i18n import _

EARTH = "earth"
AT_THE_RING = ("establish", "draw", "double_exit", "stop_drawing")
BEFORE_THE_ROUND = ("deal", "setup")


@dataclass(frozen=True)
class Shift:
    """A move of stations of one colour, or of a marker on a track, from one place to another."""

    colour: str
    source: str
    target: str
    count: int = 1


@dataclass(frozen=True)
class LastMove:
    """The newest move of this round that changed the board. *points* are the changes of the visible scores."""

    line: Line
    planet: str = ""
    shifts: tuple[Shift, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def changes(self) -> Mapping[tuple[str, str], int]:
        """The change of the number of pieces for each colour and place that took part.

        The change is 0 if the line doesn't say how many stations moved.
        """
        found: Counter[tuple[str, str]] = Counter()
        for shift in self.shifts:
            found[shift.colour, shift.source] -= shift.count
            found[shift.colour, shift.target] += shift.count
        return found


def last_move(snapshot: Snapshot) -> LastMove | None:
    """Return the newest move of this round, or None if there was none."""
    for line in _standing(snapshot.recent):
        do = str(line.line.get("do"))
        if do in BEFORE_THE_ROUND:
            return None
        if do in AT_THE_RING:
            return _at_the_ring(snapshot.state, line.line)
        shifts = _shifts(snapshot.state, line.line)
        if shifts is not None:
            return _move(line.line, shifts)
    return None


def _standing(recent: Iterable[TranscriptLine]) -> Iterable[TranscriptLine]:
    return (line for line in recent if not line.undone)


def _move(line: Line, shifts: tuple[Shift, ...]) -> LastMove:
    planet = "" if line.get("do") in ("ship", "technology") else str(line.get("planet") or "")  # it only paid there
    return LastMove(line, planet, shifts, points(shifts))


def _at_the_ring(state: State, line: Line) -> LastMove | None:
    """Return the whole attempt as one move, whichever of its lines is the newest."""
    attempt = state.attempt or (state.tried[-1] if state.tried else None)
    if attempt is None:
        return None
    shifts = tuple(_drawn(state, attempt))
    gained = Counter(points(shifts))
    gained[attempt.player] += attempt.took
    return LastMove(line, attempt.planet, shifts, {colour: count for colour, count in gained.items() if count})


def _drawn(state: State, attempt: Attempt) -> Iterable[Shift]:
    strangers = Counter(colour for colour in attempt.drawn if colour != attempt.player)
    yield from (Shift(colour, attempt.planet, EARTH, count) for colour, count in strangers.items())
    if attempt.took:
        yield Shift(attempt.player, attempt.planet, centre_taken(state, attempt))


def centre_taken(state: State, attempt: Attempt) -> str:
    """Return the place of the centre that *attempt* won.

    If several centres have that value, return the one that was taken last.
    """
    printed = state.setting.board.planet(attempt.planet).centres
    held = zip(printed, centres_of(state, attempt.planet), strict=True)
    slots = [at for at, one in enumerate(held) if one == (attempt.took, attempt.player)]
    return f"{attempt.planet}/{slots[-1]}" if slots else attempt.planet


def _shifts(state: State, line: Line) -> tuple[Shift, ...] | None:
    """Return the moves of stations and markers that *line* made on the board, or None if it made none."""
    do, colour = line.get("do"), str(line.get("player"))
    if do == "move":
        return (Shift(colour, EARTH, line["planet"], line["stations"]),) if line["stations"] else ()
    if do in ("ship", "technology"):
        level = getattr(state.players[colour], do)
        return (Shift(colour, f"{do}/{level - 1}", f"{do}/{level}"),)
    if do == "transport" and line["move"] != "pass":
        return _transported(line, colour)
    if do == "correct" and "move" in line:
        move = line["move"]
        return (Shift(colour, move["from"], move["to"], move["count"]),)
    return None


def _transported(line: Line, colour: str) -> tuple[Shift, ...]:
    # The line doesn't say how many stations flew, so the page marks both places without a number.
    planet = str(line["planet"])
    source, target = (EARTH, planet) if line["move"] == "to_planet" else (planet, EARTH)
    return (Shift(colour, source, target, 0),)


def points(shifts: Iterable[Shift]) -> Mapping[str, int]:
    """Return the change of each player's points for stations on Earth and for technology by *shifts*."""
    changed: Counter[str] = Counter()
    for shift in shifts:
        changed[shift.colour] += shift.count * ((shift.target == EARTH) - (shift.source == EARTH))
        if shift.target.startswith("technology/"):
            level = int(shift.target.partition("/")[2])
            changed[shift.colour] += TECHNOLOGY_POINTS[level] - TECHNOLOGY_POINTS[level - 1]
    return {colour: count for colour, count in changed.items() if count}


def signed(change: int) -> str:
    """Return a change with its sign, or "" for 0."""
    return f"+{change}" if change > 0 else f"\N{MINUS SIGN}{-change}" if change else ""


ENDING = ("draw", "double_exit", "stop_drawing")


@dataclass(frozen=True)
class Outcome:
    """A finished attempt: the drawn stations, the result and the order of draws in words, and its chance."""

    drawn: tuple[Face, ...]
    words: str
    order: str
    chance: str = ""
    filled: str = ""


def outcome(snapshot: Snapshot) -> Outcome | None:
    """Return the result of the last attempt if that is the newest event, otherwise None."""
    state: State = snapshot.state
    if newest_draw(snapshot) is None or state.attempt or not state.tried:
        return None
    tried = state.tried[-1]
    drawn = tuple(faces(state.setting.seats)[colour] for colour in tried.drawn)
    share = percent(success(tried.stations, tried.own, tried.draws))
    return Outcome(drawn, _words(state, tried), _order(drawn), share, _filled(state, tried))


def _filled(state: State, tried: Attempt) -> str:
    """Return a sentence if the attempt took the planet's last centre, and another if that begins the last round."""
    if not tried.took or best_free_centre(state, tried.planet) is not None:
        return ""
    place = label_of(state, tried.planet)
    if full_planets(state) == FULL_PLANETS_TO_END:
        return _("%(planet)s is full. Last round.", planet=place)
    return _("%(planet)s is full", planet=place)


def newest_line(snapshot: Snapshot) -> TranscriptLine | None:
    """Return the newest line that a person or the ring gave and nobody took back."""
    return next((line for line in snapshot.recent if not line.undone and line.via != "companion"), None)


def newest_draw(snapshot: Snapshot) -> TranscriptLine | None:
    """Return the newest line from a person or the ring if it belongs to a draw, otherwise None."""
    newest = newest_line(snapshot)
    return newest if newest is not None and newest.line.get("do") in ENDING else None


def _words(state: State, tried: Attempt) -> str:
    name, place = faces(state.setting.seats)[tried.player].name, label_of(state, tried.planet)
    if tried.took:
        return _("%(name)s takes the %(value)s at %(planet)s", name=name, value=tried.took, planet=place)
    return _("No centre for %(name)s at %(planet)s", name=name, planet=place)


def _order(drawn: tuple[Face, ...]) -> str:
    names = _(", then ").join(face.name for face in drawn)
    return _("%(names)s came out", names=names) if drawn else ""
