"""The page of corrections: a player's numbers and dice, and on the ship researchers, teleporters and closed tiles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.games.wreck.changes import MOST
from companion.games.wreck.corrections import COUNTS, DICE_LEFT, ROOM_ACTION, corrected
from companion.games.wreck.rooms import LABORATORY, Cell, label_of
from companion.games.wreck.state import (
    PLACE,
    SPECIES,
    SUPPLY,
    Phase,
    State,
    closed_cells,
    closed_rooms,
    standing_at,
    teleporters_in,
)
from companion.kernel.fields import Line
from web.components.addresses import number, to
from web.components.bar import PlayBar
from web.components.corrections import CorrectionPage
from web.components.legality import open_to_all
from web.games.wreck.components.ship import TileTap, ship
from web.games.wreck.play.choices import Choice, technology_name
from web.http.i18n import _, translated
from web.request.game_pages import Elsewhere, Look, Scene

RESEARCHERS, TELEPORTER = "researchers", "teleporter"


@dataclass(frozen=True)
class Holding:
    """What a player has that can be moved: the place of each number, and the line that moves some to another place."""

    kind: str
    places: tuple[str, ...]
    count: Callable[[str], int]
    line: Callable[[str, str, int], Line]


def correction_scene(look: Look) -> Scene | Elsewhere:
    """Return the page of corrections for one player."""
    state: State = look.state
    if state.phase is Phase.SETUP:
        return Elsewhere()
    return PAGE.scene(look, state.turn or state.starter, PlayBar(_("Change the board"), back=to()))


def _board(look: Look, seat: str) -> Scene:
    """Return the section about the ship: the first tap chooses what is moved, the second where it goes."""
    state: State = look.state
    cell = next((each for each in closed_cells(state) if f"{each[0]},{each[1]}" == look.query.get("cell")), None)
    if cell is not None:
        return Scene("wreck/places.html", {"alone": True, "rooms": _rooms(state, cell)})
    holding = _holding(state, seat, look.query.get("what", RESEARCHERS))
    kinds = ((RESEARCHERS, _("Researchers")), (TELEPORTER, _("Teleporters")))
    facts = {
        "kinds": tuple((words, _here(seat, kind), kind == holding.kind) for kind, words in kinds),
        "begin": _here(seat, holding.kind),
        "technologies": _technologies(state),
    }
    return Scene("wreck/places.html", facts | _moving(look, seat, holding))


def _moving(look: Look, seat: str, holding: Holding) -> dict[str, Any]:
    """Return the ship and the places next to it, with what is chosen to be moved."""
    state: State = look.state
    source = look.query.get("from", "")
    there = holding.count(source) if source in holding.places else 0
    most = there if holding.kind == RESEARCHERS else min(there, 1)
    source = source if most else ""
    count = min(number(look.query, "count", 1, MOST) or 1, most)
    taps = {place: _tap(state, seat, holding, source, place, count) for place in holding.places}
    rooms = {room: tap for room, tap in taps.items() if tap and room in state.researchers}
    cells = {} if source else {each: _over(seat, each) for each in closed_cells(state)}
    return {
        "source": _name(state, seat, source) if source else "",
        "count": count,
        "there": most,
        "fewer": _here(seat, holding.kind, **{"from": source}, count=count - 1) if count > 1 else "",
        "further": _here(seat, holding.kind, **{"from": source}, count=count + 1) if count < most else "",
        "ship": ship(state, rooms, cells, {source: "from"}),
        "beside": tuple(
            (_name(state, seat, place), holding.count(place), taps[place], place == source)
            for place in holding.places
            if place not in state.researchers
        ),
    }


def _here(seat: str, kind: str, **query: object) -> str:
    return to("correct", seat=seat, what=kind, **query)


PAGE = CorrectionPage("wreck/table.html", (_board, COUNTS, DICE_LEFT, ROOM_ACTION), open_to_all)


def _holding(state: State, seat: str, kind: str) -> Holding:
    rooms = tuple(state.researchers)
    if kind == TELEPORTER:

        def pads(place: str) -> int:
            return state.players[seat].teleporters if place == SUPPLY else teleporters_in(state, seat, place)

        def pad(source: str, target: str, count: int) -> Line:
            return corrected(state, {"what": TELEPORTER, "colour": seat, "from": source, "to": target})

        return Holding(kind, (SUPPLY, *(room for room in rooms if room != LABORATORY)), pads, pad)

    def moved(source: str, target: str, count: int) -> Line:
        ends = {"from": source, "to": target, "count": count}
        return corrected(state, {"what": RESEARCHERS, "colour": seat, **ends})

    own = (PLACE,) if state.setting.species_of(seat).place else ()
    return Holding(RESEARCHERS, (SUPPLY, SPECIES, *own, *rooms), lambda place: standing_at(state, seat, place), moved)


def _tap(state: State, seat: str, holding: Holding, source: str, place: str, count: int) -> TileTap | None:
    """Return what a tap on *place* does: it puts what was chosen there, or chooses what is there."""
    name = _name(state, seat, place)
    if source == place:
        return TileTap(_("Clear"), _here(seat, holding.kind))
    if source:
        return TileTap(_("Move to %(place)s", place=name), line=holding.line(source, place, count))
    if not holding.count(place):
        return None
    return TileTap(_("Take from %(place)s", place=name), _here(seat, holding.kind, **{"from": place}))


def _name(state: State, seat: str, place: str) -> str:
    if place in state.researchers:
        return str(translated(label_of(place)))
    own = state.setting.species_of(seat).place
    names = {SUPPLY: _("Supply"), SPECIES: _("Species card"), PLACE: own.name if own and own.name else _("Own place")}
    return names[place]


def _over(seat: str, cell: Cell) -> TileTap:
    return TileTap(_("Turn over"), to("correct", seat=seat, cell=f"{cell[0]},{cell[1]}"))


def _rooms(state: State, cell: Cell) -> tuple[Choice, ...]:
    """Return the rooms that the tile at *cell* may show."""
    return tuple(
        Choice(
            str(translated(label_of(room))),
            "",
            corrected(state, {"what": "explore", "cell": list(cell), "room": room}),
            picture=room,
        )
        for room in closed_rooms(state)
    )


def _technologies(state: State) -> tuple[tuple[str, bool, Line], ...]:
    """Return each technology, whether it is used, and the line that turns that round."""
    return tuple(
        (
            technology_name(state, each.id),
            each.id in state.used,
            corrected(state, {"what": "used", "id": each.id, "used": each.id not in state.used}),
        )
        for each in state.setting.technologies
    )
