"""The statistics of a finished game: the sources of points, and the centres over time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.scoring import centres_held, score
from companion.games.andromeda.state import State
from companion.games.andromeda.view import sees_credits
from companion.model.game import Viewer
from web.http.i18n import lazy
from web.request.game_pages import AfterGame


def came_from(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each player's points for centres, stations on Earth and technology, and for credits if they are public."""
    return {colour: _parts(state, colour) for colour in state.colours}


def _parts(state: State, colour: str) -> tuple[int, ...]:
    points = score(state, colour)
    bonus = points.bonus if sees_credits(state, colour, Viewer()) else 0
    return points.centres, points.earth, points.technology, bonus


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the number of centres of each player."""
    return {colour: (len(centres_held(state, colour)),) for colour in state.colours}


AFTER = AfterGame(
    points=lazy("Points"),
    sources=(lazy("Centres"), lazy("Earth"), lazy("Technology"), lazy("Credits")),
    came_from=came_from,
    counted=(lazy("Centres"),),
    counts=counts,
)
