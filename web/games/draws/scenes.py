"""Which page of a draw table stands at which address."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.draws.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.games.draws.handful import HANDFULS, handful_scene
from web.games.draws.odds import odds_scene
from web.games.draws.open_table import final_scene, open_scene
from web.games.draws.possible_now import now_scene
from web.games.draws.tally import tally_scene
from web.games.draws.tower import tower_scene
from web.request.game_pages import Elsewhere, NotNow, Scene

Query = Mapping[str, str]
Page = Callable[[Snapshot, Viewer, Query, bool], Scene]
PAGES: Mapping[str, Page] = {"now": now_scene, "odds": odds_scene, "tally": tally_scene, "tower": tower_scene}


def scene_at(
    snapshot: Snapshot, viewer: Viewer, path: str, query: Query, may_act: bool
) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    state: State = snapshot.state
    if path == "":
        page = final_scene if state.finished and not snapshot.questions else open_scene
        return page(snapshot, viewer, query, may_act)
    if path in HANDFULS:
        if state.finished and path != "count":
            return Elsewhere()
        return handful_scene(snapshot, viewer, path, query, may_act)
    if path in PAGES:
        return PAGES[path](snapshot, viewer, query, may_act)
    return None
