"""The page of a turn: the board with places and goods to tap, and the panel with a row for each kind of action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import DIRECTIONS, LABELS, TECHNOLOGIES
from companion.games.hanse.flight import reachable
from companion.games.hanse.places import LABELS as PLANET_LABELS
from companion.games.hanse.places import PLANETS
from companion.games.hanse.state import (
    State,
    jumps_left,
    name_of,
    place_of,
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
from web.games.hanse.cards import InterventionCard, cards
from web.games.hanse.components.cargo import CargoBox, GoodsPile, boxes, piles
from web.games.hanse.components.layout import may_play
from web.games.hanse.components.space import space
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
class PlanetWay:
    """One action at the planet: its line, or why it is impossible."""

    line: dict[str, Any]
    words: str
    reason: str = ""
    pile: GoodsPile | None = None
    icon: str = ""


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
    """All actions of the player in turn. *reaches* says that the open flight can continue."""

    budget: tuple[BudgetLeft, ...]
    die: Die | None
    energy: int | None
    reaches: bool
    tunnel: dict[str, Any] | None
    jumps: tuple[PlanetWay, ...]
    at: str
    nothing: str
    unloads: tuple[PlanetWay, ...]
    loads: tuple[PlanetWay, ...]
    price: int
    buys: tuple[PlanetWay, ...]
    not_bought: str
    not_loaded: str
    not_unloaded: str
    cards: tuple[InterventionCard, ...]
    end: dict[str, Any]
    drawn: int

    @property
    def has(self) -> tuple[PlanetWay, ...]:
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
    heading = PlayBar(face.name, face=face, left_words=_energy(state))
    more = {"face": face, "turn": turn(look.snapshot, look.query), "space": space(look.snapshot, may_play(look))}
    return Scene("hanse/turn.html", more, heading)


def board_scene(look: Look) -> Scene:
    """Return the board without actions, in any phase."""
    heading = PlayBar(_("The board"), back=to())
    return Scene("hanse/turn.html", {"turn": None, "space": space(look.snapshot, taps=False)}, heading)


def turn(snapshot: Snapshot, query: Mapping[str, str]) -> TurnPage:
    """Return the actions of the player in turn, with the reason if one isn't possible."""
    state: State = snapshot.state
    now = turn_of(state)
    planet, nothing = works_at(state), _nothing(snapshot)
    label = "" if planet is None else PLANET_LABELS[planet]
    unloads, loads, buys = _unloads(snapshot, planet), _loads(snapshot, planet), _buys(snapshot, planet)
    return TurnPage(
        budget(state),
        _die(state, query) if now.flights else None,
        now.energy,
        bool(now.energy and reachable(state)),
        _tunnel(snapshot),
        _jumps(state),
        label,
        nothing,
        unloads,
        loads,
        now.price,
        buys,
        _against(buys, _dear(state, planet) or nothing),
        _against(loads, nothing, _("No goods are here.")),
        _against(unloads, nothing, _("Nothing for %(planet)s", planet=label)),
        cards(snapshot),
        {"do": "end_turn", "player": now.player},
        most_drawn(state, state.players[now.player]),
    )


def budget(state: State) -> tuple[BudgetLeft, ...]:
    """Return what is left of the turn."""
    now = turn_of(state)
    actions = ngettext("%(num)s planet action", "%(num)s planet actions", now.actions)
    flights = ngettext("%(num)s flight", "%(num)s flights", now.flights)
    cards = ngettext("%(num)s intervention", "%(num)s interventions", now.interventions)
    found = [
        _left(_("planet actions"), actions, 2, now.actions),
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


def _energy(state: State) -> str:
    """Return the energy left in a flight in words, or "" outside of one."""
    energy = turn_of(state).energy
    return "" if energy is None else ngettext("%(num)s energy", "%(num)s energy", energy)


def _die(state: State, query: Mapping[str, str]) -> Die:
    text = query.get("ones", "")
    ones = min(int(text), MOST_ONES) if text.isascii() and text.isdigit() and len(text) < 3 else 0
    roll = {"do": "roll", "player": turn_of(state).player}
    lines = tuple((pip, {**roll, "dice": [1] * ones + [pip]}) for pip in PIPS)
    return Die((1,) * ones, lines, to(ones=ones + 1), to(ones=ones - 1 or ""), roll)


def _tunnel(snapshot: Snapshot) -> dict[str, Any] | None:
    line = {"do": "tunnel", "player": turn_of(snapshot.state).player}
    return None if why_not(snapshot, line) else line


def _jumps(state: State) -> tuple[PlanetWay, ...]:
    words = {"inward": _("Jump to the innermost orbit"), "outward": _("Jump to the outermost orbit")}
    player, here = turn_of(state).player, place_of(state, turn_of(state).player)
    there = {"inward": "o1", "outward": "o6"}
    return tuple(
        PlanetWay({"do": "hyperjump", "player": player, "direction": each}, words[each], icon=DIRECTIONS[each])
        for each in jumps_left(state)
        if here != there[each]
    )


def _nothing(snapshot: Snapshot) -> str:
    """Return why no planet action is possible at all, or "" if one is possible."""
    state: State = snapshot.state
    planet = works_at(state) or PLANETS[0]
    other = PLANETS[1] if planet == PLANETS[0] else PLANETS[0]
    reason = why_not(snapshot, {"do": "load", "player": turn_of(state).player, "to": other})
    out = not turn_of(state).actions or works_at(state) is None
    return reason if out else ""


def _unloads(snapshot: Snapshot, planet: str | None) -> tuple[PlanetWay, ...]:
    state: State = snapshot.state
    colour = turn_of(state).player
    here = [box for box in boxes(state, colour) if box.pile is not None and box.pile.to == planet]
    return tuple(_unload(snapshot, colour, box) for box in here)


def _unload(snapshot: Snapshot, colour: str, box: CargoBox) -> PlanetWay:
    line = {"do": "unload", "player": colour, "container": box.number}
    return PlanetWay(line, _("Unload: +%(num)s", num=box.brings), why_not(snapshot, line), box.pile)


def _loads(snapshot: Snapshot, planet: str | None) -> tuple[PlanetWay, ...]:
    if planet is None:
        return ()
    state: State = snapshot.state
    found = []
    for pile in piles(state.at(planet)):
        line = {"do": "load", "player": turn_of(state).player, "to": pile.to}
        words = _("Load for %(planet)s", planet=pile.label)
        found.append(PlanetWay(line, words, why_not(snapshot, line), pile))
    return tuple(found)


def _buys(snapshot: Snapshot, planet: str | None) -> tuple[PlanetWay, ...]:
    state: State = snapshot.state
    colour = turn_of(state).player
    if planet is None:
        return ()
    lines = ({"do": "buy", "player": colour, "card": card} for card in TECHNOLOGIES)
    return tuple(
        PlanetWay(line, str(translated(LABELS[line["card"]])), why_not(snapshot, line), icon=line["card"])
        for line in lines
        if state.players[colour].may_hold(line["card"])
    )


def _against(ways: tuple[PlanetWay, ...], nothing: str, otherwise: str = "") -> str:
    """Return why none of *ways* is possible, or "" if one is. *nothing* is a reason against all of them."""
    if any(not way.reason for way in ways):
        return ""
    return nothing or (ways[0].reason if ways else otherwise)


def _dear(state: State, planet: str | None) -> str:
    """Return a sentence that says that the player can't afford any technology, or ""."""
    now = turn_of(state)
    has = state.players[now.player].megagalax
    name = name_of(state, now.player)
    words = _("A technology costs %(price)s. %(name)s has %(has)s.", price=now.price, name=name, has=has)
    return words if planet and has < now.price else ""
