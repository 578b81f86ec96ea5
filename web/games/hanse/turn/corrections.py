"""Putting right what the table sees differently: counts by one, ships, goods and containers card by card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.hanse.cards import CARDS, HAND_LIMIT, LABELS, TECHNOLOGIES
from companion.games.hanse.commands import goods_line
from companion.games.hanse.goods import GOAL, VALUES, CardSide, Cargo, Goods
from companion.games.hanse.places import GAPS, ORBITS, PLANETS, label_of
from companion.games.hanse.places import LABELS as PLANET_LABELS
from companion.games.hanse.state import State
from companion.model.snapshot import Snapshot, Status
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import faces
from web.games.hanse.components.cargo import LETTERS
from web.games.hanse.components.layout import bar
from web.http.i18n import _, translated
from web.request.game_pages import Elsewhere, Look, NotNow, Scene

REASON = "put right by hand"
STRIDE = 5

Line = dict[str, Any]


@dataclass(frozen=True)
class Dial:
    """A count with what puts it lower and higher, None where that cannot be."""

    label: str
    value: int
    less: Line | None
    more: Line | None
    far_less: Line | None = None
    far_more: Line | None = None


@dataclass(frozen=True)
class Spot:
    """A place where the ship may be put."""

    label: str
    line: Line
    here: bool


@dataclass(frozen=True)
class GoodsLot:
    """Goods that lie together, at a planet or in a container, one of which is being put right."""

    label: str
    address: str
    chosen: bool
    count: int


@dataclass(frozen=True)
class TakenCard:
    """A card that lies there, and the line that takes it away."""

    card: Goods
    letter: str
    label: str
    line: Line


@dataclass(frozen=True)
class Added:
    """A side that may be put there, or why not."""

    side: CardSide
    letter: str
    label: str
    line: Line
    reason: str


def mend_scene(look: Look) -> Scene | Elsewhere | NotNow:
    """Return the page of corrections for the player that is asked for, or why nothing can be corrected now."""
    look = look.of_the_table
    state: State = look.state
    if state.turn is None:
        return Elsewhere()
    mover = state.turn.player
    if reason := why_not(look.snapshot, _correct(mover, place=state.players[mover].place)):
        return NotNow(reason)
    known = faces(state.setting.seats)
    seat = look.query.get("seat", "") if look.query.get("seat", "") in known else state.turn.player
    where = look.query.get("at", "")
    cargo = _cargo(state, seat, where)
    more = {
        "may_play": look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED),
        "face": known[seat],
        "tabs": tuple((face, to("correct", seat=face.colour, at=where)) for face in known.values()),
        "dials": _dials(look.snapshot, seat),
        "discards": _discards(look.snapshot, seat),
        "lying": state.players[seat].discards,
        "lanes": tuple(_lane(state, seat, at) for at in range(len(PLANETS))),
        "lots": _lots(state, seat, where),
        "taken": () if cargo is None else _taken(seat, where, cargo),
        "added": () if cargo is None else _added(look.snapshot, seat, where, cargo),
        "open": cargo is not None,
        "shut": to("correct", seat=seat),
    }
    return Scene("hanse/correct.html", more, bar(state, _("Change the board"), back=to()))


def _correct(seat: str, **what: Any) -> Line:
    return {"do": "correct", "player": seat, "reason": REASON, **what}


def _dials(snapshot: Snapshot, seat: str) -> tuple[Dial, ...]:
    player = snapshot.state.players[seat]
    found = [_amount(snapshot, seat, "megagalax", _("Megagalax"), player.megagalax, GOAL, STRIDE)]
    found.append(_amount(snapshot, seat, "hand", _("Cards in hand"), player.hand, HAND_LIMIT))
    return (*found, *_named(snapshot, seat, "technologies", {name: player.technology(name) for name in TECHNOLOGIES}))


def _discards(snapshot: Snapshot, seat: str) -> tuple[Dial, ...]:
    """Return the discards that are known by name, and those that could be among the others."""
    known = snapshot.state.players[seat].known
    dials = _named(snapshot, seat, "discards", {name: known.get(name, 0) for name in CARDS})
    return tuple(dial for dial in dials if dial.value or dial.more)


def _named(snapshot: Snapshot, seat: str, of: str, counts: Mapping[str, int]) -> tuple[Dial, ...]:
    """Return a dial for each card of *counts*, as far as it can be turned."""

    def turned(name: str, count: int) -> Line | None:
        line = _correct(seat, **{of: {name: count}})
        return line if 0 <= count <= CARDS[name] and not why_not(snapshot, line) else None

    return tuple(
        Dial(str(translated(LABELS[name])), count, turned(name, count - 1), turned(name, count + 1))
        for name, count in counts.items()
    )


def _amount(snapshot: Snapshot, seat: str, of: str, label: str, value: int, most: int, stride: int = 0) -> Dial:
    def by(change: int) -> Line | None:
        line = _correct(seat, **{of: value + change})
        return line if change and 0 <= value + change <= most and not why_not(snapshot, line) else None

    return Dial(label, value, by(-1), by(1), by(-stride), by(stride))


def _lane(state: State, seat: str, at: int) -> tuple[Spot, ...]:
    """Return a planet, its orbit, and the gap beyond (none beyond the last)."""
    return tuple(_spot(state, seat, place) for place in (PLANETS[at], ORBITS[at], *GAPS[at : at + 1]))


def _spot(state: State, seat: str, place: str) -> Spot:
    return Spot(str(translated(label_of(place))), _correct(seat, place=place), state.players[seat].place == place)


def _lots(state: State, seat: str, where: str) -> tuple[GoodsLot, ...]:
    planets = ((planet, PLANET_LABELS[planet], state.at(planet)) for planet in PLANETS)
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
    """Return the line by which *cargo* really lies there."""
    rows = [goods_line(card) for card in cargo]
    if where in PLANETS:
        return _correct(seat, goods={where: rows})
    return _correct(seat, container={"index": int(where), "cards": rows})


def _taken(seat: str, where: str, cargo: Cargo) -> tuple[TakenCard, ...]:
    return tuple(
        TakenCard(card, LETTERS[card.to], PLANET_LABELS[card.to], _lying(seat, where, cargo[:at] + cargo[at + 1 :]))
        for at, card in enumerate(cargo)
    )


def _added(snapshot: Snapshot, seat: str, where: str, cargo: Cargo) -> tuple[Added, ...]:
    found = []
    for planet in PLANETS:
        for value in VALUES:
            line = _lying(seat, where, (*cargo, Goods(planet, value)))
            side = CardSide(planet, value)
            found.append(Added(side, LETTERS[planet], PLANET_LABELS[planet], line, why_not(snapshot, line)))
    return tuple(found)
