"""The actions of a turn in their fixed order: the cost of each, or the reason why it is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.actions import cost_of_next, most_exchanged
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import KINDS, LARGEST_SET, LEAST_SET, Phase, State
from companion.kernel.said import said
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.games.andromeda.components.public_hand import credits_seen, judged
from web.http.i18n import _, ngettext

ACTIONS = ("exchange", "move", "establish", "technology", "ship")
NAMES = {
    "exchange": said("Exchange cards"),
    "move": said("Move stations"),
    "establish": said("Establish a centre"),
    "technology": said("Technology"),
    "ship": said("Bigger ship"),
    "transport": said("Transport"),
}


@dataclass(frozen=True)
class Number:
    """A number of cards to exchange: one tap sends *line*. *label* is its name, or the reason why it is impossible."""

    cards: int
    line: dict[str, Any]
    label: str


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


def deeds(snapshot: Snapshot, viewer: Viewer) -> tuple[Deed, ...]:
    """Return all actions in a fixed order. Whether they are possible is shown only as far as *viewer* may know it."""
    state: State = snapshot.state
    names = (*ACTIONS, "transport") if state.options.transport_as_action else ACTIONS
    return tuple(_deed(snapshot, viewer, name) for name in names)


def _deed(snapshot: Snapshot, viewer: Viewer, name: str) -> Deed:
    reason = reason_against(snapshot, viewer, name)
    at_once = _exchanges(snapshot, viewer) if name == "exchange" else ()
    return Deed(name, NAMES[name], cost_in_words(snapshot.state, name), to(f"act/{name}"), reason, at_once)


def _exchanges(snapshot: Snapshot, viewer: Viewer) -> tuple[Number, ...]:
    """Return a button for each number of cards that may be exchanged now."""
    return tuple(
        Number(cards, line, ngettext("%(num)s card", "%(num)s cards", cards))
        for cards, line in exchange_lines(snapshot.state).items()
        if not judged(snapshot, viewer, line).reason
    )


def exchange_lines(state: State) -> dict[int, dict[str, Any]]:
    """Return the line for each number of cards that the rules ever allow."""
    return {cards: {"do": "exchange", "player": state.turn, "cards": cards} for cards in (1, 2, 3)}


def cost_in_words(state: State, name: str) -> str:
    """Return what the action *name* costs, in a few words."""
    if name == "exchange":
        few = most_exchanged(state, state.turn) == 2
        return _("1 or 2 cards for new ones") if few else _("1 to 3 cards for new ones")
    if name in ("technology", "ship"):
        return _cost(state, cost_of_next(state, state.turn, name))
    sizes = {"least": LEAST_SET, "most": LARGEST_SET}
    return {
        "move": _("%(least)s to %(most)s cards, from Earth", **sizes),
        "establish": _("%(least)s to %(most)s cards, then draw", **sizes),
        "transport": _("2 stations out, or all of one planet home"),
    }[name]


def _cost(state: State, cost: int | None) -> str:
    if not cost:
        return ""
    at_least = state.options.allow_overpay
    return (
        _("At least %(cost)s of one planet", cost=cost) if at_least else _("Exactly %(cost)s of one planet", cost=cost)
    )


def reason_against(snapshot: Snapshot, viewer: Viewer, name: str) -> str:
    """Return why no form of the action *name* is possible, as far as *viewer* may know, or "" if one is possible."""
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
        return ngettext(
            "%(num)s card in hand: needs %(cost)s", "%(num)s cards in hand: needs %(cost)s", held, cost=cost
        )
    return reason


def _cards_of(state: State, name: str) -> int:
    """Return the number of cards in the cheapest set for an action, or 0 if it needs no set."""
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


def in_actions(state: State) -> bool:
    """Tell whether a player has actions to take now."""
    return state.phase is Phase.ACTIONS and state.attempt is None
