"""Missions on pages: opening one, swapping a personal one, and fulfilling one with its card and its researchers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.wreck.cards import GENERAL, MOST_KP, MOST_SACRIFICED, PERSONAL, card_json
from companion.games.wreck.rooms import label_of
from companion.games.wreck.state import Phase, State, own
from companion.kernel.fields import Line
from companion.kernel.names import trimmed
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to, words
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import Face, faces
from web.components.possible_now import Possible
from web.games.wreck.components.ship import TileTap, ship
from web.games.wreck.play.choices import Choice, ChoicePanel, thing
from web.http.i18n import _, ngettext
from web.request.game_pages import Elsewhere, Look, Scene

Query = Mapping[str, str]
LONGEST = 40


@dataclass(frozen=True)
class MissionSwap:
    """A player's swap of the personal mission: the line for it, whether it is done, or why it isn't possible."""

    face: Face
    line: Line
    reason: str
    done: bool


def may_open(snapshot: Snapshot) -> Possible:
    """Return whether the next general mission may be opened."""
    return thing("open", why_not(snapshot, {"do": "open", "card": None}))


def things() -> tuple[Possible, ...]:
    """Return what can be done about missions in a turn. The panel of missions says which can be fulfilled."""
    return (thing("fulfil"),)


def opening(look: Look) -> dict[str, Any]:
    """Return the template values for opening the next general mission, with its card if it is entered."""
    state: State = look.state
    known = known_missions(look.snapshot)
    return {"opening": True, "card": card_of(look.query), "number": state.opened + 1, "known_missions": known}


def swaps(snapshot: Snapshot) -> tuple[MissionSwap, ...]:
    """Return the swap of the personal mission for each player."""
    state: State = snapshot.state
    lines = {colour: {"do": "exchange", "player": colour} for colour in state.colours}
    return tuple(
        MissionSwap(face, lines[colour], why_not(snapshot, lines[colour]), state.players[colour].exchanged)
        for colour, face in faces(state.setting.seats).items()
    )


def panel(snapshot: Snapshot) -> ChoicePanel:
    """Return the missions that may be fulfilled: the open general missions and the player's personal one."""
    state: State = snapshot.state
    choices = []
    for general in state.general:
        name = _("General mission %(num)s", num=general.id[1:])
        small = _("not entered yet") if general.card is None else _card_small(general.card.kp, general.card.sacrifice)
        title = general.card.name if general.card is not None and general.card.name else name
        choices.append(Choice(title, to("mission", m=general.id), small=small, picture="mission"))
    if state.players[state.turn].personal:
        choices.append(
            Choice(_("Personal mission"), to("mission", m=PERSONAL), small=_("enter its card"), picture="own")
        )
    return ChoicePanel(_("Missions"), tuple(choices))


def _card_small(kp: int, sacrifice: int) -> str:
    return _("%(kp)s KP, costs %(cost)s", kp=kp, cost=sacrifice)


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
    more = {
        "opening": False,
        "mission": mission,
        "card": card,
        "face": face,
        "known_missions": _offered(look.snapshot, mission),
    }
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


def known_missions(snapshot: Snapshot) -> tuple[Line, ...]:
    """Return the missions entered in earlier games with this box, sorted by name, without those seen in this game."""
    state: State = snapshot.state
    seen = {each.card.name for each in state.general if each.card is not None}
    seen |= {each.name for player in state.players.values() for each in player.missions}
    cards = (snapshot.box or {}).get("missions", ())
    return tuple(sorted((each for each in cards if each["name"] not in seen), key=lambda each: each["name"].casefold()))


def card_of(query: Mapping[str, str]) -> Line | None:
    """Return the card in *query*, or None if it is incomplete."""
    kp, sacrifice = number(query, "kp", 0, MOST_KP), number(query, "sacrifice", 0, MOST_SACRIFICED)
    if kp is None or sacrifice is None:
        return None
    name = trimmed(query.get("name", ""), LONGEST)
    return {"name": name, "kp": kp, "sacrifice": sacrifice}
