"""The pages of the open draw table and their URLs."""

from __future__ import annotations

from functools import partial

from companion.games.draws.box import BOX
from companion.games.draws.tellings import TELLINGS
from companion.kernel.fields import Line
from web.games.draws.cards import CARDS, card_at
from web.games.draws.handful import HANDFULS, handful_scene
from web.games.draws.layout import band, surroundings
from web.games.draws.new_game import NEW_GAME, fields_of
from web.games.draws.odds import odds_scene
from web.games.draws.open_table import open_scene
from web.games.draws.possible_now import possible
from web.games.draws.screen import big_screen
from web.games.draws.tally import tally_scene
from web.games.draws.timeline import AFTER, chapter, moment
from web.games.draws.tower import tower_scene
from web.request.game_pages import (
    BoardPages,
    Elsewhere,
    Final,
    Form,
    Found,
    Look,
    Pages,
    Reserved,
    ScreenPages,
    TimelinePages,
)


def _at_hand(look: Look) -> Found:
    over = look.state.finished and not look.snapshot.questions
    return Final("draws/base.html") if over else open_scene(look)


def _handful(look: Look, path: str) -> Found:
    """Return a page for choosing cubes. After the end, only the page that corrects the count inside is available."""
    return Elsewhere() if look.state.finished and path != "count" else handful_scene(look, path)


def _contents(form: Form) -> Line | None:
    return BOX.of(NEW_GAME.header(form))


PAGES = Pages(
    at={
        "": _at_hand,
        "odds": odds_scene,
        "tally": tally_scene,
        "tower": tower_scene,
        **{path: partial(_handful, path=path) for path in HANDFULS},
    },
    around=surroundings,
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=CARDS,
    card_at=card_at,
    possible=possible,
    reserved=Reserved(movers=("several", "put", "back", "throw", "out"), host=("count", "stuck")),
    board=BoardPages(fields_of, NEW_GAME.scene, _contents),
    screen=ScreenPages(("inside", "draws", "tower"), ("draws",), big_screen),
    timeline=TimelinePages(chapter, lambda state: {}, moment),
    after=AFTER,
)
