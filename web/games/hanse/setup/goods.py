"""Setting the goods out: five cards for each planet, one tap a card; the fifth tap saves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.goods import AT_A_PLANET, VALUES, Side
from companion.games.hanse.parser import side_line
from companion.games.hanse.places import LABELS, PLANETS
from companion.games.hanse.state import State
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.games.hanse.components.cargo import LETTERS
from web.games.hanse.components.layout import bar, surroundings
from web.http.i18n import _, ngettext
from web.request.game_pages import Scene


@dataclass(frozen=True)
class Tap:
    """A side of a card that may be tapped: the *address* with it, or the *line* that it completes."""

    side: Side
    letter: str
    address: str = ""
    line: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Row:
    """The two values of one destination; the planet itself has none: its cards are flipped."""

    id: str
    label: str
    letter: str
    taps: tuple[Tap, ...]


@dataclass(frozen=True)
class Stop:
    """One of the six planets, and how many of its cards are out."""

    id: str
    label: str
    cards: int
    address: str
    here: bool


def sides_in(text: str, planet: str) -> tuple[Side, ...]:
    """Return the sides that an address names (`p22,p13`), what is none or shows *planet* left out."""
    found = [
        Side(each[:2], int(each[2:])) for each in text.split(",") if each[:2] in PLANETS and each[2:] in ("2", "3")
    ]
    return tuple(side for side in found if side.to != planet)


def written(sides: tuple[Side, ...]) -> str:
    """Return *sides* as an address names them."""
    return ",".join(f"{side.to}{side.value}" for side in sides)


def goods_scene(snapshot: Snapshot, viewer: Viewer, query: Mapping[str, str], may_act: bool) -> Scene:
    """Return the page for the planet that is asked for, or the next that has no goods yet."""
    state: State = snapshot.state
    waiting = [planet for planet in PLANETS if not state.at(planet)]
    planet = query.get("planet", "") if query.get("planet", "") in waiting else waiting[0]
    chosen = sides_in(query.get("cards", ""), planet)[: AT_A_PLANET - 1]
    done = len(PLANETS) - len(waiting)
    words = ngettext("%(num)s planet to go", "%(num)s planets to go", len(waiting))
    heading = bar(state, _("Set out the goods"), used=len(waiting), left=done, left_words=words)
    more = {
        "still": bool(chosen),
        "planet": planet,
        "label": LABELS[planet],
        "chosen": tuple((side, LETTERS[side.to], _without(planet, chosen, at)) for at, side in enumerate(chosen)),
        "missing": AT_A_PLANET - len(chosen),
        "rows": tuple(_row(planet, each, chosen) for each in PLANETS),
        "stops": tuple(
            Stop(each, LABELS[each], len(state.at(each)), to(planet=each), each == planet) for each in PLANETS
        ),
        "may_set": may_act and viewer.seat is None,
    }
    around = surroundings(snapshot, viewer, heading, may_act)
    return Scene("hanse/goods.html", around | more | {"may_play": around["may_play"] and viewer.seat is None})


def _row(planet: str, destination: str, chosen: tuple[Side, ...]) -> Row:
    taps = () if destination == planet else tuple(_tap(planet, Side(destination, value), chosen) for value in VALUES)
    return Row(destination, LABELS[destination], LETTERS[destination], taps)


def _tap(planet: str, side: Side, chosen: tuple[Side, ...]) -> Tap:
    sides = (*chosen, side)
    if len(sides) < AT_A_PLANET:
        return Tap(side, LETTERS[side.to], to(planet=planet, cards=written(sides)))
    line = {"do": "goods", "planet": planet, "cards": [side_line(each) for each in sides]}
    return Tap(side, LETTERS[side.to], line=line)


def _without(planet: str, chosen: tuple[Side, ...], at: int) -> str:
    return to(planet=planet, cards=written((*chosen[:at], *chosen[at + 1 :])))
