"""The page of corrections: numbers and cards of a player, the ship on the map, and goods card by card."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hanse.corrections import COUNTS, DISCARDS
from companion.games.hanse.goods import VALUES, Cargo, Goods
from companion.games.hanse.places import GAPS, LABELS, ORBITS, PLANETS
from companion.games.hanse.state import State
from companion.kernel.fields import Line
from companion.model.corrections import correction
from companion.model.parser import object_of
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.corrections import CorrectionPage
from web.components.legality import open_to_all, why_not
from web.games.hanse.components.space import space
from web.http.i18n import _
from web.request.game_pages import Elsewhere, Look, NotNow, Scene


@dataclass(frozen=True)
class GoodsLot:
    """The goods of a planet or a container. *chosen* says that they are being corrected."""

    label: str
    address: str
    chosen: bool
    count: int


@dataclass(frozen=True)
class CardTap:
    """A card that a tap takes away, or one that it adds: the line, or the reason why not."""

    card: Goods
    label: str
    line: Line
    reason: str = ""


def correction_scene(look: Look) -> Scene | Elsewhere | NotNow:
    """Return the page of corrections, or a page that says why nothing can be corrected now."""
    state: State = look.state
    if state.turn is None:
        return Elsewhere()
    mover = state.turn.player
    if reason := why_not(look.snapshot, correction(mover, ("place",), state.players[mover].place)):
        return NotNow(reason)
    return PAGE.scene(look, mover, PlayBar(_("Change the board"), back=to()))


def _goods(look: Look, seat: str) -> Scene:
    """Return the section about the ship and the goods, with all planets and containers.

    The chosen one has its cards and those that can be added.
    """
    state, where = look.state, look.query.get("at", "")
    cargo = _cargo(state, seat, where)
    places = (place for place in (*PLANETS, *ORBITS, *GAPS) if place != state.players[seat].place)
    facts = {
        "space": space(look.snapshot, {place: correction(seat, ("place",), place) for place in places}),
        "lots": _lots(state, seat, where),
        "taken": () if cargo is None else _taken(seat, where, cargo),
        "added": () if cargo is None else _added(look.snapshot, seat, where, cargo),
        "alone": cargo is not None,
    }
    return Scene("hanse/lots.html", facts)


PAGE = CorrectionPage("hanse/table.html", (COUNTS, DISCARDS, _goods), open_to_all, ("hanse/space.css",))


def _lots(state: State, seat: str, where: str) -> tuple[GoodsLot, ...]:
    planets = ((planet, LABELS[planet], state.at(planet)) for planet in PLANETS)
    boxes = enumerate(state.players[seat].containers)
    held = ((str(number), _("Container %(num)s", num=number + 1), cargo) for number, cargo in boxes)
    return tuple(
        GoodsLot(label, to("correct", seat=seat, at=at), at == where, len(cargo))
        for at, label, cargo in (*planets, *held)
    )


def _cargo(state: State, seat: str, where: str) -> Cargo | None:
    if where in PLANETS:
        return state.at(where)
    containers = state.players[seat].containers
    return containers[int(where)] if where in {str(number) for number in range(len(containers))} else None


def _lying(seat: str, where: str, cargo: Cargo) -> Line:
    """Return the correction that sets the goods of a place to *cargo*."""
    rows = [object_of(card) for card in cargo]
    if where in PLANETS:
        return correction(seat, ("goods", where), rows)
    return correction(seat, ("container",), {"index": int(where), "cards": rows})


def _taken(seat: str, where: str, cargo: Cargo) -> tuple[CardTap, ...]:
    return tuple(
        CardTap(card, LABELS[card.to], _lying(seat, where, cargo[:at] + cargo[at + 1 :]))
        for at, card in enumerate(cargo)
    )


def _added(snapshot: Snapshot, seat: str, where: str, cargo: Cargo) -> tuple[CardTap, ...]:
    cards = (Goods(planet, value) for planet in PLANETS for value in VALUES)
    lines = ((card, _lying(seat, where, (*cargo, card))) for card in cards)
    return tuple(CardTap(card, LABELS[card.to], line, why_not(snapshot, line)) for card, line in lines)
