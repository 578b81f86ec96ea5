"""The games that have pages, by the name in a record's header. No other module of the web lists all games."""

from __future__ import annotations

from collections.abc import Mapping

from web.games.andromeda import COVER as ANDROMEDA
from web.games.draws import COVER as DRAWS
from web.games.hanse import COVER as HANSE
from web.games.wreck import COVER as WRECK
from web.request.game_pages import GameCover

COVERS: Mapping[str, GameCover] = {cover.name: cover for cover in (ANDROMEDA, DRAWS, HANSE, WRECK)}
