"""What the last attempt came to, said on the page that follows: people look up after a slide, not during it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.state import State, label_of
from companion.sight import Sight
from web.games.andromeda.faces import Face, faces

ENDING = ("draw", "double_exit", "stop_drawing")


@dataclass(frozen=True)
class Outcome:
    """An attempt that is over: the stations in the order they came, what it gave, and both in words."""

    drawn: tuple[Face, ...]
    words: str
    order: str


def outcome(sight: Sight) -> Outcome | None:
    """Return how the last attempt ended while that is the newest thing that happened, else None."""
    state: State = sight.state
    newest = next((told for told in sight.recent if not told.undone and told.via != "companion"), None)
    if newest is None or newest.line.get("do") not in ENDING or state.attempt or not state.tried:
        return None
    tried, known = state.tried[-1], faces(state.setting.seats)
    name, place = known[tried.player].name, label_of(state, tried.planet)
    words = f"{name} takes the {tried.took} at {place}" if tried.took else f"No centre for {name} at {place}"
    drawn = tuple(known[colour] for colour in tried.drawn)
    return Outcome(drawn, words, f"{', then '.join(face.name for face in drawn)} came out" if drawn else "")
