"""The page of a practice game: the ship, the last move, and the meaning of the move in one sentence."""

from __future__ import annotations

from companion.autoplay.demo import DemoStatus
from companion.games.wreck.state import State
from companion.games.wreck.tellings import TELLINGS
from companion.kernel.fields import Line
from web.components.bar import PlayBar
from web.components.practice import practice
from web.games.wreck.components.layout import where
from web.games.wreck.components.ship import ship
from web.games.wreck.new_game import header
from web.request.game_pages import Scene

SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))


def practice_header() -> Line:
    """Return the header of a practice game: three simulated players."""
    return header(SEATS)


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), TELLINGS.sentence, TELLINGS.explained)
    return Scene("wreck/practice.html", told | {"ship": ship(state)}, PlayBar(""))
