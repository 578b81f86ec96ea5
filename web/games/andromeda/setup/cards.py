"""The set-up page, with one tap for each face-up card, and the page of the deal. A player's last tap sends them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS, Planet
from companion.games.andromeda.rounds import dealt_so_far, to_deal
from companion.games.andromeda.state import CARDS_OF_A_PLANET, State, clockwise_from
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.players import Face, faces
from web.components.possible_now import Possible
from web.games.andromeda.actions.turn import board
from web.games.andromeda.components.layout import bar
from web.games.andromeda.components.public_hand import possible_step
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene

Counts = tuple[int, ...]
NONE: Counts = (0,) * len(PLANETS)


@dataclass(frozen=True)
class CountRow:
    """One player in the list: the number of cards counted so far, and whether they are being counted now."""

    face: Face
    have: int
    wanted: int
    now: bool
    address: str

    @property
    def done(self) -> bool:
        """Whether all cards of this player are counted."""
        return self.have == self.wanted and not self.now


@dataclass(frozen=True)
class PlanetTile:
    """One planet: the number of cards counted so far, and the effect of the next tap on it.

    If only one card is missing, *line* is the complete command. Otherwise *more* is the URL with one more card.
    *reason* says why there can't be another card of this planet.
    """

    planet: Planet
    count: int
    dealt: int
    more: str = ""
    less: str = ""
    line: Line | None = None
    reason: str = ""


def set_up_scene(look: Look) -> Scene:
    """Return the page that counts the set-up cards, one player after the other."""
    state: State = look.state
    seat = _seat(state, look.query)
    counts = _counts(state, look.snapshot, seat, look.query)
    wanted = state.setting.stock.cards
    face = faces(state.setting.seats)[seat]
    have = sum(counts)
    heading = bar(
        state,
        _("%(name)s's cards", name=face.name),
        face=face,
        used=have,
        left=wanted - have,
        left_words=_to_go(wanted - have),
    )
    return Scene(
        "andromeda/setup.html",
        {
            "rows": tuple(_row(state, colour, seat, have) for colour in state.colours),
            "tiles": _tiles(state, seat, counts),
            "face": face,
            "to_go": wanted - have,
            "stock": state.setting.stock,
            "boxed": _boxed(state),
            "half": f"setup {seat}",
            "half_by": "cards",
            "whole": _line(seat, counts) if have == wanted else None,
        },
        heading,
    )


def _to_go(cards: int) -> str:
    return _("%(num)s to go", num=cards) if cards else _("all set")


def _seat(state: State, query: Mapping[str, str]) -> str:
    missing = [colour for colour in clockwise_from(state, state.setting.first) if state.players[colour].unplaced]
    return query["seat"] if query.get("seat") in missing else missing[0]


def _counts(state: State, snapshot: Snapshot, seat: str, query: Mapping[str, str]) -> Counts:
    if query.get("seat") == seat and "cards" in query:
        return _read(query["cards"], state.setting.stock.cards)
    return _taken_back(snapshot, seat)


def _read(text: str, most: int) -> Counts:
    parts = text.split(".")
    if len(parts) != len(PLANETS) or not all(part.isascii() and part.isdigit() and len(part) < 3 for part in parts):
        return NONE
    counts = tuple(map(int, parts))
    return counts if sum(counts) <= most else NONE


def _taken_back(snapshot: Snapshot, seat: str) -> Counts:
    """Return the cards of a set-up line that was just undone, so that players must change only the wrong cards."""
    newest = next((line for line in snapshot.recent if line.line.get("do") != "undo"), None)
    if newest is None or not newest.undone or newest.line.get("do") != "setup" or newest.line.get("player") != seat:
        return NONE
    cards = newest.line["cards"]
    return tuple(cards.get(planet, 0) for planet in PLANETS)


def _row(state: State, colour: str, now: str, have: int) -> CountRow:
    wanted = state.setting.stock.cards
    placed = not state.players[colour].unplaced
    counted = wanted if placed else have if colour == now else 0
    face = faces(state.setting.seats)[colour]
    return CountRow(face, counted, wanted, colour == now, "" if placed or colour == now else to(seat=colour))


def _tiles(state: State, seat: str, counts: Counts) -> tuple[PlanetTile, ...]:
    dealt = dealt_so_far(state)
    return tuple(_tile(state, seat, counts, at, dealt[at]) for at in range(len(PLANETS)))


def _tile(state: State, seat: str, counts: Counts, at: int, dealt: int) -> PlanetTile:
    planet = state.setting.board.planets[at]
    less = to(seat=seat, cards=_written(_changed(counts, at, -1))) if counts[at] else ""
    out = dealt + counts[at]
    left = state.setting.stock.cards - sum(counts)
    if out >= CARDS_OF_A_PLANET:
        return PlanetTile(planet, counts[at], out, less=less, reason=_("all 12 dealt"))
    if not left:
        return PlanetTile(planet, counts[at], out, less=less)
    more = _changed(counts, at, 1)
    if left == 1:
        return PlanetTile(planet, counts[at], out, less=less, line=_line(seat, more))
    return PlanetTile(planet, counts[at], out, more=to(seat=seat, cards=_written(more)), less=less)


def _changed(counts: Counts, at: int, by: int) -> Counts:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])


def _written(counts: Counts) -> str:
    return ".".join(map(str, counts))


def _line(seat: str, counts: Counts) -> dict[str, Any]:
    cards = {planet: count for planet, count in zip(PLANETS, counts, strict=True) if count}
    return {"do": "setup", "player": seat, "cards": cards}


def _boxed(state: State) -> int:
    """Return how many of the 26 stations of each colour stay in the box."""
    stock = state.setting.stock
    tracks = 2
    return 26 - stock.earth - stock.planet * len(PLANETS) - stock.cards - tracks


@dataclass(frozen=True)
class HandToDeal:
    """A hand before the deal: it gets *cards* cards, up to its *limit*."""

    face: Face
    cards: int
    held: int
    limit: int
    starts: bool


def deal_scene(look: Look) -> Scene:
    """Return the page of the card phase."""
    state: State = look.state
    known = faces(state.setting.seats)
    missing = to_deal(state)
    hands = tuple(
        HandToDeal(known[c], missing[c], state.players[c].hand, state.players[c].hand_limit, c == state.starter)
        for c in state.colours
    )
    total = sum(missing.values())
    if not total:
        return _nothing_to_deal(look, known[state.starter])
    words = ngettext("%(num)s card in total", "%(num)s cards in total", total)
    more = {
        "hands": hands,
        "total": total,
        "supply": state.supply,
        "discards": state.discards,
        "shuffle": total > state.supply,
        "starter": known[state.starter],
    }
    heading = bar(state, _("Deal the cards"), left_words=words)
    return Scene("andromeda/deal.html", more, heading)


def _nothing_to_deal(look: Look, starter: Face) -> Scene:
    """Return the board for a deal that gives nobody a card."""
    state: State = look.state
    heading = bar(state, starter.name, face=starter, left_words=_("starts this round"))
    return Scene("andromeda/board.html", board(look.snapshot) | {"full_hands": True, "moved": ""}, heading)


def possible_setup(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return what *seat* can do during the set-up."""
    return (possible_step("setup", to(seat=seat)),)


def possible_deal(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return what the starting player can do before the cards are dealt."""
    return (possible_step("deal"),)
