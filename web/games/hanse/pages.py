"""The pages of Die Kosmische Hanse and their URLs, and the page for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from companion.games.hanse import demo_policy
from companion.games.hanse.facts import FACTS
from companion.games.hanse.rules import TELLINGS
from companion.games.hanse.state import Phase
from web.games.hanse.components.layout import band, surroundings
from web.games.hanse.corrections import correction_scene
from web.games.hanse.discard import discard_scene
from web.games.hanse.flip import flip_scene
from web.games.hanse.history import AFTER, chapter, moment
from web.games.hanse.interventions import ASKING, answer_scene, card_scene, cards_scene
from web.games.hanse.practice import HEADER, demo, practice_scene
from web.games.hanse.rules_cards import CARDS, card_at, ruled
from web.games.hanse.screen import big_screen
from web.games.hanse.setup import NEW_GAME, beginning_scene, goods_scene
from web.games.hanse.turn import board_scene, possible, turn_scene
from web.request.game_pages import Elsewhere, Final, Page, Pages, PracticePages, Reserved, ScreenPages, TimelinePages


def _in_turn(page: Page) -> Mapping[Phase, Page]:
    """Return *page* for a turn. In any other phase its address leads to the current step."""
    return {**dict.fromkeys(Phase, lambda look: Elsewhere()), Phase.TURN: page}


PAGES = Pages(
    at={
        "": {
            Phase.GOODS: goods_scene,
            Phase.CHOICE: beginning_scene,
            Phase.PLANET: beginning_scene,
            Phase.TURN: turn_scene,
            Phase.FLIP: flip_scene,
            Phase.ANSWER: answer_scene,
            Phase.FINISHED: lambda look: Final(),
        },
        "board": board_scene,
        "correct": correction_scene,
        "act/discard": _in_turn(discard_scene),
        "card": _in_turn(cards_scene),
        **{f"card/{name}": _in_turn(partial(card_scene, name=name)) for name in ASKING},
    },
    around=surroundings,
    frame="hanse/table.html",
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=CARDS,
    card_at=card_at,
    ruled=ruled,
    possible=possible,
    reserved=Reserved(movers=("act/", "card/"), host=("correct",)),
    demo=demo,
    practice=PracticePages(lambda: HEADER, demo_policy.command, practice_scene),
    screen=ScreenPages(("space", "cargo"), ("cargo",), big_screen),
    timeline=TimelinePages(chapter, lambda state: FACTS.points(state, None), moment),
    after=AFTER,
)
