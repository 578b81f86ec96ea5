"""Transport on the board: each planet offers two stations from Earth and all its stations home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.rounds import STATIONS
from companion.games.andromeda.state import Phase, State
from companion.model.snapshot import Snapshot
from web.components.legality import why_not
from web.components.players import faces
from web.games.andromeda.actions.turn import board, turn_bar
from web.games.andromeda.components.layout import bar
from web.http.i18n import ngettext
from web.request.game_pages import Elsewhere, Look, Scene


@dataclass(frozen=True)
class TransportWay:
    """One use of a transport card, or the reason why it is impossible."""

    line: dict[str, Any]
    stations: int
    reason: str


@dataclass(frozen=True)
class Flight:
    """The flight to a planet, and the flight home from it."""

    out: TransportWay
    home: TransportWay


def transport_scene(look: Look) -> Scene | Elsewhere:
    """Return the board for the player who may play a transport card now."""
    state: State = look.state
    as_action = state.phase is Phase.ACTIONS
    if not state.turn or state.attempt or (as_action and not state.options.transport_as_action):
        return Elsewhere()
    face, player = faces(state.setting.seats)[state.turn], state.players[state.turn]
    more = {
        "face": face,
        "flights": {planet: _flight(look.snapshot, planet) for planet in PLANETS} if look.may_act else {},
        "cards": player.transport,
        "earth": player.earth,
        "keep": None if as_action else {"do": "transport", "player": face.colour, "move": "pass"},
        "moved": "",
    }
    words = ngettext("%(num)s transport left", "%(num)s transports left", player.transport)
    own = bar(state, face.name, face=face, used=2 - player.transport, left=player.transport, left_words=words)
    return Scene("andromeda/board.html", board(look.snapshot) | more, turn_bar(state) if as_action else own)


def _flight(snapshot: Snapshot, planet: str) -> Flight:
    state: State = snapshot.state
    player = state.players[state.turn]
    return Flight(
        out=_way(snapshot, "to_planet", planet, min(STATIONS, player.earth)),
        home=_way(snapshot, "to_earth", planet, player.on(planet)),
    )


def _way(snapshot: Snapshot, move: str, planet: str, stations: int) -> TransportWay:
    line = {"do": "transport", "player": snapshot.state.turn, "move": move, "planet": planet}
    return TransportWay(line, stations, why_not(snapshot, line))
