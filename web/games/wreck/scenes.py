"""Which page of the wreck stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.state import Phase, State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.games.wreck.components.layout import surroundings
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
from web.request.game_pages import Elsewhere, NotNow, Scene

Query = Mapping[str, str]


def scene_at(
    snapshot: Snapshot, viewer: Viewer, path: str, query: Query, may_act: bool
) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    match path:
        case "":
            return _at_hand(snapshot, viewer, query, may_act)
        case "now":
            return now_scene(snapshot, viewer, query, may_act)
        case "board":
            return board_scene(snapshot, viewer, may_act)
        case "mission":
            return mission_scene(snapshot, viewer, query, may_act)
        case "effects":
            return effects_scene(snapshot, viewer, query, may_act) if query.get("tech") else Elsewhere()
        case "correct":
            without = {name: value for name, value in query.items() if name != "tech"}
            return effects_scene(snapshot, viewer, without, may_act and viewer.seat is None)
        case _:
            return None


def board_scene(snapshot: Snapshot, viewer: Viewer, may_act: bool) -> Scene:
    """Return the wreck to look at, whatever the phase."""
    state: State = snapshot.state
    around = surroundings(snapshot, viewer, PlayBar(_("The wreck"), back=to()), may_act)
    technologies = [(technology_name(state, each.id), each.id in state.used) for each in state.setting.technologies]
    return Scene("wreck/board.html", around | {"ship": ship(state), "technologies": technologies})


def _at_hand(snapshot: Snapshot, viewer: Viewer, query: Query, may_act: bool) -> Scene:
    """Return the page of the step that the table waits for."""
    state: State = snapshot.state
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return roll_scene(snapshot, viewer, query, may_act)
        case Phase.OFFERS:
            return offers_scene(snapshot, viewer, query, may_act)
        case Phase.TURNS:
            return turn_scene(snapshot, viewer, query, may_act)
        case Phase.FINISHED:
            return final_scene(snapshot, viewer, may_act)
