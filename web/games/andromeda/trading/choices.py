"""What can be tapped in a trading phase besides seats: the card that is laid, and what else the step offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import CREDIT_SUPPLY, KINDS, State
from companion.games.andromeda.trading_view import (
    MOST_CARDS_ADVANCED,
    has_the_word,
    most_cards,
    must_lay,
    size,
    trading_of,
)
from companion.model.countdown import NAMING
from companion.model.snapshot import Snapshot
from web.components.legality import why_not
from web.components.players import Face
from web.games.andromeda.components.public_hand import with_public_hands
from web.games.andromeda.trading.seats import Card, card_of, waiting
from web.games.andromeda.trading.step import DECIDE, LAY
from web.http.i18n import _


@dataclass(frozen=True)
class Choice:
    """One card that could be laid, with the reason when it may not be."""

    card: Card
    line: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class Excuse:
    """The line by which a seat sits out, with the reason when it may not."""

    line: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class Way:
    """One thing to tap: a line, or several at once; *short* is for a narrow glass."""

    words: str
    short: str
    line: dict[str, Any] | None = None
    lines: tuple[dict[str, Any], ...] = ()
    main: bool = False


def naming_now(snapshot: Snapshot, step: str, query: Mapping[str, str]) -> str:
    """Return whose card is being said: the seat that was tapped, else the one whose turn it is to be asked."""
    state: State = snapshot.state
    missing = waiting(snapshot, step)
    if query.get("seat") in missing:
        return query["seat"]
    if step == NAMING and missing:
        return missing[0]
    return state.starter if step == LAY or (step == DECIDE and size(state) < most_cards(state)) else ""


def choices(snapshot: Snapshot, colour: str) -> tuple[Choice, ...]:
    """Return every card that *colour* could lay, those with a reason against them in their place.

    A kind of credit whose pile is whole is in nobody's hand: it is left out.
    """
    state: State = snapshot.state
    public = with_public_hands(state, may_hold=KINDS * MOST_CARDS_ADVANCED, besides=True)
    return tuple(
        Choice(card_of(state, card), lay(colour, card), why_not(snapshot, lay(colour, card), public))
        for card in (*PLANETS, *_out_of_the_pile(state))
    )


def _out_of_the_pile(state: State) -> tuple[str, ...]:
    """Return the kinds of credit that some hand holds, as the piles on the table show everybody."""
    return tuple(kind for kind, left in zip(KINDS, state.credits, strict=True) if left < CREDIT_SUPPLY[kind])


def excuse(snapshot: Snapshot, colour: str) -> Excuse:
    """Judge by what everybody knows: a credit that is hidden must not show in a button that rests."""
    line = {"do": "excuse", "player": colour}
    return Excuse(line, why_not(snapshot, line, with_public_hands(snapshot.state)))


def ways(snapshot: Snapshot, known: Mapping[str, Face], step: str) -> tuple[Way, ...]:
    """Return what whoever has the word can do besides tapping a card or a partner."""
    state: State = snapshot.state
    starter = known[state.starter]
    match step:
        case "lay":
            return (_way(_("%(name)s has played", name=starter.name), lay(starter.colour)),)
        case "name":
            unnamed = tuple(lay(colour) for colour in must_lay(state))
            return (Way(_("Don't name the rest"), _("Don't name the rest"), lines=unnamed),)
        case "keep":
            return _answers(trading_of(state).partner)
        case "trade":
            line = {"do": "take_back", "player": has_the_word(state)[0]}
            return (_way(_("Take your set back"), line),)
        case _:
            return ()


def lay(colour: str, card: str | None = None) -> dict[str, Any]:
    """Return the line by which *colour* lays a card, one without a name if none is said."""
    return {"do": "lay", "player": colour, "card": card}


def _way(words: str, line: dict[str, Any]) -> Way:
    """Return a way that has one name on every glass."""
    return Way(words, words, line)


def _answers(partner: str) -> tuple[Way, ...]:
    return (
        Way(_("Keep the new cards"), _("Keep"), {"do": "keep", "player": partner}, main=True),
        Way(_("Leave them"), _("Leave"), {"do": "leave", "player": partner}),
    )
