"""The pages of Andromeda and their URLs, and the page for each phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from companion.games.andromeda import demo_policy
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.tellings import TELLINGS
from companion.kernel.values import replace
from web.components.possible_now import Possible, possible_now
from web.games.andromeda.actions.corrections import correction_scene
from web.games.andromeda.actions.deeds import in_actions, reason_against
from web.games.andromeda.actions.hand import WITH_SETS
from web.games.andromeda.actions.turn import (
    board_scene,
    exchange_scene,
    play_scene,
    possible_actions,
    possible_transports,
    transport_scene,
    turn_scene,
)
from web.games.andromeda.attempt.leftover import left_scene
from web.games.andromeda.attempt.page import attempt_scene, just_over, over_scene, possible_draws
from web.games.andromeda.attempt.questions import question_scene
from web.games.andromeda.components.layout import surroundings
from web.games.andromeda.history import AFTER, chapter, moment, points
from web.games.andromeda.phone import band, must_act, seat_scene
from web.games.andromeda.practice import demo, practice_header, practice_scene
from web.games.andromeda.rules_cards import CARDS, card_at, ruled
from web.games.andromeda.screen import big_screen
from web.games.andromeda.setup.cards import deal_scene, possible_deal, possible_setup, set_up_scene
from web.games.andromeda.setup.new_game import NEW_GAME, board_entry_scene, board_fields, board_from
from web.games.andromeda.trading.page import possible_trades, trading_scene
from web.request.game_pages import (
    BoardPages,
    Elsewhere,
    Final,
    Found,
    Look,
    NotNow,
    Page,
    Pages,
    PracticePages,
    Reserved,
    ScreenPages,
    TimelinePages,
)


def possible(look: Look) -> Mapping[str, Any]:
    """Return all actions of the viewer's seat, or of all seats, with the reason if one isn't possible now."""
    things = possible_draws if look.state.attempt else POSSIBLE[look.state.phase]
    return possible_now(look, partial(things, look))


def _at_hand(look: Look) -> Found:
    """Return the page of the current step. A phone shows the page of its seat, or its own attempt."""
    state: State = look.state
    if not _whole(look):
        return seat_scene(look)
    if state.attempt:
        return attempt_scene(look)
    if look.snapshot.questions:
        return question_scene(look)
    return STEPS[state.phase](look)


def _whole(look: Look) -> bool:
    state, own = look.state, look.viewer.seat
    if own is None or state.finished:
        return True
    if state.attempt:
        return bool(state.attempt.player == own)
    if state.phase is Phase.SETUP:
        return bool(state.players[own].unplaced)
    if state.phase is Phase.TRANSPORT:
        return must_act(look.snapshot, own)
    return just_over(look.snapshot, look.query) and state.tried[-1].player == own


def _actions(look: Look) -> Found:
    return over_scene(look) if just_over(look.snapshot, look.query) else turn_scene(look)


def _act(look: Look, action: str) -> Found:
    """Return the page of an *action*. A phone has no such page during another player's turn."""
    if look.viewer.seat not in (None, look.state.turn):
        return Elsewhere()
    begins = action != "transport" and in_actions(look.state)
    if begins and (reason := reason_against(look.snapshot, look.viewer, action)):
        return NotNow(reason)
    return ACTS[action](look)


def _transport(look: Look) -> Found:
    own_page = look.state.phase is Phase.ACTIONS or (look.viewer.seat and look.state.phase is Phase.TRANSPORT)
    return transport_scene(look) if own_page else Elsewhere()


def _by_own_seat(page: Page, look: Look) -> Found:
    """Return *page*. On a phone it is always about the phone's own seat."""
    seat = look.viewer.seat
    return page(look if seat is None else replace(look, query={**look.query, "seat": seat}))


STEPS: Mapping[Phase, Page] = {
    Phase.SETUP: set_up_scene,
    Phase.CARDS: deal_scene,
    Phase.TRANSPORT: transport_scene,
    Phase.TRADING: trading_scene,
    Phase.ACTIONS: _actions,
    Phase.FINISHED: lambda look: Final(),
}
POSSIBLE: Mapping[Phase, Callable[[Look, str], tuple[Possible, ...]]] = {
    Phase.SETUP: possible_setup,
    Phase.CARDS: possible_deal,
    Phase.TRANSPORT: possible_transports,
    Phase.TRADING: possible_trades,
    Phase.ACTIONS: possible_actions,
    Phase.FINISHED: lambda look, seat: (),
}
"""What a seat can do in each phase, unless an attempt is open, with the reason if it isn't possible now."""
ACTS: Mapping[str, Page] = {
    **{action: partial(play_scene, action=action) for action in WITH_SETS},
    "exchange": exchange_scene,
    "transport": _transport,
}
PLACES: Mapping[str, Page] = {
    "": _at_hand,
    "board": board_scene,
    "correct": correction_scene,
    "left": left_scene,
    **{f"act/{action}": partial(_act, action=action) for action in ACTS},
}
PAGES = Pages(
    at={place: partial(_by_own_seat, page) for place, page in PLACES.items()},
    around=surroundings,
    frame="andromeda/table.html",
    band=band,
    tell=TELLINGS.sentence,
    new_game=NEW_GAME.scene,
    header=NEW_GAME.header,
    cards=CARDS,
    card_at=card_at,
    ruled=ruled,
    card_pictures="andromeda/rule_pictures.html",
    possible=possible,
    reserved=Reserved(movers=("act/",), host=("correct",)),
    demo=demo,
    board=BoardPages(board_fields, board_entry_scene, board_from),
    practice=PracticePages(practice_header, demo_policy.command, practice_scene),
    # The screen shows the panel of chances only if the table has chances switched on.
    screen=ScreenPages(("board", "attempt", "draws"), ("attempt",), big_screen),
    timeline=TimelinePages(chapter, points, moment),
    after=AFTER,
)
