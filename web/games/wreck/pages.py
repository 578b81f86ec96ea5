"""The pages of the wreck and their URLs, and the page for each phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.games.wreck import demo_policy
from companion.games.wreck.state import Phase, State
from companion.games.wreck.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.possible_now import Possible, possible_now
from web.components.practice import practice
from web.games.wreck.components.layout import band, surroundings, where
from web.games.wreck.components.ship import ship
from web.games.wreck.history import AFTER, chapter, moment, points
from web.games.wreck.new_game import NEW_GAME, box_fields, demo, header
from web.games.wreck.play import offers, roll, turn
from web.games.wreck.play.choices import technology_name
from web.games.wreck.play.corrections import correction_scene
from web.games.wreck.play.effects import effects_scene
from web.games.wreck.play.missions import mission_scene
from web.games.wreck.rules_cards import CARDS, card_at, ruled
from web.games.wreck.screen import big_screen
from web.http.i18n import _
from web.request.game_pages import (
    BoardPages,
    Final,
    Form,
    Look,
    Pages,
    PracticePages,
    Reserved,
    Scene,
    ScreenPages,
    TimelinePages,
)

PRACTICE = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))


def board_scene(look: Look) -> Scene:
    """Return the ship without actions, in any phase."""
    state: State = look.state
    technologies = [(technology_name(state, each.id), each.id in state.used) for each in state.setting.technologies]
    return Scene(
        "wreck/board.html", {"ship": ship(state), "technologies": technologies}, PlayBar(_("The wreck"), back=to())
    )


def possible(look: Look) -> Mapping[str, Any]:
    """Return what can be done now by the viewer's seat, or by everybody."""
    return possible_now(look, lambda seat: _things(look.snapshot, seat))


def _things(snapshot: Snapshot, seat: str) -> tuple[Possible, ...]:
    state: State = snapshot.state
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            return roll.things(snapshot)
        case Phase.OFFERS:
            return offers.things(snapshot, seat)
        case Phase.TURNS:
            return turn.things(state, seat)
        case Phase.FINISHED:
            return ()


def _box(form: Form) -> Scene:
    """Return a page that says that cards are typed in on the page for a new game."""
    return Scene("wreck/box.html")


def practice_header() -> Line:
    """Return the header of a practice game: three simulated players."""
    return header(PRACTICE)


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), TELLINGS.sentence, TELLINGS.explained)
    return Scene("wreck/practice.html", told | {"ship": ship(state)}, PlayBar(""))


PAGES = Pages(
    at={
        "": {
            Phase.SETUP: roll.roll_scene,
            Phase.OFFERS: offers.offers_scene,
            Phase.TURNS: turn.turn_scene,
            Phase.CLEANUP: roll.roll_scene,
            Phase.FINISHED: lambda look: Final(),
        },
        "board": board_scene,
        "mission": mission_scene,
        "effects": effects_scene,
        "correct": correction_scene,
    },
    around=surroundings,
    frame="wreck/table.html",
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=CARDS,
    card_at=card_at,
    ruled=ruled,
    possible=possible,
    reserved=Reserved(movers=("mission", "effects"), host=("correct",)),
    demo=demo,
    board=BoardPages(box_fields, _box, lambda form: None),
    practice=PracticePages(practice_header, demo_policy.command, practice_scene),
    screen=ScreenPages(("ship", "dice"), ("dice",), big_screen),
    timeline=TimelinePages(chapter, points, moment),
    after=AFTER,
)
