"""The board: during a turn with the actions, a transport, an exchange or the hand, at other times to look at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import Phase, State, full_planets, label_of
from companion.games.andromeda.tellings import TELLINGS
from companion.games.andromeda.transport import STATIONS
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.players import Face, faces
from web.components.possible_now import Possible
from web.games.andromeda.actions.deeds import NAMES, Number, deeds, exchange_lines, in_actions
from web.games.andromeda.actions.hand import TRACKS, Pick, Tile, hand_of, pick_from, tiles_of
from web.games.andromeda.components.board import holdings, picture, points
from web.games.andromeda.components.last_move import AT_THE_RING, EARTH, last_move
from web.games.andromeda.components.layout import AndromedaBar, bar, score_bar
from web.games.andromeda.components.public_hand import judged, possible_as, possible_step
from web.http.i18n import _, ngettext
from web.request.game_pages import Elsewhere, Look, Scene

DRAWS_SHOWN = 3


@dataclass(frozen=True)
class Tried:
    """One of the last attempts: the drawn stations in order, and the value of the won centre (0 if there is none)."""

    face: Face
    place: str
    drawn: tuple[str, ...]
    took: int
    open: bool


def turn_scene(look: Look) -> Scene:
    """Return the board with the actions of the player in turn."""
    state: State = look.state
    offered = deeds(look.snapshot, look.viewer)
    possible = [deed.name for deed in offered if not deed.reason]
    more = {
        "deeds": offered,
        "face": faces(state.setting.seats)[state.turn],
        "end_turn": {"do": "end_turn", "player": state.turn},
        "ends": not possible,
        "tiles": _tiles_at_rest(look.snapshot, look.viewer, possible) if look.may_act else {},
    }
    return Scene("andromeda/board.html", board(look.snapshot) | more, turn_bar(state))


def _tiles_at_rest(snapshot: Snapshot, viewer: Viewer, possible: list[str]) -> dict[str, Tile]:
    """Return the tiles that begin an action: an attempt on a planet (or a move to it), a move from Earth, a track."""
    tiles = tiles_of(snapshot, viewer, Pick("establish", snapshot.state.turn)) | {EARTH: Tile(to("act/move"))}
    begun = dict.fromkeys(PLANETS, "establish") | {track: track for track in TRACKS} | {EARTH: "move"}
    for planet in PLANETS:
        if tiles[planet].reason:
            tiles[planet], begun[planet] = Tile(to("act/move", planet=planet)), "move"
    return {
        place: replace(tile, state="", says=NAMES[begun[place]])
        for place, tile in tiles.items()
        if begun[place] in possible and not tile.reason
    }


def play_scene(look: Look, action: str) -> Scene | Elsewhere:
    """Return the board with the hand for *action*."""
    if not in_actions(look.state):
        return Elsewhere()
    pick = pick_from(look.state, action, look.query)
    scene = turn_scene(look)
    hand = hand_of(look.snapshot, look.viewer, pick)
    more = {"hand": hand, "tiles": tiles_of(look.snapshot, look.viewer, pick), "moved": ""}
    return replace(scene, context={**scene.context, **more})


def board_scene(look: Look) -> Scene:
    """Return the board without actions, in any phase."""
    state: State = look.state
    heading = bar(state, _("The board"), back=to(), full=full_planets(state))
    scores = tuple(replace(one, now=False) for one in score_bar(look.snapshot))
    still = {"scores": scores, "points": points(state), "deeds": ()}
    return Scene("andromeda/board.html", board(look.snapshot) | still, heading)


def board(snapshot: Snapshot) -> dict[str, Any]:
    """Return the template values of the board, without anything to choose."""
    state: State = snapshot.state
    shown = {"picture": picture(snapshot), "holdings": holdings(state), "draws": last_draws(state)}
    chosen: dict[str, Any] = {
        "tiles": {},
        "hand": None,
        "flights": {},
        "exchanges": (),
        "deeds": (),
        "full_hands": False,
    }
    return shown | chosen | _moved(snapshot)


def turn_bar(state: State) -> AndromedaBar:
    """Return the bar of the player in turn, with the actions used and left."""
    face = faces(state.setting.seats)[state.turn]
    all_actions = max(state.actions_left, 3 if state.turn == state.starter else 2)
    return bar(
        state,
        face.name,
        face=face,
        used=all_actions - state.actions_left,
        left=state.actions_left,
        left_words=ngettext("%(num)s action left", "%(num)s actions left", state.actions_left),
        full=full_planets(state),
    )


def _moved(snapshot: Snapshot) -> dict[str, Any]:
    """Return the last move in words, and its player.

    Both are empty for an attempt, since its draws are shown instead.
    """
    last = last_move(snapshot)
    if last is None or snapshot.header is None or last.line.get("do") in AT_THE_RING:
        return {"moved": "", "moved_face": None}
    known = faces(snapshot.state.setting.seats)
    return {
        "moved": TELLINGS.sentence(last.line, snapshot.header),
        "moved_face": known.get(str(last.line.get("player"))),
    }


def last_draws(state: State) -> tuple[Tried, ...]:
    """Return the last attempts, newest first."""
    known = faces(state.setting.seats)
    newest = (*state.tried, *((state.attempt,) if state.attempt else ()))[: -DRAWS_SHOWN - 1 : -1]
    return tuple(
        Tried(known[one.player], label_of(state, one.planet), one.drawn, one.took, one is state.attempt)
        for one in newest
    )


def exchange_scene(look: Look) -> Scene | Elsewhere:
    """Return the board with the numbers of cards that can be exchanged."""
    state: State = look.state
    if not in_actions(state):
        return Elsewhere()
    exchanges = tuple(
        Number(cards, line, judged(look.snapshot, look.viewer, line).reason)
        for cards, line in exchange_lines(state).items()
    )
    scene = turn_scene(look)
    more = {"exchanges": exchanges, "supply": state.supply, "discards": state.discards, "moved": ""}
    return replace(scene, context={**scene.context, **more})


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


def possible_actions(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return the actions of the player in turn."""
    offered = tuple(
        Possible(deed.words, deed.small, deed.address, deed.reason, deed.name)
        for deed in deeds(look.snapshot, look.viewer)
    )
    return (*offered, possible_step("end_turn", icon="tick"))


def possible_transports(look: Look, seat: str) -> tuple[Possible, ...]:
    """Return the actions of *seat* in the transport phase."""
    out = [{"do": "transport", "player": seat, "move": "to_planet", "planet": planet} for planet in PLANETS]
    home = [{"do": "transport", "player": seat, "move": "to_earth", "planet": planet} for planet in PLANETS]
    keep = {"do": "transport", "player": seat, "move": "pass"}
    return (
        possible_as(look, _("Fly two stations from Earth to a planet"), _("uses a transport card"), *out),
        possible_as(look, _("Fly all stations of one planet home"), _("uses a transport card; centres stay"), *home),
        possible_as(look, _("No transport"), _("two per game"), keep),
    )
