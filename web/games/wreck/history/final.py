"""The page of a finished game: the KP by source, and the reason for the win."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wreck.scoring import Score, scores
from companion.games.wreck.state import State
from web.components.bar import PlayBar
from web.components.players import Face, faces, listed
from web.games.wreck.components.layout import came_from
from web.games.wreck.components.ship import ship
from web.games.wreck.setup.new_game import NEW_GAME
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class WreckStanding:
    """A player at the end. *share* is the bar's width in percent of the longest."""

    place: int
    face: Face
    score: Score
    won: bool
    share: float
    small: str


def final_scene(look: Look) -> Scene:
    """Return the page of a finished game."""
    state: State = look.state
    known = faces(state.setting.seats)
    assert look.snapshot.game is not None, "a result belongs to a game"
    result = look.snapshot.game.result(state)
    won = result.winners if result else ()
    names = listed(known[colour].name for colour in won)
    title = _("%(name)s wins", name=names) if len(won) == 1 else _("%(names)s share the win", names=names)
    heading = PlayBar(title, known[won[0]] if len(won) == 1 else None)
    more = {
        "standings": standings(state, won),
        "why": translated(result.why) if result else "",
        "rounds": ngettext("%(num)s round", "%(num)s rounds", state.round),
        "played_ms": look.snapshot.game_ms,
        "ship": ship(state),
        "again": NEW_GAME.again(look.snapshot.header),
    }
    return Scene("wreck/final.html", more, heading)


def standings(state: State, won: tuple[str, ...]) -> tuple[WreckStanding, ...]:
    """Return all players, best first. Equal players have the same place."""
    known, points = faces(state.setting.seats), scores(state)
    ranks = {colour: (score.total, score.rooms) for colour, score in points.items()}
    order = sorted(state.colours, key=lambda colour: ranks[colour], reverse=True)
    longest = max(score.total for score in points.values()) or 1
    places = [ranks[colour] for colour in order]
    return tuple(
        WreckStanding(
            places.index(ranks[colour]) + 1,
            known[colour],
            points[colour],
            colour in won,
            round(100 * points[colour].total / longest, 1),
            came_from(points[colour]) or _("no KP"),
        )
        for colour in order
    )
