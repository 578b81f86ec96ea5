"""The trading phase on a player's phone. The page never shows hands or face-down cards of other players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import KINDS, State
from companion.games.andromeda.trading import (
    forbidden_cards,
    has_the_word,
    most_cards,
    must_lay,
    shown_cards,
    size,
    trading_of,
    with_sets,
)
from companion.kernel.i18n import Said, said
from companion.model.clock import NAMING, REVEAL
from companion.model.snapshot import Snapshot
from web.components.legality import taken
from web.components.players import Face, faces
from web.games.andromeda.trading.page import ONE_MORE, WHICH_ONE, CardChoice, lay
from web.games.andromeda.trading.seats import LaidCard, card_of
from web.games.andromeda.trading.step import ANSWER, DECIDE, KEEP, LAY, TRADE, ready, step_of
from web.http.i18n import _


@dataclass(frozen=True)
class PhoneWay:
    """One use of the player's set, in words. A swap also has the partner and the partner's face-up cards."""

    words: str
    line: dict[str, Any]
    face: Face | None = None
    cards: tuple[LaidCard, ...] = ()
    main: bool = False


@dataclass(frozen=True)
class Trade:
    """The trading phase as a seat sees it.

    *own* are the seat's cards on the table, with the caption *own_words*; *leads* are those of the starting player. If
    the seat *answers*, *banned* are the cards that it must not lay. *may_name* says that the seat can name its card.
    *names* says that it is just choosing that name, from *lays*. *unnamed* is the line that lays a card without naming
    it. *grows* is the text of the button for one more card instead of a swap.
    """

    ask: str
    own: tuple[LaidCard, ...] = ()
    own_words: str = ""
    leads: tuple[LaidCard, ...] = ()
    answers: bool = False
    banned: tuple[LaidCard, ...] = ()
    may_name: bool = False
    names: bool = False
    lays: tuple[CardChoice, ...] = ()
    unnamed: dict[str, Any] | None = None
    ways: tuple[PhoneWay, ...] = ()
    excuse: dict[str, Any] | None = None
    excuse_reason: str = ""
    grows: str = ""
    end: dict[str, Any] | None = None


def answered(snapshot: Snapshot, own: str) -> bool:
    """Tell whether the seat *own* has said that its card is laid, although the record doesn't contain the card yet."""
    state: State = snapshot.state
    return state.trading is not None and step_of(snapshot) in (ANSWER, REVEAL) and own in ready(snapshot)


def trading_for(snapshot: Snapshot, own: str, query: Mapping[str, str]) -> Trade:
    """Return the trading phase as *own* sees it."""
    state: State = snapshot.state
    if state.options.trade_record == "off" or state.trading is None:
        end = {"do": "end_trading"} if own == state.starter else None
        return Trade(_("Trade at the table"), end=end)
    step = step_of(snapshot)
    mine = own in has_the_word(state) and step != REVEAL and not answered(snapshot, own)
    answers = mine and step == ANSWER
    unnamed = step == ANSWER and own in must_lay(state)
    picks = (unnamed and "name" in query) or (mine and _may_grow(state, step) and "more" in query)
    excuse = {"do": "excuse", "player": own}
    return Trade(
        ask=_ask(snapshot, own, step, mine, picks),
        own=tuple(card_of(state, card) for card in trading_of(state).sets.get(own, ())),
        own_words=_own_words(step, mine and not picks),
        leads=tuple(card_of(state, card) for card in shown_cards(state, state.starter)),
        answers=answers,
        banned=tuple(card_of(state, card) for card in forbidden_cards(state)) if answers else (),
        may_name=unnamed and not picks,
        names=picks,
        lays=_lays(snapshot, own, step) if picks or (mine and step in (LAY, NAMING)) else (),
        unnamed=lay(own, None) if mine and step == LAY and not taken(snapshot, lay(own, None)) else None,
        ways=_ways(state, own, step) if mine and not picks else (),
        excuse=excuse if unnamed else None,
        excuse_reason=taken(snapshot, excuse) if unnamed else "",
        grows=_(ONE_MORE[size(state)]) if mine and _may_grow(state, step) else "",
    )


def _may_grow(state: State, step: str) -> bool:
    """Tell whether players may lay one more card instead of a swap."""
    return step == DECIDE and size(state) < most_cards(state)


ASKS: Mapping[str, Said] = {
    LAY: said("Play a card face up"),
    ANSWER: said("Play a card face down"),
    NAMING: said("Which card did you play?"),
    KEEP: said("Keep the new cards?"),
    DECIDE: said("Who do you swap with?"),
    TRADE: said("Who do you swap with?"),
}
"""The request to the player who must act, for each step of trading."""


def _ask(snapshot: Snapshot, own: str, step: str, mine: bool, picks: bool) -> str:
    state: State = snapshot.state
    if own in trading_of(state).excused:
        return _("You sit out this trading phase")
    if answered(snapshot, own):
        return _("You have played")
    if not mine:
        return _("%(name)s plays the first card", name=faces(state.setting.seats)[state.starter].name)
    if picks and step == DECIDE:
        return _(WHICH_ONE[size(state)])
    return _(ASKS[step])


def _own_words(step: str, mine: bool) -> str:
    """Return the caption of a seat's cards: the cards that it has laid or offers, or the set after a swap."""
    if mine and step in (DECIDE, TRADE):
        return _("You give")
    if step == KEEP:
        return _("The new cards") if mine else _("Your set")
    return _("Your set") if step == TRADE else _("You have played")


def _lays(snapshot: Snapshot, own: str, step: str) -> tuple[CardChoice, ...]:
    """Return the cards that can be laid: planets, the credits in hand, and an unnamed card unless it has a button."""
    credits = (kind for kind in KINDS if snapshot.state.players[own].credit(kind))
    cards = (*PLANETS, *credits, *(() if step == LAY else (None,)))
    lines = ((card, lay(own, card)) for card in cards)
    return tuple(CardChoice(card_of(snapshot.state, card), line, taken(snapshot, line)) for card, line in lines)


def _ways(state: State, own: str, step: str) -> tuple[PhoneWay, ...]:
    if step == KEEP:
        keep = PhoneWay(_("Keep"), {"do": "keep", "player": own}, main=True)
        return (keep, PhoneWay(_("Leave"), {"do": "leave", "player": own}))
    if step not in (DECIDE, TRADE):
        return ()
    known = faces(state.setting.seats)
    swaps = tuple(
        PhoneWay(known[seat].name, {"do": "swap", "player": own, "with": seat}, known[seat], _open_cards(state, seat))
        for seat in with_sets(state)
        if seat != own
    )
    back = PhoneWay(_("Take your set back"), {"do": "take_back", "player": own})
    return (*swaps, back) if step == TRADE else swaps


def _open_cards(state: State, seat: str) -> tuple[LaidCard, ...]:
    return tuple(card_of(state, card) for card in shown_cards(state, seat))
