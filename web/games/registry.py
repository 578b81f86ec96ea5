"""Which games have pages here, by the name in a record's header: the one place of the web that names them."""

from __future__ import annotations

from collections.abc import Mapping

from web.games.andromeda import PAGES as ANDROMEDA
from web.request.game_pages import GamePages

PAGES: Mapping[str, GamePages] = {ANDROMEDA.name: ANDROMEDA}
