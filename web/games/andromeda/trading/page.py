"""The page of the trading phase: the request to the players, all cards on the table, and the buttons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import CREDIT_SUPPLY, KINDS, State
from companion.games.andromeda.trading import (
    answering,
    forbidden_cards,
    has_the_word,
    laying,
    most_cards,
    must_lay,
    size,
    trading_of,
)
from companion.kernel.said import said
from companion.model.countdown import NAMING, REVEAL
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.legality import taken
from web.components.players import Face, faces, listed
from web.components.possible_now import Possible
from web.games.andromeda.components.layout import bar
from web.games.andromeda.components.public_hand import judged, possible_line
from web.games.andromeda.trading.seats import (
    ANSWER,
    DECIDE,
    LAY,
    LaidCard,
    card_of,
    path_of,
    place,
    step_of,
    swapped,
    unnamed,
    waiting,
)
from web.http.i18n import _
from web.request.game_pages import Look, Scene

STARTER_LAYS = (
    said("%(name)s plays a first card"),
    said("%(name)s plays a second card"),
    said("%(name)s plays a third card"),
    said("%(name)s plays a fourth card"),
)
OTHERS_LAY = (
    said("Others play a first card"),
    said("Others play a second card"),
    said("Others play a third card"),
    said("Others play a fourth card"),
)
ONE_MORE = ("", "", said("Play a third card"), said("Play a fourth card"))
WHICH_ONE = ("", "", said("Which third card?"), said("Which fourth card?"))


@dataclass(frozen=True)
class CardChoice:
    """A card that could be laid, or the reason why not."""

    card: LaidCard
    line: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class ExcuseLine:
    """The line with which a seat sits out, or the reason why it can't."""

    line: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class TradingWay:
    """A button: it sends one line, or several at once.

    *short* is its text on narrow screens.
    """

    words: str
    short: str
    line: dict[str, Any] | None = None
    reason: str = ""
    lines: tuple[dict[str, Any], ...] = ()
    main: bool = False


def trading_scene(look: Look) -> Scene:
    """Return the page of the trading phase."""
    state: State = look.state
    known = faces(state.setting.seats)
    starter = known[state.starter]
    at = _("Last round") if state.last_round else _("Round %(num)s", num=state.round)  # the title says the phase
    heading = bar(state, _("Trading"), left_words=_("%(name)s plays first", name=starter.name), quiet=True)
    heading = replace(heading, where=at)
    if state.options.trade_record == "off":
        return Scene("andromeda/trading_off.html", {"starter": starter}, heading)
    step = step_of(look.snapshot)
    naming = naming_now(look.snapshot, step, look.query)
    missing = waiting(look.snapshot, step)
    more = {
        "step": step,
        "starter": starter,
        "places": tuple(place(look.snapshot, colour, step, naming) for colour in state.colours),
        "path": path_of(look.snapshot, starter, step),
        "missing": tuple(known[colour] for colour in missing),
        "banned": tuple(card_of(state, card) for card in forbidden_cards(state)) if laying(state) else (),
        "naming": known[naming] if naming else None,
        "choices": choices(look.snapshot, look.viewer, naming) if naming else (),
        "excuse": excuse(look.snapshot, look.viewer, naming) if naming in must_lay(state) else None,
        "more": "more" in look.query,
        "pick_which": _(WHICH_ONE[size(state)]) if naming and step == DECIDE else "",
        "pick_ask": _pick_ask(state, known, step, naming),
        "ways": ways(look.snapshot, look.viewer, known, step),
        "swapped": swapped(look.snapshot),
        "orbit": _orbit(state, known, missing) if step == ANSWER else (),
    }
    return Scene("andromeda/trading.html", more | question(look.snapshot, known, step), heading)


def _pick_ask(state: State, known: Mapping[str, Face], step: str, naming: str) -> str:
    """Return the heading of the cards to choose from."""
    if not naming:
        return ""
    if step == DECIDE:
        return _(ONE_MORE[size(state)])
    return _("Name %(name)s's card", name=known[naming].name)


def question(snapshot: Snapshot, known: Mapping[str, Face], step: str) -> dict[str, str]:
    """Return the request to the players, and a hint below it."""
    state: State = snapshot.state
    starter = known[state.starter].name
    word = "" if step in (ANSWER, REVEAL, NAMING) else known[has_the_word(state)[0]].name
    match step:
        case "lay":
            return _said(_(STARTER_LAYS[size(state)], name=starter), _("Face up, for all to see."))
        case "answer":
            return _said(_(OTHERS_LAY[size(state) - 1]), _still(known, waiting(snapshot, step)))
        case "reveal":
            return _said(_("Turn cards over"), _("Together, at zero."))
        case "name":
            return _said(_("Which card was it?"), _still(known, waiting(snapshot, step)))
        case "keep":
            return _said(_("%(name)s: keep or leave?", name=word))
        case "decide":
            if size(state) < most_cards(state):
                hint = _("%(name)s must swap, now or after one more card. Nobody may refuse.", name=word)
                return _said(_("%(name)s: swap, or another card?", name=word), hint)
            hint = _("%(name)s must swap the whole set. Nobody may refuse.", name=word)
            return _said(_("Who does %(name)s swap with?", name=word), hint)
        case "trade":
            return _said(_("%(name)s: swap, or take the set back?", name=word), _("The whole set. Nobody may refuse."))
        case _:
            raise AssertionError(f"no step of trading is called {step}")


def _said(ask: str, hint: str = "") -> dict[str, str]:
    return {"ask": ask, "hint": hint}


def _still(known: Mapping[str, Face], missing: tuple[str, ...]) -> str:
    return _("Still to come: %(names)s", names=listed(known[colour].name for colour in missing))


def _orbit(state: State, known: Mapping[str, Face], missing: tuple[str, ...]) -> tuple[tuple[Face, bool], ...]:
    """Return each player with whether they have answered the newest card, for tables without a clock."""
    return tuple((known[colour], colour not in missing) for colour in answering(state))


def naming_now(snapshot: Snapshot, step: str, query: Mapping[str, str]) -> str:
    """Return the seat whose card is being named: the tapped seat, or the next seat that must name its card."""
    state: State = snapshot.state
    missing = waiting(snapshot, step)
    if query.get("seat") in unnamed(snapshot, step):
        return query["seat"]
    if step == NAMING and missing:
        return missing[0]
    return state.starter if step == LAY or (step == DECIDE and size(state) < most_cards(state)) else ""


def choices(snapshot: Snapshot, viewer: Viewer, colour: str) -> tuple[CardChoice, ...]:
    """Return every card that the player *colour* could lay, with the reason if it isn't allowed.

    A kind of credit is left out if all its cards are in their pile. The last entry is a card without a name.
    """
    cards: tuple[str | None, ...] = (*PLANETS, *_out_of_the_pile(snapshot.state), None)
    lines = ((card, lay(colour, card)) for card in cards)
    return tuple(
        CardChoice(card_of(snapshot.state, card), line, judged(snapshot, viewer, line).reason) for card, line in lines
    )


def _out_of_the_pile(state: State) -> tuple[str, ...]:
    """Return the kinds of credit of which some hand has a card, since not all are in their pile."""
    return tuple(kind for kind, left in zip(KINDS, state.credits, strict=True) if left < CREDIT_SUPPLY[kind])


def excuse(snapshot: Snapshot, viewer: Viewer, colour: str) -> ExcuseLine:
    """Return how the player *colour* sits out."""
    line = {"do": "excuse", "player": colour}
    return ExcuseLine(line, judged(snapshot, viewer, line).reason)


def ways(snapshot: Snapshot, viewer: Viewer, known: Mapping[str, Face], step: str) -> tuple[TradingWay, ...]:
    """Return the buttons of the player who must act, except those for cards and partners."""
    state: State = snapshot.state
    starter = known[state.starter]
    match step:
        case "lay":
            words, line = _("%(name)s has played", name=starter.name), lay(starter.colour)
            return (TradingWay(words, words, line, judged(snapshot, viewer, line).reason),)
        case "name":
            lines = tuple(lay(colour) for colour in must_lay(state))
            possible = all(judged(snapshot, viewer, line).legal for line in lines)
            return (TradingWay(_("Don't name the rest"), _("Don't name the rest"), lines=lines),) if possible else ()
        case "keep":
            return _answers(trading_of(state).partner)
        case "trade":
            line = {"do": "take_back", "player": has_the_word(state)[0]}
            return (_way(_("Take your set back"), line),) if not taken(snapshot, line) else ()
        case "answer" | "reveal" | "decide":
            return ()
        case _:
            raise AssertionError(f"no step of trading is called {step}")


def lay(colour: str, card: str | None = None) -> dict[str, Any]:
    """Return the line with which the player *colour* lays *card*. None lays a card without naming it."""
    return {"do": "lay", "player": colour, "card": card}


def _way(words: str, line: dict[str, Any]) -> TradingWay:
    """Return a button with the same text on all screens."""
    return TradingWay(words, words, line)


def _answers(partner: str) -> tuple[TradingWay, ...]:
    return (
        TradingWay(_("Keep the new cards"), _("Keep"), {"do": "keep", "player": partner}, main=True),
        TradingWay(_("Leave them"), _("Leave"), {"do": "leave", "player": partner}),
    )


def possible_trades(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return the actions of *seat* in the trading phase."""
    state: State = look.state
    player = {"player": seat}
    if state.options.trade_record == "off":
        return (possible_line(look, {"do": "end_trading"}),)
    lays = [{"do": "lay", **player, "card": card} for card in (None, *PLANETS, *KINDS)]
    swaps = [{"do": "swap", **player, "with": other} for other in state.colours if other != seat]
    free = _("any card; the others must play different ones")
    bound = _("nothing the starting player has played")
    return (
        possible_line(look, *lays, how=free if seat == state.starter else bound),
        possible_line(look, *swaps),
        *(possible_line(look, {"do": do, **player}) for do in ("keep", "leave", "take_back", "excuse")),
    )
