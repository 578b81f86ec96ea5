"""The page of contamination. Players tap the researchers that leave the ship on the map."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.contamination import due_to_leave
from companion.games.wreck.rooms import ZONE, label_of
from companion.games.wreck.state import State, own
from web.components.addresses import number, to, words
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.components.possible_now import Possible
from web.games.wreck.components.ship import TileTap, ship
from web.games.wreck.play.choices import thing
from web.http.i18n import _, ngettext
from web.request.game_pages import Look, Scene

Query = Mapping[str, str]


def contamination_scene(look: Look) -> Scene:
    """Return the page on which researchers are removed. If there is no choice, they are already chosen."""
    state: State = look.state
    player, face = state.players[state.turn], faces(state.setting.seats)[state.turn]
    most = min(player.contamination, player.vaccines)
    vaccines = number(look.query, "v", 0, most) or 0
    due = due_to_leave(state, state.turn, vaccines)
    chosen = _chosen(state, look.query, due)
    place = min(number(look.query, "p", 0, due) or 0, len(chosen)) if state.setting.species_of(state.turn).place else 0
    line = {"do": "contaminate", "player": state.turn, "vaccines": vaccines, "remove": list(chosen), "place": place}
    here = {"v": vaccines or "", "r": ",".join(chosen), "p": place or ""}
    taps = {
        room: TileTap(
            _("Remove one from %(room)s", room=label_of(room)), to("", **{**here, "r": ",".join((*chosen, room))})
        )
        for room in state.researchers
        if len(chosen) < due and own(state, state.turn, room) > chosen.count(room)
    }
    leaving = {room: f"−{chosen.count(room)}" for room in chosen}
    facts = {
        "ship": ship(state, taps, leaving=leaving),
        "count": player.contamination,
        "due": due,
        "chosen": [(room, label_of(room), chosen.count(room)) for room in dict.fromkeys(chosen)],
        "wanted": due - len(chosen),
        "line": line,
        "reason": why_not(look.snapshot, line),
        "vaccines": [(each, to(v=each), each == vaccines) for each in range(most + 1)] if most else (),
        "again": to(v=vaccines or "", r="-") if chosen != _chosen(state, {}, due) else "",
        "altar": _altar(state, due, here) if chosen else (),
        "place": place,
        "altar_name": _altar_name(state),
    }
    left = ngettext("%(num)s contamination first", "%(num)s contaminations first", player.contamination)
    return Scene("wreck/contamination.html", facts, PlayBar(face.name, face, left_words=left))


def things() -> tuple[Possible, ...]:
    """Return the only action that is possible at first: contamination."""
    return (thing("contaminate"),)


def _chosen(state: State, query: Query, due: int) -> tuple[str, ...]:
    """Return a room for each removed researcher, beginning with the contaminated zone.

    If only one choice is possible, it is made for the player.
    """
    rooms = tuple(room for room in state.researchers if own(state, state.turn, room))
    forced = (ZONE,) * min(own(state, state.turn, ZONE), due)
    picked = [room for room in words(query, "r", rooms, due) if room != ZONE]
    free = [room for room in rooms if room != ZONE for _ in range(own(state, state.turn, room))]
    if len(set(free)) == 1 or len(free) <= due - len(forced):
        picked = free[: due - len(forced)]
    valid: list[str] = []
    for room in picked[: due - len(forced)]:
        if valid.count(room) < own(state, state.turn, room):
            valid.append(room)
    return (*forced, *valid)


def _altar(state: State, due: int, here: Mapping[str, object]) -> tuple[tuple[int, str], ...]:
    if state.setting.species_of(state.turn).place is None:
        return ()
    return tuple((count, to("", **{**here, "p": count or ""})) for count in range(due + 1))


def _altar_name(state: State) -> str:
    place = state.setting.species_of(state.turn).place
    return "" if place is None else place.name or _("Own place")
