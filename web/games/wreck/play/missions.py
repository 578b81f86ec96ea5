"""The page on which a mission is fulfilled. Players enter its card and the researchers that are given up for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.wreck.cards import GENERAL, PERSONAL, card_json
from companion.games.wreck.rooms import label_of
from companion.games.wreck.state import Phase, State, own
from companion.kernel.fields import Line
from companion.model.snapshot import Snapshot
from web.components.addresses import to, words
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.games.wreck.components.entries import card_of, known_missions
from web.games.wreck.components.ship import TileTap, ship
from web.http.i18n import _, ngettext
from web.request.game_pages import Elsewhere, Look, Scene

Query = Mapping[str, str]


def mission_scene(look: Look) -> Scene | Elsewhere:
    """Return the page of one mission. Its card is entered first if it is unknown, then researchers are tapped."""
    state: State = look.state
    mission = look.query.get("m", "")
    if state.phase is not Phase.TURNS or state.players[state.turn].contamination or not _lies(state, mission):
        return Elsewhere()
    known = next((each.card for each in state.general if each.id == mission), None)
    entered = None if known is not None else card_of(look.query)
    card = card_json(known) if known is not None else entered
    typed = {} if entered is None else dict(entered)
    facts = _sacrifice(look.snapshot, look.query, mission, card, typed, known is None)
    title = _("Personal mission") if mission == PERSONAL else _("General mission %(num)s", num=mission[1:])
    face = faces(state.setting.seats)[state.turn]
    more = {"mission": mission, "card": card, "face": face, "known_missions": _offered(look.snapshot, mission)}
    return Scene("wreck/mission.html", facts | more, PlayBar(title, back=to()))


def _lies(state: State, mission: str) -> bool:
    if mission == PERSONAL:
        return state.players[state.turn].personal
    return mission in GENERAL and any(each.id == mission for each in state.general)


def _offered(snapshot: Snapshot, mission: str) -> tuple[tuple[Line, str], ...]:
    """Return the missions that are known from this box, each with the URL that fills in its card."""
    return tuple((card, to("mission", m=mission, **_zero(dict(card)))) for card in known_missions(snapshot))


def _sacrifice(
    snapshot: Snapshot, query: Query, mission: str, card: Line | None, typed: dict[str, Any], asks: bool
) -> dict[str, Any]:
    state: State = snapshot.state
    if card is None:
        return {"ship": ship(state), "line": None, "reason": "", "chosen": (), "again": "", "wanted": ""}
    cost = int(card["sacrifice"])
    rooms = tuple(room for room in state.researchers if own(state, state.turn, room))
    chosen = words(query, "s", rooms, cost)
    if cost and len(rooms) == 1:
        chosen = rooms * min(cost, own(state, state.turn, rooms[0]))
    line: dict[str, Any] = {"do": "fulfil", "player": state.turn, "mission": mission, "sacrifice": list(chosen)}
    if asks:
        line["card"] = card
    taps = {
        room: TileTap(
            _("Sacrifice one from %(room)s", room=label_of(room)),
            to("mission", m=mission, s=",".join((*chosen, room)), **{**typed, "kp": card["kp"]} if asks else {}),
        )
        for room in rooms
        if len(chosen) < cost and own(state, state.turn, room) > chosen.count(room)
    }
    return {
        "ship": ship(state, taps, leaving={room: f"−{chosen.count(room)}" for room in chosen}),
        "line": line,
        "reason": why_not(snapshot, line),
        "chosen": tuple(label_of(room) for room in chosen),
        "again": to("mission", m=mission, **_zero(typed)) if chosen and len(rooms) > 1 else "",
        "wanted": ngettext("Sacrifice %(num)s researcher", "Sacrifice %(num)s researchers", cost) if cost else "",
    }


def _zero(typed: dict[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in typed.items()}
