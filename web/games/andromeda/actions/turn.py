"""The board during a turn: the actions, with the reason if one is impossible, and the last draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.games.andromeda.actions import cost_of_next, most_exchanged
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import KINDS, LARGEST_SET, LEAST_SET, Phase, State, full_planets, label_of
from companion.games.andromeda.tellings import TELLINGS
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.games.andromeda.components.board import holdings, picture, points
from web.games.andromeda.components.last_move import AT_THE_RING, last_move
from web.games.andromeda.components.layout import bar, score_bar
from web.games.andromeda.components.public_hand import credits_seen, judged
from web.http.i18n import _, lazy, ngettext
from web.request.game_pages import Look, Scene

ACTIONS = ("exchange", "move", "establish", "technology", "ship")
NAMES = {
    "exchange": lazy("Exchange cards"),
    "move": lazy("Move stations"),
    "establish": lazy("Establish a centre"),
    "technology": lazy("Technology"),
    "ship": lazy("Bigger ship"),
    "transport": lazy("Transport"),
}
DRAWS_SHOWN = 3


@dataclass(frozen=True)
class Number:
    """A number of cards to exchange: one tap sends *line*.

    If only the hand can decide, the rules check it at *address*.
    """

    cards: int
    line: dict[str, Any]
    label: str
    address: str = ""


@dataclass(frozen=True)
class Deed:
    """One action: its cost, or the reason why it is impossible.

    *at_once* lists buttons for an action that needs only a number.
    """

    name: str
    words: str
    small: str
    address: str
    reason: str
    at_once: tuple[Number, ...] = ()


@dataclass(frozen=True)
class Tried:
    """One of the last attempts: the drawn stations in order, and the value of the centre it took (0 for none)."""

    face: Face
    place: str
    drawn: tuple[str, ...]
    took: int
    open: bool


def turn_scene(look: Look) -> Scene:
    """Return the board with the actions of the player in turn."""
    state: State = look.state
    face = faces(state.setting.seats)[state.turn]
    starts = state.turn == state.starter
    all_actions = max(state.actions_left, 3 if starts else 2)
    heading = bar(
        state,
        face.name,
        face=face,
        used=all_actions - state.actions_left,
        left=state.actions_left,
        left_words=ngettext("%(num)s action left", "%(num)s actions left", state.actions_left),
        full=full_planets(state),
    )
    more = {
        "deeds": deeds(look.snapshot, look.viewer),
        "face": face,
        "end_turn": {"do": "end_turn", "player": state.turn},
    }
    return Scene("andromeda/board.html", _board(look.snapshot) | more, heading)


def board_scene(look: Look) -> Scene:
    """Return the board without actions, in any phase."""
    state: State = look.state
    heading = bar(state, _("The board"), back=to(), full=full_planets(state))
    scores = tuple(replace(one, now=False) for one in score_bar(look.snapshot))
    still = {"scores": scores, "points": points(state), "deeds": ()}
    return Scene("andromeda/board.html", _board(look.snapshot) | still, heading)


def _board(snapshot: Snapshot) -> dict[str, Any]:
    state: State = snapshot.state
    board = {"picture": picture(snapshot), "holdings": holdings(state), "draws": last_draws(state)}
    return board | _moved(snapshot)


def _moved(snapshot: Snapshot) -> dict[str, Any]:
    """Return the last move in words, and its player.

    Both are empty for an attempt, since its draws are shown instead.
    """
    last = last_move(snapshot)
    if last is None or snapshot.header is None or last.line.get("do") in AT_THE_RING:
        return {"moved": "", "moved_face": None}
    known = faces(snapshot.state.setting.seats)
    return {
        "moved": TELLINGS.sentence(last.line, snapshot.header),
        "moved_face": known.get(str(last.line.get("player"))),
    }


def deeds(snapshot: Snapshot, viewer: Viewer) -> tuple[Deed, ...]:
    """Return all actions in a fixed order. Whether they are possible is shown only as far as *viewer* may know it."""
    state: State = snapshot.state
    names = (*ACTIONS, "transport") if state.options.transport_as_action else ACTIONS
    return tuple(_deed(snapshot, viewer, name) for name in names)


def _deed(snapshot: Snapshot, viewer: Viewer, name: str) -> Deed:
    reason = reason_against(snapshot, viewer, name)
    at_once = _exchanges(snapshot, viewer) if name == "exchange" else ()
    return Deed(name, NAMES[name], _small(snapshot.state, name), to(f"act/{name}"), reason, at_once)


def _exchanges(snapshot: Snapshot, viewer: Viewer) -> tuple[Number, ...]:
    """Return a button for each number of cards that may be exchanged now."""
    return tuple(
        Number(cards, line, ngettext("%(num)s card", "%(num)s cards", cards), "" if known.legal else exchange_of(cards))
        for cards, line in exchange_lines(snapshot.state).items()
        if not (known := judged(snapshot, viewer, line)).reason
    )


def exchange_lines(state: State) -> dict[int, dict[str, Any]]:
    """Return the line for each number of cards that the rules ever allow."""
    return {cards: {"do": "exchange", "player": state.turn, "cards": cards} for cards in (1, 2, 3)}


def exchange_of(cards: int) -> str:
    """Return the URL at which the rules check whether *cards* cards can be exchanged."""
    return to("act/exchange", cards=cards)


def _small(state: State, name: str) -> str:
    if name == "exchange":
        few = most_exchanged(state, state.turn) == 2
        return _("1 or 2 cards for new ones") if few else _("1 to 3 cards for new ones")
    if name in ("technology", "ship"):
        return _cost(state, cost_of_next(state, state.turn, name))
    sizes = {"least": LEAST_SET, "most": LARGEST_SET}
    return {
        "move": _("Set of %(least)s to %(most)s, from Earth", **sizes),
        "establish": _("Set of %(least)s to %(most)s, then draw", **sizes),
        "transport": _("Two out, or one planet home"),
    }[name]


def _cost(state: State, cost: int | None) -> str:
    if not cost:
        return ""
    at_least = state.options.allow_overpay
    return (
        _("At least %(cost)s of one planet", cost=cost) if at_least else _("Exactly %(cost)s of one planet", cost=cost)
    )


def reason_against(snapshot: Snapshot, viewer: Viewer, name: str) -> str:
    """Return why the action *name* isn't possible in any form, as far as *viewer* may know it, or ""."""
    state: State = snapshot.state
    first = ""
    for line in _cheapest(state, viewer, name):
        reason = judged(snapshot, viewer, line).reason
        if not reason:
            return ""
        first = first or reason
    return _shortened(state, name, first)


def _shortened(state: State, name: str, reason: str) -> str:
    """Return a shorter reason if the rules' sentence is only about one of the seven planets."""
    if name == "establish" and not any(state.players[state.turn].planets):
        return _("No station on any planet")
    if name in ("technology", "ship") and cost_of_next(state, state.turn, name) is None:
        return _("Already the biggest") if name == "ship" else _("Already the highest")
    held, cost = state.players[state.turn].hand, _cards_of(state, name)
    if held < cost:
        return ngettext("Only %(num)s card, not %(cost)s", "Only %(num)s cards, not %(cost)s", held, cost=cost)
    return reason


def _cards_of(state: State, name: str) -> int:
    """Return the number of cards in the cheapest set for an action; 0 if it needs no set."""
    if name in ("move", "establish"):
        return LEAST_SET
    return (cost_of_next(state, state.turn, name) or 0) if name in ("technology", "ship") else 0


def _cheapest(state: State, viewer: Viewer, name: str) -> Iterator[dict[str, Any]]:
    """Yield the cheapest lines of an action for each place where it might be legal. Lines without jokers come first."""
    player = {"do": name, "player": state.turn}
    if name == "exchange":
        yield player | {"cards": 1}
    elif name == "transport":
        yield from (player | {"move": move, "planet": at} for move in ("to_planet", "to_earth") for at in PLANETS)
    else:
        planets = PLANETS if name == "establish" else PLANETS[:1]
        more = {"stations": 0} if name == "move" else {}
        cost = _cards_of(state, name) or LEAST_SET
        seen = [kind for kind in KINDS for _ in range(credits_seen(state, viewer, state.turn, kind))]
        for jokers in range(min(len(seen), cost - 1) + 1):
            cards = {"cards": cost - jokers} | ({"jokers": seen[:jokers]} if jokers else {})
            yield from (player | {"planet": planet} | cards | more for planet in planets)


def last_draws(state: State) -> tuple[Tried, ...]:
    """Return the last attempts, newest first."""
    known = faces(state.setting.seats)
    newest = (*state.tried, *((state.attempt,) if state.attempt else ()))[: -DRAWS_SHOWN - 1 : -1]
    return tuple(
        Tried(known[one.player], label_of(state, one.planet), one.drawn, one.took, one is state.attempt)
        for one in newest
    )


def in_actions(state: State) -> bool:
    """Tell whether a player has actions to take now."""
    return state.phase is Phase.ACTIONS and state.attempt is None
