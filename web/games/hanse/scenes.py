"""Which page of Die Kosmische Hanse stands at which address, and what each phase shows by itself."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hanse.state import Phase, State
from web.games.hanse.history.final import final_scene
from web.games.hanse.setup.beginning import beginning_scene
from web.games.hanse.setup.goods import goods_scene
from web.games.hanse.turn.answer import answer_scene
from web.games.hanse.turn.cards import card_scene, cards_scene
from web.games.hanse.turn.corrections import mend_scene
from web.games.hanse.turn.discard import discard_scene
from web.games.hanse.turn.flip import flip_scene
from web.games.hanse.turn.page import board_scene, turn_scene
from web.games.hanse.turn.possible_now import now_scene
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
        case "correct":
            return mend_scene(look.of_the_table)
        case "card":
            return cards_scene(look)
        case "act/discard":
            return discard_scene(look)
    place, _, card = path.partition("/")
    return card_scene(look, card) if place == "card" else None


def _at_hand(look: Look) -> Scene:
    """Return the page of the step that the table waits for."""
    state: State = look.state
    match state.phase:
        case Phase.GOODS:
            return goods_scene(look)
        case Phase.CHOICE | Phase.PLANET:
            return beginning_scene(look)
        case Phase.TURN:
            return turn_scene(look)
        case Phase.FLIP:
            return flip_scene(look)
        case Phase.ANSWER:
            return answer_scene(look)
        case Phase.FINISHED:
            return final_scene(look)
