"""Trading step by step: who lays, what lies open, what is not allowed, who swaps with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game import Viewer
from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.state import KINDS, State
from companion.games.andromeda.trading import forbidden_cards
from companion.games.andromeda.trading_table import (
    ENOUGH_TO_SWAP,
    MOST_CARDS_ADVANCED,
    has_the_word,
    laying,
    most_cards,
    must_lay,
    shown_cards,
    size,
    trading_of,
    with_sets,
)
from companion.sight import Sight
from web.gamepages import Scene
from web.games.andromeda.addresses import to
from web.games.andromeda.around import bar, surroundings, why_not
from web.games.andromeda.faces import Face, faces, listed
from web.games.andromeda.public_hand import with_public_hands

ORDINALS = ("", "first", "second", "third", "fourth")


@dataclass(frozen=True)
class Card:
    """A card as it lies: a planet, a credit's kind, or neither when nobody named it; face down it shows nothing."""

    planet: Planet | None = None
    kind: str = ""
    down: bool = False

    @property
    def word(self) -> str:
        """What is written below the picture."""
        return "laid" if self.down else self.planet.label if self.planet else self.kind or "not named"


@dataclass(frozen=True)
class Place:
    """One seat at the trading table; *waits* when its next card is still missing."""

    face: Face
    cards: tuple[Card, ...]
    words: str
    now: bool
    out: bool
    waits: bool
    laid: bool
    lay: dict[str, Any]
    name_it: str
    excuse: dict[str, Any]
    excuse_reason: str


@dataclass(frozen=True)
class Choice:
    """One card that could be laid, with the reason when it may not be."""

    card: Card
    line: dict[str, Any]
    reason: str


@dataclass(frozen=True)
class Way:
    """One thing the player who has the word can do besides laying."""

    line: dict[str, Any]
    words: str
    face: Face | None = None
    main: bool = False


@dataclass(frozen=True)
class Step:
    """One step of the path on top: done, now or later."""

    words: str
    state: str


def trading_scene(sight: Sight, viewer: Viewer, query: Mapping[str, str], may_act: bool) -> Scene:
    """Return the page of the trading phase."""
    state: State = sight.state
    known = faces(state.setting.seats)
    starter = known[state.starter]
    heading = bar(state, "Trading", left_words=f"{starter.name} leads", quiet=True)
    around = surroundings(sight, viewer, heading, may_act)
    if state.options.trade_record == "off":
        return Scene("andromeda/trading_off.html", around | {"starter": starter})
    naming = _naming(state, query)
    more = {
        "starter": starter,
        "places": tuple(_place(sight, colour, naming) for colour in state.colours),
        "path": _path(state, starter),
        "missing": tuple(known[colour] for colour in must_lay(state)),
        "all_laid": [_lay(colour, None) for colour in must_lay(state)],
        "banned": tuple(_card(state, card) for card in forbidden_cards(state)) if laying(state) else (),
        "naming": known[naming] if naming else None,
        "choices": _choices(sight, naming) if naming else (),
        "ways": _ways(state, known),
        "orbit": _orbit(state, known),
        "sets_grow": laying(state) and size(state) < most_cards(state),
    }
    return Scene("andromeda/trading.html", around | more | _question(state, known, naming))


def _naming(state: State, query: Mapping[str, str]) -> str:
    """Return whose card is being named: the one asked for, or the starting player whose lay it is."""
    missing = must_lay(state)
    if query.get("seat") in missing:
        return query["seat"]
    starter_lays = laying(state) and not missing and size(state) < most_cards(state)
    return state.starter if starter_lays and (size(state) < ENOUGH_TO_SWAP or "more" in query) else ""


def _question(state: State, known: Mapping[str, Face], naming: str) -> dict[str, str]:
    """Return what the page asks, and a word below it."""
    word = [known[colour] for colour in has_the_word(state)]
    partner = trading_of(state).partner
    if partner:
        return {
            "ask": f"{word[0].name}: keep or leave?",
            "hint": "Take the new cards into hand, or trade on with them.",
        }
    if missing := must_lay(state):
        number = ORDINALS[size(state)]
        if naming:
            return {"ask": f"What does {known[naming].name} lay?", "hint": "It stays face down until all have laid."}
        return {
            "ask": f"Others lay a {number} card",
            "hint": f"Still to come: {listed(known[c].name for c in missing)}",
        }
    if naming:
        return {"ask": f"{word[0].name} lays a {ORDINALS[size(state) + 1]} card", "hint": "Open, for all to see."}
    if laying(state):
        return {"ask": f"{word[0].name} swaps with", "hint": "The whole set, and nobody may refuse."}
    return {"ask": f"{word[0].name} swaps with", "hint": "Or takes the set back."}


def _orbit(state: State, known: Mapping[str, Face]) -> tuple[tuple[Face, bool], ...]:
    """Return who has answered the newest card, for the circle on the left."""
    if not laying(state) or not trading_of(state).sets:
        return ()
    missing, excused = must_lay(state), trading_of(state).excused
    return tuple((known[c], c not in missing) for c in state.colours if c != state.starter and c not in excused)


def _lay(colour: str, card: str | None) -> dict[str, Any]:
    return {"do": "lay", "player": colour, "card": card}


def _card(state: State, card: str | None) -> Card:
    if card in PLANETS:
        return Card(planet=state.setting.board.planet(str(card)))
    return Card(kind=card or "")


def _place(sight: Sight, colour: str, naming: str) -> Place:
    state: State = sight.state
    trading = trading_of(state)
    shown = tuple(_card(state, card) for card in shown_cards(state, colour))
    hidden = len(trading.sets.get(colour, ())) - len(shown)
    waits = colour in must_lay(state) or (colour == naming == state.starter)
    excuse = {"do": "excuse", "player": colour}
    return Place(
        face=faces(state.setting.seats)[colour],
        cards=(*shown, *(Card(down=True),) * hidden),
        words=_state_words(state, colour, hidden > 0),
        now=colour in has_the_word(state),
        out=colour in trading.excused or (not laying(state) and colour not in with_sets(state)),
        waits=waits,
        laid=hidden > 0,
        lay=_lay(colour, None),
        name_it=to(seat=colour),
        excuse=excuse,
        excuse_reason=_excuse_reason(sight, excuse) if waits else "",
    )


def _excuse_reason(sight: Sight, line: dict[str, Any]) -> str:
    """Judge by what everybody knows: a credit that is hidden must not show in a button that rests."""
    return why_not(sight, line, with_public_hands(sight.state))


def _state_words(state: State, colour: str, face_down: bool) -> str:
    trading = trading_of(state)
    if colour in trading.excused:
        return "sits out"
    if trading.partner == colour:
        return "keep or leave?"
    if not laying(state):
        return "on the table" if colour in with_sets(state) else "has traded"
    if colour == state.starter:
        return "lays open"
    if colour in must_lay(state):
        return "is choosing"
    return "has laid" if face_down or trading.sets.get(colour) else "waits"


def _choices(sight: Sight, colour: str) -> tuple[Choice, ...]:
    state: State = sight.state
    public = with_public_hands(state, may_hold=KINDS * MOST_CARDS_ADVANCED, besides=True)
    return tuple(
        Choice(_card(state, card), _lay(colour, card), why_not(sight, _lay(colour, card), public))
        for card in (*PLANETS, *KINDS)
    )


def _ways(state: State, known: Mapping[str, Face]) -> tuple[Way, ...]:
    trading = trading_of(state)
    if trading.partner:
        face = known[trading.partner]
        return (
            Way({"do": "keep", "player": face.colour}, "Keep the new cards", main=True),
            Way({"do": "leave", "player": face.colour}, "Leave them on the table"),
        )
    if must_lay(state) or (laying(state) and size(state) < ENOUGH_TO_SWAP):
        return ()
    trader = has_the_word(state)[0]
    swaps = tuple(
        Way({"do": "swap", "player": trader, "with": partner}, f"Swap with {known[partner].name}", known[partner])
        for partner in with_sets(state)
        if partner != trader
    )
    if laying(state):
        return swaps
    return (*swaps, Way({"do": "take_back", "player": trader}, "Take the set back", main=True))


def _path(state: State, starter: Face) -> tuple[Step, ...]:
    """Return the steps of the phase: two cards always, a third and a fourth once they are laid."""
    laid = size(state)
    open_ = max(laid, ENOUGH_TO_SWAP)
    steps = []
    for card in range(1, open_ + 1):
        again = ("", "", " again", ", third", ", fourth")[card]
        steps.append(f"{starter.name}{again or ' lays'}")
        steps.append(f"Others{again or ' lay'}")
    steps.append("Third card or swap" if open_ == ENOUGH_TO_SWAP else "Swap")
    now = _now(state, laid, len(steps))
    return tuple(Step(words, "done" if at < now else "now" if at == now else "later") for at, words in enumerate(steps))


def _now(state: State, laid: int, steps: int) -> int:
    if not laying(state):
        return steps - 1
    if must_lay(state):
        return 2 * laid - 1
    return min(2 * laid, steps - 1)
