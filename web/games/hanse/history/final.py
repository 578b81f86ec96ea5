"""The page of a finished game: who won and why, and the final state of each player."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.goods import GOAL
from companion.games.hanse.state import State, turn_of
from web.components.players import faces, listed
from web.games.hanse.components.layout import bar
from web.games.hanse.components.space import space
from web.games.hanse.setup.new_game import NEW_GAME
from web.http.i18n import _, lazy, ngettext, translated
from web.request.game_pages import AfterGame, Look, Scene

# Counts besides Megagalax that are shown after a game: the number of technology cards over time.


def counts(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the number of technology cards of both players."""
    return {colour: (player.technology_cards,) for colour, player in state.players.items()}


AFTER = AfterGame(points=lazy("Megagalax"), counted=(lazy("Technology cards"),), counts=counts)


def final_scene(look: Look) -> Scene:
    """Return the page of a finished game."""
    state: State = look.state
    known = faces(state.setting.seats)
    assert look.snapshot.game is not None, "a result belongs to a game"
    result = look.snapshot.game.result(state)
    won = result.winners if result else ()
    names = listed(known[colour].name for colour in won)
    title = _("%(name)s wins", name=names) if len(won) == 1 else _("%(names)s share the win", names=names)
    heading = bar(state, title, face=known[won[0]] if len(won) == 1 else None)
    more = {
        "won": won,
        "why": str(translated(result.why)) if result else "",
        "how": _("The last two goods cards left the game.") if state.ended_by == "goods" else "",
        "goal": GOAL,
        "turns": ngettext("%(num)s turn", "%(num)s turns", turn_of(state).number),
        "played_ms": look.snapshot.game_ms,
        "space": space(look.snapshot, taps=False),
        "again": NEW_GAME.again(look.snapshot.header),
    }
    return Scene("hanse/final.html", more, heading)
