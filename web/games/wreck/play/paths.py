"""The choice of steps: steps in a URL, and taps on the map that add steps."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wreck.researchers import ResearchersStepped, Step, evolve
from companion.games.wreck.rooms import Cell, label_of
from companion.games.wreck.state import State, adjacent, own
from web.components.addresses import to
from web.games.wreck.components.ship import TileTap
from web.http.i18n import _, translated

Query = Mapping[str, str]


def steps_of(state: State, colour: str, text: str, most: int) -> tuple[Step, ...]:
    """Parse the steps in *text*, such as `airlock-cryo,cryo-zone`. Stop at the first impossible step."""
    found: list[Step] = []
    for part in text.split(",")[:most]:
        source, _sep, target = part.partition("-")
        if not {source, target} <= set(state.researchers) or not own(state, colour, source):
            break
        if not adjacent(state, source, target):
            break
        found.append((source, target))
        state = evolve(state, ResearchersStepped(colour, ((source, target),)))
    return tuple(found)


def after(state: State, colour: str, steps: tuple[Step, ...]) -> State:
    """Return the state after *steps*."""
    return evolve(state, ResearchersStepped(colour, steps)) if steps else state


def text_of(steps: tuple[Step, ...]) -> str:
    """Return *steps* in the format of a URL. This is the inverse of `steps_of`."""
    return ",".join("-".join(step) for step in steps)


def way_of(steps: tuple[Step, ...]) -> str:
    """Return *steps* in words, each with the rooms at its ends."""
    return ", ".join(f"{translated(label_of(one))} → {translated(label_of(other))}" for one, other in steps)


def marks_of(steps: tuple[Step, ...], source: str) -> dict[str | Cell, str]:
    """Return the marks on the map: the chosen *source* of the next step, or both ends of the last one."""
    if source:
        return {source: "from"}
    return {room: mark for step in steps[-1:] for room, mark in zip(step, ("from", "to"), strict=True)}


def own_rooms(state: State, colour: str) -> tuple[str, ...]:
    """Return the rooms with researchers of *colour*."""
    return tuple(room for room in state.researchers if own(state, colour, room))


def beside(state: State, room: str) -> tuple[str, ...]:
    """Return the open rooms next to *room*."""
    return tuple(other for other in state.researchers if adjacent(state, room, other))


def starts(state: State, colour: str, **query: object) -> dict[str, TileTap]:
    """Return a tap for each room from which a researcher of *colour* can take a step."""
    rooms = (room for room in own_rooms(state, colour) if beside(state, room))
    return {
        room: TileTap(_("Move from %(room)s", room=label_of(room)), to("", **{**query, "from": room})) for room in rooms
    }


def onward(state: State, source: str, steps: tuple[Step, ...], **query: object) -> dict[str, TileTap]:
    """Return the buttons for the rooms next to *source*: each adds a step into its room.

    A tap on *source* deselects it.
    """
    taps = {
        room: TileTap(
            _("Move to %(room)s", room=label_of(room)), to("", **query, steps=text_of((*steps, (source, room))))
        )
        for room in beside(state, source)
    }
    return taps | {source: TileTap(_("Not from here"), to("", **query, steps=text_of(steps)))}
