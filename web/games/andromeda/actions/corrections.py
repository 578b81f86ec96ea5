"""Putting right by hand what the companion has wrong: any count, track or place, in a few taps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import CENTRES, PLANETS, Planet
from companion.games.andromeda.state import (
    CREDIT_SUPPLY,
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    TOP_LEVEL,
    Phase,
    State,
    centres_of,
)
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to
from web.components.legality import taken
from web.components.players import Face, faces
from web.games.andromeda.components.layout import bar
from web.games.andromeda.components.public_hand import judged
from web.http.i18n import _, lazy, translated
from web.request.game_pages import Elsewhere, Look, Scene

REASON = "put right by hand"
MOST_MOVED = 26
PRINTED = {"ship": HAND_LIMIT, "technology": TECHNOLOGY_POINTS}  # what the board says at each level of its tracks
AMOUNTS = {
    "ship": (lazy("Ship"), lazy("hand limit"), 1, TOP_LEVEL),
    "technology": (lazy("Technology"), lazy("points"), 1, TOP_LEVEL),
    "transport": (lazy("Transport cards"), "", 0, 2),
    "hand": (lazy("Cards in hand"), "", 0, 99),
}


@dataclass(frozen=True)
class CorrectionDial:
    """A number with one more and one less; a line is None where the number ends.

    Where only the hand itself can tell, an address asks the rules, and *reason* is what they said.
    """

    label: str
    unit: str
    value: int
    less: dict[str, Any] | None
    more: dict[str, Any] | None
    asks_less: str = ""
    asks_more: str = ""
    reason: str = ""


@dataclass(frozen=True)
class StationPlace:
    """Somewhere stations can stand: to take from (*take*) or to put to (*put*), with the reason why not."""

    id: str
    label: str
    planet: Planet | None
    slot: int | None
    count: int
    owner: Face | None
    value: int
    take: str
    put: dict[str, Any] | None
    reason: str
    source: bool


@dataclass(frozen=True)
class Purse:
    """A kind of credit, and how many of it are held: a line for each, the reason against it, or where to ask."""

    kind: str
    address: str
    chosen: bool
    lines: tuple[tuple[int, dict[str, Any], str, str], ...]


def mend_scene(look: Look) -> Scene | Elsewhere:
    """Return the page of corrections for one player."""
    look = look.of_the_table
    state: State = look.state
    if state.phase is Phase.SETUP:
        return Elsewhere()
    seat = look.query.get("seat", "")
    seat = seat if seat in state.colours else state.turn or state.starter
    known = faces(state.setting.seats)
    source, count = look.query.get("from", ""), number(look.query, "count", 1, MOST_MOVED) or 1
    places = _places(look.snapshot, look.viewer, seat, source, count)
    chosen = next((place for place in places if place.source), None)
    more = {
        "face": known[seat],
        "seats": tuple((known[colour], to("correct", seat=colour), colour == seat) for colour in state.colours),
        "dials": tuple(_dial(look.snapshot, look.viewer, seat, name, look.query) for name in AMOUNTS),
        "source": chosen,
        "count": count,
        "fewer": to("correct", seat=seat, **{"from": source}, count=count - 1) if chosen and count > 1 else "",
        "further": to("correct", seat=seat, **{"from": source}, count=count + 1)
        if chosen and count < chosen.count
        else "",
        "earth": places[0],
        "worlds": tuple((state.setting.board.planet(p), tuple(_of(places, p))) for p in PLANETS),
        "purses": tuple(_purse(look.snapshot, look.viewer, seat, kind, look.query) for kind in KINDS),
        "start_over": to("correct", seat=seat),
    }
    heading = bar(state, _("Change the board"), back=to())
    return Scene("andromeda/corrections.html", more, heading)


def _line(seat: str, **what: Any) -> dict[str, Any]:
    return {"do": "correct", "player": seat, "reason": REASON, **what}


def _dial(snapshot: Snapshot, viewer: Viewer, seat: str, name: str, query: Mapping[str, str]) -> CorrectionDial:
    state: State = snapshot.state
    label, unit, least, greatest = AMOUNTS[name]
    value: int = getattr(state.players[seat], name)
    less = _changed(snapshot, viewer, seat, name, value - 1, query) if value > least else _NOTHING
    more = _changed(snapshot, viewer, seat, name, value + 1, query) if value < greatest else _NOTHING
    shown = PRINTED[name][value] if name in PRINTED else value
    return CorrectionDial(
        label, unit, shown, less.line, more.line, less.address, more.address, less.reason or more.reason
    )


@dataclass(frozen=True)
class _Change:
    """A line that will be done, or the *address* where the rules are asked about it, or the *reason* they gave."""

    line: dict[str, Any] | None = None
    address: str = ""
    reason: str = ""


_NOTHING = _Change()


def _changed(snapshot: Snapshot, viewer: Viewer, seat: str, name: str, value: int, query: Mapping[str, str]) -> _Change:
    line = _line(seat, **{name: value})
    known = judged(snapshot, viewer, line)
    if known.sure:
        return _NOTHING if known.reason else _Change(line)
    if query.get(name) != str(value):
        return _Change(address=to("correct", seat=seat, **{name: value}))
    reason = taken(snapshot, line)
    return _Change(None if reason else line, reason=reason)


def _purse(snapshot: Snapshot, viewer: Viewer, seat: str, kind: str, query: Mapping[str, str]) -> Purse:
    chosen = query.get("kind", "") == kind
    counts = range(CREDIT_SUPPLY[kind] + 1) if chosen else ()
    lines = tuple(_count(snapshot, viewer, seat, kind, count, query) for count in counts)
    return Purse(kind, to("correct", seat=seat, kind=kind) + "#credits", chosen, lines)


def _count(
    snapshot: Snapshot, viewer: Viewer, seat: str, kind: str, count: int, query: Mapping[str, str]
) -> tuple[int, dict[str, Any], str, str]:
    line = _line(seat, bonus={kind: count})
    known = judged(snapshot, viewer, line)
    if known.sure:
        return count, line, known.reason, ""
    if query.get("count") == str(count):
        return count, line, taken(snapshot, line), ""
    return count, line, "", to("correct", seat=seat, kind=kind, count=count) + "#credits"


def _places(snapshot: Snapshot, viewer: Viewer, seat: str, source: str, count: int) -> tuple[StationPlace, ...]:
    state: State = snapshot.state
    spots: list[tuple[str, str, Planet | None, int | None]] = [("earth", _("Earth"), None, None)]
    for planet in state.setting.board.planets:
        spots.append((planet.id, planet.label, planet, None))
        spots.extend(
            (f"{planet.id}/{slot}", f"{translated(planet.label)}, {planet.centres[slot]}", planet, slot)
            for slot in range(CENTRES)
        )
    return tuple(_place(snapshot, viewer, seat, source, count, *spot) for spot in spots)


def _place(
    snapshot: Snapshot,
    viewer: Viewer,
    seat: str,
    source: str,
    count: int,
    id: str,
    label: str,
    planet: Planet | None,
    slot: int | None,
) -> StationPlace:
    state: State = snapshot.state
    owner = centres_of(state, planet.id)[slot] if planet and slot is not None else None
    held = _held(state, seat, planet, slot)
    line = _line(seat, move={"from": source, "to": id, "count": count})
    putting = bool(source) and source != id
    return StationPlace(
        id,
        label,
        planet,
        slot,
        held,
        faces(state.setting.seats)[owner] if owner else None,
        planet.centres[slot] if planet and slot is not None else 0,
        take="" if source or not held else to("correct", seat=seat, **{"from": id}),
        put=line if putting else None,
        reason=judged(snapshot, viewer, line).reason if putting else "",
        source=bool(source) and source == id and held > 0,
    )


def _held(state: State, seat: str, planet: Planet | None, slot: int | None) -> int:
    if planet is None:
        return state.players[seat].earth
    if slot is None:
        return state.players[seat].on(planet.id)
    return int(centres_of(state, planet.id)[slot] == seat)


def _of(places: tuple[StationPlace, ...], planet: str) -> list[StationPlace]:
    return [place for place in places if place.planet and place.planet.id == planet]
