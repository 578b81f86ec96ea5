"""Which games have pages here, by the name in a record's header: the one place of the web that names them."""

from __future__ import annotations

from collections.abc import Mapping

from web.games.andromeda import PAGES as ANDROMEDA
from web.games.draws import PAGES as DRAWS
from web.games.hanse import PAGES as HANSE
from web.games.wreck import PAGES as WRECK
from web.request.game_pages import GamePages

PAGES: Mapping[str, GamePages] = {
    ANDROMEDA.name: ANDROMEDA,
    DRAWS.name: DRAWS,
    HANSE.name: HANSE,
    WRECK.name: WRECK,
}
