"""The result of the last attempt. The next page shows it, since nobody looks at the screen while drawing."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    Attempt,
    State,
    best_free_centre,
    full_planets,
    label_of,
)
from companion.model.snapshot import Snapshot, TranscriptLine
from web.components.players import Face, faces
from web.http.formatting import percent
from web.http.i18n import _

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
    """Return the result of the last attempt if that is the newest event, else None."""
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
    """Return the newest line from a person or the ring if it belongs to a draw, else None."""
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
