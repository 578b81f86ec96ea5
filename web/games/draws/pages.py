"""The pages of the open draw table and their URLs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from companion.games.draws.header import BOX
from companion.games.draws.rules import TELLINGS
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.possible_now import Possible, SeatActions
from web.games.draws import odds, open_table, tower
from web.games.draws.handful import handful_scene
from web.games.draws.help import deed
from web.games.draws.layout import band, surroundings
from web.games.draws.new_game import NEW_GAME, fields_of
from web.games.draws.screen import big_screen
from web.games.draws.tally import tally_scene
from web.games.draws.timeline import AFTER, chapter, moment
from web.http.i18n import _
from web.request.game_pages import BoardPages, Final, Form, Found, Look, Pages, Reserved, ScreenPages, TimelinePages

HANDFULS = {**open_table.HANDFULS, **tower.HANDFULS}
HELPS = {
    "/table": "draw",
    "/table/tower": "tower",
    "/table/odds": "odds",
    **{f"/table/{path}": kind.card for path, kind in HANDFULS.items()},
}
"""The rules card of each page."""


def _at_hand(look: Look) -> Found:
    over = look.state.finished and not look.snapshot.questions
    return Final() if over else open_table.open_scene(look)


def _possible(look: Look) -> Mapping[str, Any]:
    """Return all actions of the table, in the order in which players usually need them."""
    closed = _("The table is closed.") if look.state.finished else ""
    empty = "" if any(look.state.inside.values()) else _("Nothing is inside.")
    things = (
        *open_table.deeds(look.state, closed, empty),
        *tower.deeds(look.state, closed),
        Possible(_("Odds"), _("of the next draw, and of one of mine"), to("odds"), empty, icon="chance"),
        Possible(_("Who drew what"), _("by player and colour"), to("tally"), icon="tally"),
        deed("correct", "", "count", "mend"),
    )
    return {"whose": [SeatActions(None, "", things)]}


def _card_at(snapshot: Snapshot, path: str) -> str:
    return HELPS.get(path, "")


def _contents(form: Form) -> Line | None:
    return BOX.of(NEW_GAME.header(form))


PAGES = Pages(
    at={
        "": _at_hand,
        "odds": odds.odds_scene,
        "tally": tally_scene,
        "tower": tower.tower_scene,
        **{path: partial(handful_scene, path=path, kind=kind) for path, kind in HANDFULS.items()},
    },
    around=surroundings,
    frame="draws/base.html",
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=(*open_table.CARDS, tower.CARD, odds.CARD),
    card_at=_card_at,
    possible=_possible,
    reserved=Reserved(
        movers=tuple(path for path, kind in HANDFULS.items() if not kind.counting),
        host=tuple(path for path, kind in HANDFULS.items() if kind.counting),
    ),
    board=BoardPages(fields_of, NEW_GAME.scene, _contents),
    screen=ScreenPages(("inside", "draws", "tower"), ("draws",), big_screen, replayed=("tally",)),
    timeline=TimelinePages(chapter, lambda state: {}, moment),
    after=AFTER,
)
