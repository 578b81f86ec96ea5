"""The page of transport: fly two stations to a planet, fly all stations on a planet home, or keep the card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rounds import STATIONS
from companion.games.andromeda.state import Phase, State, clockwise_from
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import Face, faces
from web.games.andromeda.components.board import BoardPlanet, world
from web.games.andromeda.components.layout import bar
from web.http.i18n import _, ngettext
from web.request.game_pages import Elsewhere, Look, Scene


@dataclass(frozen=True)
class TransportWay:
    """One use of a transport card, or the reason why it is impossible."""

    line: dict[str, Any]
    stations: int
    reason: str


@dataclass(frozen=True)
class Flight:
    """One planet of the list: the flight to the planet, and the flight home from it."""

    world: BoardPlanet
    out: TransportWay
    home: TransportWay


@dataclass(frozen=True)
class TransportStop:
    """A player in the order of transport. *state* says whether the player's turn is done, now or later."""

    face: Face
    cards: int
    state: str


def transport_scene(look: Look) -> Scene | Elsewhere:
    """Return the page for the player who may play a transport card now."""
    state: State = look.state
    as_action = state.phase is Phase.ACTIONS
    if not state.turn or state.attempt or (as_action and not state.options.transport_as_action):
        return Elsewhere()
    known = faces(state.setting.seats)
    face, player = known[state.turn], state.players[state.turn]
    more = {
        "face": face,
        "flights": flights(look.snapshot),
        "stops": () if as_action else _stops(state),
        "cards": player.transport,
        "earth": player.earth,
        "keep": None if as_action else {"do": "transport", "player": face.colour, "move": "pass"},
    }
    words = ngettext("%(num)s card left", "%(num)s cards left", player.transport)
    heading = bar(state, face.name, face=face, used=2 - player.transport, left=player.transport, left_words=words)
    if as_action:
        heading = bar(state, _("Transport"), left_words=words, back=to())
    return Scene("andromeda/transport.html", more, heading)


def flights(snapshot: Snapshot) -> tuple[Flight, ...]:
    """Return the two flights at each planet that the player in turn can make with a transport card."""
    return tuple(_flight(snapshot, planet) for planet in PLANETS)


def _flight(snapshot: Snapshot, planet: str) -> Flight:
    state: State = snapshot.state
    player = state.players[state.turn]
    return Flight(
        world(snapshot, planet),
        out=_way(snapshot, "to_planet", planet, min(STATIONS, player.earth)),
        home=_way(snapshot, "to_earth", planet, player.on(planet)),
    )


def _way(snapshot: Snapshot, move: str, planet: str, stations: int) -> TransportWay:
    line = {"do": "transport", "player": snapshot.state.turn, "move": move, "planet": planet}
    return TransportWay(line, stations, why_not(snapshot, line))


def _stops(state: State) -> tuple[TransportStop, ...]:
    known = faces(state.setting.seats)
    order = clockwise_from(state, state.starter)
    now = order.index(state.turn)
    return tuple(
        TransportStop(known[c], state.players[c].transport, "done" if at < now else "now" if at == now else "later")
        for at, c in enumerate(order)
    )
