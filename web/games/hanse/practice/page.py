"""The page of a practice game: the board, the last move, and the meaning of the move in one sentence."""

from __future__ import annotations

from companion.autoplay.demo import DemoStatus
from companion.games.hanse.state import State
from companion.games.hanse.tellings import TELLINGS
from companion.kernel.fields import Line
from web.components.practice import practice
from web.games.hanse.components.layout import bar, where
from web.games.hanse.components.space import space
from web.games.hanse.setup.demo import RECORD, SEATS
from web.request.game_pages import Scene


def practice_header() -> Line:
    """Return the header of a practice game: two simulated players."""
    return {**RECORD, "players": [{"colour": colour, "name": name} for colour, name in SEATS], "younger": "red"}


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), TELLINGS.sentence, TELLINGS.explained)
    return Scene("hanse/practice.html", told | {"space": space(snapshot, taps=False)}, bar(state, ""))
