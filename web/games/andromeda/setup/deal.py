"""The page of the deal: how many cards each player gets."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.rounds import to_deal
from companion.games.andromeda.state import State
from web.components.players import Face, faces
from web.games.andromeda.actions.turn import board
from web.games.andromeda.components.layout import bar
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene


@dataclass(frozen=True)
class HandToDeal:
    """A hand before the deal: it gets *cards* cards, up to its *limit*."""

    face: Face
    cards: int
    held: int
    limit: int
    starts: bool


def deal_scene(look: Look) -> Scene:
    """Return the page of the card phase."""
    state: State = look.state
    known = faces(state.setting.seats)
    missing = to_deal(state)
    hands = tuple(
        HandToDeal(known[c], missing[c], state.players[c].hand, state.players[c].hand_limit, c == state.starter)
        for c in state.colours
    )
    total = sum(missing.values())
    if not total:
        return _nothing_to_deal(look, known[state.starter])
    words = ngettext("%(num)s card in total", "%(num)s cards in total", total)
    more = {
        "hands": hands,
        "total": total,
        "supply": state.supply,
        "discards": state.discards,
        "shuffle": total > state.supply,
        "starter": known[state.starter],
    }
    heading = bar(state, _("Deal the cards"), left_words=words)
    return Scene("andromeda/deal.html", more, heading)


def _nothing_to_deal(look: Look, starter: Face) -> Scene:
    """Return the board for a deal that gives nobody a card."""
    state: State = look.state
    heading = bar(state, starter.name, face=starter, left_words=_("starts this round"))
    return Scene("andromeda/board.html", board(look.snapshot) | {"full_hands": True, "moved": ""}, heading)
