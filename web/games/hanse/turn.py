"""The page of a turn: the board with places and goods to tap, and the panel with a row for each kind of action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import DIRECTIONS, LABELS, TECHNOLOGIES
from companion.games.hanse.flight import reachable
from companion.games.hanse.places import LABELS as PLANET_LABELS
from companion.games.hanse.places import PLANETS
from companion.games.hanse.rules import TELLINGS
from companion.games.hanse.state import (
    Phase,
    State,
    stations_left,
    turn_of,
    works_at,
)
from companion.games.hanse.turns import most_drawn
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.components.possible_now import Possible, possible_now
from web.games.hanse.components.cargo import boxes, piles
from web.games.hanse.components.layout import actions_left
from web.games.hanse.components.space import flights, loadings, space
from web.games.hanse.interventions import InterventionCard, Way, cards, way
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene

PIPS = range(2, 7)
MOST_ONES = 6


@dataclass(frozen=True)
class BudgetLeft:
    """One kind of action in a turn: its name, what is left of it in words, and how many are used and left."""

    label: str
    words: str
    used: int
    left: int


@dataclass(frozen=True)
class Die:
    """The die: the number of 1s rolled so far, a line for each final result, and URLs for one more 1 and one fewer."""

    ones: tuple[int, ...]
    lines: tuple[tuple[int, dict[str, Any]], ...]
    another: str
    back: str
    roll: dict[str, Any]


@dataclass(frozen=True)
class TurnPage:
    """All actions of the player in turn. *reaches*: whether the open flight can continue."""

    budget: tuple[BudgetLeft, ...]
    die: Die | None
    energy: int | None
    reaches: bool
    jumps: tuple[Way, ...]
    tunnels: tuple[Way, ...]
    nothing: str
    unloads: tuple[Way, ...]
    loads: tuple[Way, ...]
    price: int
    buys: tuple[Way, ...]
    not_bought: str
    not_loaded: str
    not_unloaded: str
    cards: tuple[InterventionCard, ...]
    end: dict[str, Any]
    drawn: int

    @property
    def has(self) -> tuple[Way, ...]:
        """The goods that can be loaded."""
        return tuple(way for way in self.loads if not way.reason)

    @property
    def not_played(self) -> str:
        """Why no intervention can be played, or "" if one can."""
        reasons = [card.reason for card in self.cards]
        return "" if "" in reasons else reasons[0]

    @property
    def main(self) -> str:
        """The likely next step, whose button is filled."""
        if self.reaches:
            return "fly"
        if self.unloads and not self.not_unloaded:
            return "unload"
        if self.die is not None:
            return "fly"
        return "load" if self.has else "end"


def turn_scene(look: Look) -> Scene:
    """Return the board with all actions of the player in turn."""
    state: State = look.state
    face = faces(state.setting.seats)[turn_of(state).player]
    words, used, left = actions_left(state)
    heading = PlayBar(face.name, face=face, used=used, left=left, left_words=words)
    board = space(look.snapshot, flights(state), loadings(look.snapshot))
    more = {"face": face, "turn": turn(look.snapshot, look.query), "space": board}
    return Scene("hanse/turn.html", more, heading)


def board_scene(look: Look) -> Scene:
    """Return the board without actions, in any phase."""
    heading = PlayBar(_("The board"), back=to())
    return Scene("hanse/turn.html", {"turn": None, "space": space(look.snapshot)}, heading)


def turn(snapshot: Snapshot, query: Mapping[str, str]) -> TurnPage:
    """Return the actions of the player in turn, with the reason if one isn't possible."""
    state: State = snapshot.state
    now = turn_of(state)
    planet, nothing = works_at(state), _nothing(snapshot)
    unloads, loads, buys = ((), (), ()) if planet is None else _at_the_planet(snapshot, planet)
    none_here = _("Nothing for %(planet)s", planet=PLANET_LABELS.get(planet or "", ""))
    through = way(snapshot, "tunnel", _("Through the sun: 1 energy"), {}, icon="sun_tunnel")
    return TurnPage(
        budget=budget(state),
        die=_die(state, query) if now.flights else None,
        energy=now.energy,
        reaches=bool(now.energy and reachable(state)),
        jumps=_jumps(snapshot),
        tunnels=() if through.reason else (through,),
        nothing=nothing,
        unloads=unloads,
        loads=loads,
        price=now.price,
        buys=buys,
        not_bought=_against(buys, _dear(state, planet) or nothing),
        not_loaded=_against(loads, nothing, _("No goods are here.")),
        not_unloaded=_against(unloads, nothing, none_here),
        cards=cards(snapshot),
        end={"do": "end_turn", "player": now.player},
        drawn=most_drawn(state, state.players[now.player]),
    )


def budget(state: State) -> tuple[BudgetLeft, ...]:
    """Return what is left of the turn, besides the planet actions in the bar."""
    now = turn_of(state)
    flights = ngettext("%(num)s flight", "%(num)s flights", now.flights)
    cards = ngettext("%(num)s intervention", "%(num)s interventions", now.interventions)
    found = [
        _left(_("flight"), flights, 1, now.flights),
        _left(_("interventions"), cards, 2, now.interventions),
    ]
    owned, left = state.players[now.player].technology("space_station"), stations_left(state)
    if owned:
        found.append(_left(_("from orbit"), _("%(num)s from orbit", num=left), owned, left))
    if now.tunnels:
        words = _("%(num)s through the sun", num=now.tunnels)
        found.append(_left(_("through the sun"), words, now.tunnels, now.tunnels))
    return tuple(found)


def _left(label: str, words: str, usual: int, left: int) -> BudgetLeft:
    return BudgetLeft(label, words, max(0, usual - left), left)


def _die(state: State, query: Mapping[str, str]) -> Die:
    text = query.get("ones", "")
    ones = min(int(text), MOST_ONES) if text.isascii() and text.isdigit() and len(text) < 3 else 0
    roll = {"do": "roll", "player": turn_of(state).player}
    lines = tuple((pip, {**roll, "dice": [1] * ones + [pip]}) for pip in PIPS)
    return Die((1,) * ones, lines, to(ones=ones + 1), to(ones=ones - 1 or ""), roll)


def _jumps(snapshot: Snapshot) -> tuple[Way, ...]:
    words = {"inward": _("Jump to the innermost orbit"), "outward": _("Jump to the outermost orbit")}
    ways = (
        way(snapshot, "hyperjump", words[each], {"direction": each}, icon=card) for each, card in DIRECTIONS.items()
    )
    return tuple(each for each in ways if not each.reason)


def _nothing(snapshot: Snapshot) -> str:
    """Return why no planet action is possible at all, or "" if one is possible."""
    state: State = snapshot.state
    planet = works_at(state) or PLANETS[0]
    other = PLANETS[1] if planet == PLANETS[0] else PLANETS[0]
    reason = why_not(snapshot, {"do": "load", "player": turn_of(state).player, "to": other})
    out = not turn_of(state).actions or works_at(state) is None
    return reason if out else ""


def _at_the_planet(snapshot: Snapshot, planet: str) -> tuple[tuple[Way, ...], ...]:
    """Return the ways to unload, to load and to buy at *planet*."""
    state: State = snapshot.state
    player = turn_of(state).player
    unloads = (
        way(snapshot, "unload", _("Unload: +%(num)s", num=box.brings), {"container": box.number}, pile=box.pile)
        for box in boxes(state, player)
        if box.pile is not None and box.pile.to == planet
    )
    loads = (
        way(snapshot, "load", _("Load for %(planet)s", planet=pile.label), {"to": pile.to}, pile=pile)
        for pile in piles(state.at(planet))
    )
    buys = (
        way(snapshot, "buy", str(translated(LABELS[card])), {"card": card}, icon=card)
        for card in TECHNOLOGIES
        if state.players[player].may_hold(card)
    )
    return tuple(unloads), tuple(loads), tuple(buys)


def _against(ways: tuple[Way, ...], nothing: str, otherwise: str = "") -> str:
    """Return why none of *ways* is possible, or "" if one is. *nothing* is a reason against all of them."""
    if any(not way.reason for way in ways):
        return ""
    return nothing or (ways[0].reason if ways else otherwise)


def _dear(state: State, planet: str | None) -> str:
    """Return a sentence that says that the player can't afford any technology, or ""."""
    now = turn_of(state)
    words = _("A technology costs %(num)s Megagalax.", num=now.price)
    return words if planet and state.players[now.player].megagalax < now.price else ""


def possible(look: Look) -> Mapping[str, Any]:
    """Return the actions of the viewer's seat, or of both players."""
    more = possible_now(look, lambda seat: _things(look.snapshot))
    waiting = _meanwhile(look.snapshot) if any(one.waits for one in more["whose"]) else ()
    return more | {"meanwhile": waiting}


def _meanwhile(snapshot: Snapshot) -> tuple[Possible, ...]:
    """Return what the waiting player may still do during the opponent's turn."""
    state: State = snapshot.state
    if state.phase is not Phase.TURN or state.turn is None:
        return ()
    name = faces(state.setting.seats)[state.turn.player].name
    reason = _("when %(name)s plays one: discard the same, and nothing happens", name=name)
    return (Possible(_("Answer a card"), reason=reason),)


FIRST = {
    Phase.GOODS: "goods",
    Phase.CHOICE: "choose",
    Phase.PLANET: "start",
    Phase.FLIP: "flip",
    Phase.ANSWER: "allow",
}
"""The kind of line that is expected in each phase other than a turn."""


def _things(snapshot: Snapshot) -> tuple[Possible, ...]:
    phase = snapshot.state.phase
    if phase is Phase.TURN:
        return _in_turn(turn(snapshot, {}))
    return (_thing(FIRST[phase]),) if phase in FIRST else ()


def _thing(do: str, how: str = "", reason: str = "", icon: str = "") -> Possible:
    """Return the action of lines with this *do*, worded as in the tellings, or with the *reason* against it."""
    row = TELLINGS.lines[do]
    return Possible(translated(row.possible), how or translated(row.how), reason=reason, icon=icon)


def _in_turn(now: TurnPage) -> tuple[Possible, ...]:
    return (
        *(Possible(way.words, _("before all else"), icon="hx-flight") for way in now.jumps),
        _flight(now),
        *_actions(now),
        Possible(_("Play an intervention"), now.budget[1].words, to("card"), now.not_played, "hx-card"),
        _thing("end_turn", ngettext("then draw %(num)s card", "then draw %(num)s cards", now.drawn), icon="tick"),
    )


def _flight(now: TurnPage) -> Possible:
    if now.energy is not None:
        return Possible(
            _("Fly on"), ngettext("%(num)s energy left", "%(num)s energy left", now.energy), icon="hx-flight"
        )
    reason = "" if now.die else _("No flight is left.")
    return _thing("roll", reason=reason, icon="hx-flight")


def _actions(now: TurnPage) -> tuple[Possible, ...]:
    if now.nothing:
        return (Possible(_("Load, unload or buy"), reason=now.nothing, icon="hx-planet"),)
    unloads = tuple(
        Possible(way.words, way.pile.label if way.pile else "", reason=way.reason, icon="hx-unload")
        for way in now.unloads
    )
    groups = ngettext("%(num)s group of goods is here", "%(num)s groups of goods are here", len(now.has))
    load = Possible(_("Load"), groups, reason=now.not_loaded, icon="hx-load")
    bought = _thing("buy", _("for %(price)s Megagalax", price=now.price), now.not_bought, "hx-technology")
    return (*unloads, load, bought)
