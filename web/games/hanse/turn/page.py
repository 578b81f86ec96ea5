"""The page of a turn: the board with places to tap, the die, planet actions, interventions, and the actions left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import DIRECTIONS, LABELS, TECHNOLOGIES
from companion.games.hanse.hand import possible
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
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import faces
from web.games.hanse.components.cargo import CargoBox, GoodsPile, boxes, piles
from web.games.hanse.components.layout import bar, may_play
from web.games.hanse.components.space import space
from web.games.hanse.turn.cards import InterventionCard, cards
from web.http.i18n import _, ngettext, translated
from web.request.game_pages import Look, Scene

PIPS = range(2, 7)
MOST_ONES = 6


@dataclass(frozen=True)
class BudgetLeft:
    """One kind of action in a turn: its name, and how many are used and left."""

    icon: str
    label: str
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
    """All actions of the player in turn."""

    budget: tuple[BudgetLeft, ...]
    die: Die | None
    energy: int | None
    tunnel: dict[str, Any] | None
    jumps: tuple[PlanetWay, ...]
    at: str
    nothing: str
    unloads: tuple[PlanetWay, ...]
    loads: tuple[PlanetWay, ...]
    price: int
    buys: tuple[PlanetWay, ...]
    dear: str
    cards: tuple[InterventionCard, ...]
    end: dict[str, Any]
    drawn: int


def turn_scene(look: Look) -> Scene:
    """Return the board with all actions of the player in turn."""
    state: State = look.state
    face = faces(state.setting.seats)[turn_of(state).player]
    heading = bar(state, _title(look.viewer, face.colour, face.name), face=face)
    more = {"face": face, "turn": turn(look.snapshot, look.query), "space": space(look.snapshot, may_play(look))}
    return Scene("hanse/turn.html", more, heading)


def board_scene(look: Look) -> Scene:
    """Return the board without actions, in any phase."""
    heading = bar(look.state, _("The board"), back=to())
    return Scene("hanse/turn.html", {"turn": None, "space": space(look.snapshot, taps=False)}, heading)


def turn(snapshot: Snapshot, query: Mapping[str, str]) -> TurnPage:
    """Return the actions of the player in turn, with the reason if one isn't possible."""
    state: State = snapshot.state
    now = turn_of(state)
    planet = works_at(state)
    return TurnPage(
        budget(state),
        _die(state, query) if now.flights else None,
        now.energy,
        _tunnel(snapshot),
        _jumps(state),
        "" if planet is None else PLANET_LABELS[planet],
        _nothing(snapshot),
        _unloads(snapshot, planet),
        _loads(snapshot, planet),
        now.price,
        _buys(snapshot, planet),
        _dear(snapshot, planet),
        cards(snapshot),
        {"do": "end_turn", "player": now.player},
        most_drawn(state, state.players[now.player]),
    )


def budget(state: State) -> tuple[BudgetLeft, ...]:
    """Return what is left of the turn. While the last flight is open, flights are not listed."""
    now = turn_of(state)
    flights = _left("flight", ngettext("%(num)s flight", "%(num)s flights", now.flights), 1, now.flights)
    found = [
        _left("planet", ngettext("%(num)s planet action", "%(num)s planet actions", now.actions), 2, now.actions),
        *([flights] if now.flights or now.energy is None else []),
        _left(
            "card", ngettext("%(num)s intervention", "%(num)s interventions", now.interventions), 2, now.interventions
        ),
    ]
    owned = state.players[now.player].technology("space_station")
    if owned:
        found.append(
            _left("space_station", _("%(num)s from orbit", num=stations_left(state)), owned, stations_left(state))
        )
    if now.tunnels:
        found.append(_left("sun_tunnel", _("%(num)s through the sun", num=now.tunnels), now.tunnels, now.tunnels))
    return tuple(found)


def _left(icon: str, label: str, usual: int, left: int) -> BudgetLeft:
    return BudgetLeft(icon, label, max(0, usual - left), left)


def _title(viewer: Viewer, colour: str, name: str) -> str:
    if viewer.seat is None:
        return name
    return _("Your turn, %(name)s", name=name) if viewer.seat == colour else _("%(name)s's turn", name=name)


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
        if possible(state.players[colour], line["card"])
    )


def _dear(snapshot: Snapshot, planet: str | None) -> str:
    """Return why no technology can be bought, if the same reason applies to all of them, else ""."""
    state: State = snapshot.state
    now = turn_of(state)
    has = state.players[now.player].megagalax
    name = name_of(state, now.player)
    words = _("A technology costs %(price)s. %(name)s has %(has)s.", price=now.price, name=name, has=has)
    return words if planet and has < now.price else ""
