"""Which page of the wreck stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.state import Phase, State
from companion.kernel.frozen import replace
from web.components.addresses import to
from web.components.bar import PlayBar
from web.games.wreck.components.ship import ship
from web.games.wreck.history.final import final_scene
from web.games.wreck.play.choices import technology_name
from web.games.wreck.play.effects import effects_scene
from web.games.wreck.play.missions import mission_scene
from web.games.wreck.play.offers import offers_scene
from web.games.wreck.play.possible_now import now_scene
from web.games.wreck.play.roll import roll_scene
from web.games.wreck.play.turn import turn_scene
from web.http.i18n import _
from web.request.game_pages import Elsewhere, Look, NotNow, Scene

Query = Mapping[str, str]


def scene_at(look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    match path:
        case "":
            return _at_hand(look)
        case "now":
            return now_scene(look)
        case "board":
            return board_scene(look)
        case "mission":
            return mission_scene(look)
        case "effects":
            return effects_scene(look) if look.query.get("tech") else Elsewhere()
        case "correct":
            without = {name: value for name, value in look.query.items() if name != "tech"}
            return effects_scene(replace(look.of_the_table, query=without))
        case _:
            return None


def board_scene(look: Look) -> Scene:
    """Return the wreck to look at, whatever the phase."""
    state: State = look.state
    technologies = [(technology_name(state, each.id), each.id in state.used) for each in state.setting.technologies]
    return Scene(
        "wreck/board.html", {"ship": ship(state), "technologies": technologies}, PlayBar(_("The wreck"), back=to())
    )


def _at_hand(look: Look) -> Scene:
    """Return the page of the step that the table waits for."""
    state: State = look.state
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return roll_scene(look)
        case Phase.OFFERS:
            return offers_scene(look)
        case Phase.TURNS:
            return turn_scene(look)
        case Phase.FINISHED:
            return final_scene(look)
