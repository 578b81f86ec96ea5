"""The page of offers: the dice on the lowest free order card, and the player who takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.wreck.dice import SYMBOLS, symbols_of
from companion.games.wreck.offers import most_offered
from companion.games.wreck.state import State, carded, without_card
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.components.possible_now import Possible
from web.games.wreck.components.dice_codes import LETTERS, letters, symbols, without
from web.games.wreck.components.ship import ship
from web.games.wreck.play.choices import thing
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene

Query = Mapping[str, str]


def offers_scene(look: Look) -> Scene:
    """Return the page of the offer that is being made, or that a player must answer."""
    state: State = look.state
    facts = _making(look.snapshot, look.query) if state.offer is None else _asking(look.snapshot)
    face = faces(state.setting.seats)[state.offerer if state.offer is None else state.offer.asked]
    heading = PlayBar(face.name, face, left_words=facts.pop("words"))
    return Scene("wreck/offers.html", facts | {"ship": ship(state)}, heading)


def things(snapshot: Snapshot, seat: str) -> tuple[Possible, ...]:
    """Return what *seat* can do with offers."""
    state: State = snapshot.state
    if state.offer is None:
        most = most_offered(state)
        return (thing("offer", how=ngettext("at most %(num)s die", "at most %(num)s dice", most)),)
    return (thing("accept"), thing("decline", why_not(snapshot, {"do": "decline", "player": seat})))


def _making(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return the dice chosen for the offer so far (`d` in the query), and the URLs that add further dice."""
    state: State = snapshot.state
    most, chosen = most_offered(state), symbols(query.get("d", ""), most_offered(state))
    left = list(symbols_of(state.pool))
    taken: tuple[str, ...] = ()
    for die in chosen:
        if die in left:
            left.remove(die)
            taken = (*taken, die)
    line = {"do": "offer", "player": state.offerer, "dice": list(taken)}
    offer_words = ngettext("Offer %(num)s die", "Offer %(num)s dice", len(taken)) if taken else _("Tap dice first")
    most_words = ngettext("At most %(num)s die", "At most %(num)s dice", most)
    known = faces(state.setting.seats)
    return {
        "words": _("makes an offer"),
        "card": carded(state) + 1,
        "by": known[state.offerer],
        "most_words": most_words,
        "full": f"{most_words}." if len(taken) == most else "",
        "in_pool": [(s, left.count(s), _more(taken, s, most) if left.count(s) else "") for s in SYMBOLS],
        "in_offer": [(s, taken.count(s), to(d=letters(without(taken, s)))) for s in SYMBOLS if taken.count(s)],
        "offer_line": line,
        "offer_words": offer_words,
        "reason": why_not(snapshot, line),
        "asked": known[without_card(state, state.offerer)],
    }


def _more(taken: tuple[str, ...], symbol: str, most: int) -> str:
    return to(d=letters(taken) + LETTERS[symbol]) if len(taken) < most else ""


def _asking(snapshot: Snapshot) -> dict[str, Any]:
    """Return the open offer, and the dice in the pool that may be taken with it."""
    state: State = snapshot.state
    offer = state.offer
    assert offer is not None
    player = {"player": offer.asked}
    return {
        "words": _("has to take it") if offer.forced else _("decides"),
        "card": offer.order,
        "by": faces(state.setting.seats)[offer.by],
        "forced": offer.forced,
        "in_offer": [(s, c, "") for s, c in zip(SYMBOLS, offer.dice, strict=True) if c],
        "in_pool": [
            (s, c, {"do": "accept", **player, "die": s} if c else "") for s, c in zip(SYMBOLS, state.pool, strict=True)
        ],
        "accept": {"do": "accept", **player, "die": None},
        "decline": {"do": "decline", **player},
    }
