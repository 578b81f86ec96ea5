"""A finished game: what decided it, and how long it took."""

from __future__ import annotations

from companion.games.hanse.state import State, turn_of
from companion.kernel.i18n import said
from companion.model.game import Result
from web.games.hanse.setup.new_game import NEW_GAME
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import AfterGame, Compared, Decision


def decided(state: State, result: Result) -> Decision:
    """Return why the game ended and who was ahead, with Megagalax and technology cards of both players."""
    players = state.players
    lines = (
        Compared(_("Megagalax"), tuple((players[c].megagalax, c in result.winners) for c in state.colours)),
        Compared(_("Technology cards"), tuple((players[c].technology_cards, False) for c in state.colours)),
    )
    how = _("The last two goods cards left the game.") if state.ended_by == "goods" else ""
    return Decision(f"{translated(result.why)} {how}".strip(), colours=state.colours, lines=lines)


def lasted(state: State) -> str:
    """Return the number of turns in words."""
    return ngettext("%(num)s turn", "%(num)s turns", turn_of(state).number)


AFTER = AfterGame(points=said("Megagalax"), decided=decided, lasted=lasted, again=NEW_GAME.filled)
