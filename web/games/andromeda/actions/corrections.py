"""The page of corrections: a player's numbers and credits, and stations that can be moved between places."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.andromeda.board import CENTRES, PLANETS, Planet
from companion.games.andromeda.corrections import COUNTS, CREDITS
from companion.games.andromeda.state import Phase, State, centres_of
from companion.kernel.fields import Line
from companion.model.corrections import correction
from web.components.addresses import number, to
from web.components.corrections import CorrectionPage
from web.components.players import Face, faces
from web.games.andromeda.components.layout import bar
from web.games.andromeda.components.public_hand import judged
from web.http.i18n import _, translated
from web.request.game_pages import Elsewhere, Look, Scene

MOST_MOVED = 26


@dataclass(frozen=True)
class StationPlace:
    """A place with stations: the URL to *take* some, and the line to *put* some there or the reason against it."""

    id: str
    label: str
    planet: Planet | None
    slot: int | None
    count: int
    owner: Face | None
    value: int
    take: str
    put: Line | None
    reason: str
    source: bool


def correction_scene(look: Look) -> Scene | Elsewhere:
    """Return the page of corrections for one player."""
    state: State = look.state
    if state.phase is Phase.SETUP:
        return Elsewhere()
    return PAGE.scene(look, state.turn or state.starter, bar(state, _("Change the board"), back=to()))


def _stations(look: Look, seat: str) -> Scene:
    """Return the section about the stations of *seat*.

    The first tap chooses the place to move from, the second the place to move to.
    """
    board, source = look.state.setting.board, look.query.get("from", "")
    count = number(look.query, "count", 1, MOST_MOVED) or 1
    places = _places(look, seat, source, count)
    chosen = next((place for place in places if place.source), None)

    def counted(other: int, possible: bool) -> str:
        return to("correct", seat=seat, **{"from": source}, count=other) if chosen and possible else ""

    facts = {
        "source": chosen,
        "count": count,
        "fewer": counted(count - 1, count > 1),
        "further": counted(count + 1, chosen is not None and count < chosen.count),
        "earth": places[0],
        "worlds": tuple((board.planet(p), tuple(_of(places, p))) for p in PLANETS),
    }
    return Scene("andromeda/places.html", facts)


PAGE = CorrectionPage(
    "andromeda/table.html", (_stations, COUNTS, CREDITS), judged, styles=("andromeda/places.css", "andromeda/board.css")
)


def _places(look: Look, seat: str, source: str, count: int) -> tuple[StationPlace, ...]:
    state: State = look.state
    spots: list[tuple[str, str, Planet | None, int | None]] = [("earth", _("Earth"), None, None)]
    for planet in state.setting.board.planets:
        spots.append((planet.id, planet.label, planet, None))
        spots.extend(
            (f"{planet.id}/{slot}", f"{translated(planet.label)}, {planet.centres[slot]}", planet, slot)
            for slot in range(CENTRES)
        )
    return tuple(_place(look, seat, source, count, *spot) for spot in spots)


def _place(
    look: Look,
    seat: str,
    source: str,
    count: int,
    id: str,
    label: str,
    planet: Planet | None,
    slot: int | None,
) -> StationPlace:
    state: State = look.state
    owner = centres_of(state, planet.id)[slot] if planet and slot is not None else None
    held = _held(state, seat, planet, slot)
    line = correction(seat, ("move",), {"from": source, "to": id, "count": count})
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
        reason=judged(look.snapshot, look.viewer, line).reason if putting else "",
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
