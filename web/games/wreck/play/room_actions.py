"""Room actions on the map: players choose the researcher to move, and the target."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

from companion.games.wreck.control import controls
from companion.games.wreck.researchers import always
from companion.games.wreck.room_actions import ROOMS_THAT_ACT, Reactor, candidates
from companion.games.wreck.rooms import ENGINE, label_of
from companion.games.wreck.rules import legal
from companion.games.wreck.state import State, name_of, own, teleporters_in
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.legality import why_not
from web.components.possible_now import Possible
from web.games.wreck.components.ship import TileTap, ship
from web.games.wreck.play.choices import Choice, ChoicePanel, led
from web.games.wreck.play.paths import after, marks_of, onward, own_rooms, starts, steps_of, text_of, way_of
from web.http.i18n import _, translated

Query = Mapping[str, str]
EFFECTS = {
    "armoury": said("Send any researcher back to its species card"),
    "hangar": said("Fly one researcher from here to any room"),
    "quarters": said("Move 2 steps"),
    "communications": said("Train 1 or call 1"),
    "bridge": said("Draw 2 personal missions, put 2 back"),
    "airlock": said("Where everyone starts"),
    "engine": said("Each call brings 1 more"),
    "reactor": said("Swap two researchers in adjacent rooms"),
    "cryo": said("Needs 2 researchers to control"),
    "laboratory": said("Needs 2 researchers; no teleporters"),
    "zone": said("Needs 2 researchers; contamination hits here first"),
}
"""The effect of each room, in a few words."""


def room_reason(state: State, seat: str, room: str) -> str:
    """Return why *seat* can't use *room* now, or "" if it can. All pages that offer room actions use this function."""
    if any(each.do == room and legal(state, each) for each in candidates(state, seat)):
        return ""
    return _("one room action a round") if state.players[seat].room_action else _("needs control of the room")


def rooms_in_use(state: State, seat: str) -> tuple[Possible, ...]:
    """Return the room actions of the open rooms, with the reason if *seat* can't use one."""
    rooms = [(room, room_reason(state, seat, room)) for room in ROOMS_THAT_ACT if room in state.researchers]
    return tuple(
        Possible(translated(EFFECTS[room]), "" if reason else _("without a die, once a round"), to(act=room), reason)
        for room, reason in rooms
    )


def room_action(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return the map and the panel for the room action being chosen."""
    state: State = snapshot.state
    room = query["act"]
    match room:
        case "hangar":
            others = [each for each in state.researchers if each != room]
            line = {"do": room, "player": state.turn}
            taps = {
                each: TileTap(_("Fly to %(room)s", room=label_of(each)), "", {**line, "to": each}) for each in others
            }
            return _page(snapshot, room, (), taps)
        case "quarters":
            return _steps(snapshot, query)
        case "communications":
            return _page(snapshot, room, _communications(snapshot))
        case "armoury":
            return _page(snapshot, room, _armoury(snapshot))
        case "reactor":
            return _page(snapshot, room, _reactor(snapshot, query))
        case "bridge":
            line = {"do": room, "player": state.turn}
            return _page(snapshot, room, (Choice(translated(EFFECTS[room]), "", line, why_not(snapshot, line)),))
        case _:
            raise AssertionError(f"no room acts that is called {room}")


def _page(
    snapshot: Snapshot, room: str, choices: tuple[Choice, ...], taps: dict[str, TileTap] | None = None, note: str = ""
) -> dict[str, Any]:
    title = f"{translated(label_of(room))}: {translated(EFFECTS[room])}"
    asks = note or (_("Tap a room.") if taps else "")
    panel = led(title, choices, to(), asks) if len(choices) == 1 else ChoicePanel(title, choices, to(), asks)
    return {"ship": ship(snapshot.state, taps, marks={room: "from"}), "panel": panel}


def _steps(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    state: State = snapshot.state
    steps = steps_of(state, state.turn, query.get("steps", ""), 2)
    then, source = after(state, state.turn, steps), query.get("from", "")
    source = source if source in own_rooms(then, state.turn) else ""
    line = {"do": "quarters", "player": state.turn, "steps": [list(step) for step in steps]}
    choices = (Choice(way_of(steps), "", line, why_not(snapshot, line)),) if steps else ()
    taps = (
        onward(then, source, steps, act="quarters")
        if source
        else starts(then, state.turn, act="quarters", steps=text_of(steps))
        if len(steps) < 2
        else {}
    )
    found = _page(snapshot, "quarters", choices, taps)
    return found | {"ship": ship(then, taps, marks=marks_of(steps, source))}


def _communications(snapshot: Snapshot) -> tuple[Choice, ...]:
    state: State = snapshot.state
    line = {"do": "communications", "player": state.turn}
    train = {**line, "train": 1}
    most = 1 + (always(state) and controls(state, state.turn, ENGINE))
    pads = [room for room in state.teleporters if teleporters_in(state, state.turn, room)]
    calls = [list(each) for count in range(1, most + 1) for each in combinations_with_replacement(pads, count)]
    words = [", ".join(str(translated(label_of(room))) for room in rooms) for rooms in calls]
    lines = [{**line, "to": rooms} for rooms in calls]
    found = (
        Choice(_("Call to %(room)s", room=where), "", each, why_not(snapshot, each))
        for where, each in zip(words, lines, strict=True)
    )
    return (Choice(_("Train 1"), "", train, why_not(snapshot, train)), *found)


def _there(state: State) -> list[tuple[str, str]]:
    return [(colour, room) for room in state.researchers for colour in state.colours if own(state, colour, room)]


def _someone(state: State, colour: str, room: str) -> str:
    return _("%(name)s in %(room)s", name=name_of(state, colour), room=label_of(room))


def _armoury(snapshot: Snapshot) -> tuple[Choice, ...]:
    state: State = snapshot.state
    line = {"do": "armoury", "player": state.turn}
    return tuple(
        Choice(_someone(state, colour, room), "", {**line, "colour": colour, "from": room}, picture=colour)
        for colour, room in _there(state)
    )


def _reactor(snapshot: Snapshot, query: Query) -> tuple[Choice, ...]:
    """Return buttons for the first researcher of a swap, or if that is chosen, for the second.

    All legal pairs are offered, including two researchers of the same player.
    """
    state: State = snapshot.state
    there = _there(state)
    first = next((each for each in there if "-".join(each) == query.get("one")), None)
    if first is None:
        able = [one for one in there if any(_may_swap(state, one, other) for other in there)]
        return tuple(
            Choice(_someone(state, *one), to(act="reactor", one="-".join(one)), picture=one[0]) for one in able
        )
    line = {"do": "reactor", "player": state.turn}
    return tuple(
        Choice(_someone(state, *other), "", {**line, "swap": [list(first), list(other)]}, picture=other[0])
        for other in there
        if _may_swap(state, first, other)
    )


def _may_swap(state: State, one: tuple[str, str], other: tuple[str, str]) -> bool:
    return legal(state, Reactor(state.turn, (one, other)))
