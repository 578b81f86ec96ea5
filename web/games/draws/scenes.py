"""Which page of a draw table stands at which address."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.draws.state import State
from web.games.draws.handful import HANDFULS, handful_scene
from web.games.draws.odds import odds_scene
from web.games.draws.open_table import final_scene, open_scene
from web.games.draws.possible_now import now_scene
from web.games.draws.tally import tally_scene
from web.games.draws.tower import tower_scene
from web.request.game_pages import Elsewhere, Look, NotNow, Scene

Query = Mapping[str, str]
Page = Callable[[Look], Scene]
PAGES: Mapping[str, Page] = {"now": now_scene, "odds": odds_scene, "tally": tally_scene, "tower": tower_scene}


def scene_at(look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
    """Return the page at *path* below /table, None when there is none."""
    state: State = look.state
    if path == "":
        page = final_scene if state.finished and not look.snapshot.questions else open_scene
        return page(look)
    if path in HANDFULS:
        if state.finished and path != "count":
            return Elsewhere()
        return handful_scene(look, path)
    if path in PAGES:
        return PAGES[path](look)
    return None
