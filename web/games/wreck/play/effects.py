"""What a card's text does, or what the table puts right: one thing after another, then all at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.games.wreck.cards import RESEARCHERS, TELEPORTER
from companion.games.wreck.dice import ACTIONS, SYMBOLS
from companion.games.wreck.rooms import label_of
from companion.games.wreck.state import Phase, State, closed_cells
from companion.games.wreck.terms import symbol
from companion.kernel.validation import Line
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to
from web.components.bar import Bar
from web.components.legality import why_not
from web.components.players import faces
from web.games.wreck.components.layout import surroundings
from web.games.wreck.components.ship import ship
from web.games.wreck.history.sentences import effect_in_words
from web.games.wreck.play.choices import technology_name, unknown
from web.http.i18n import _, lazy, translated
from web.request.game_pages import Elsewhere, Scene

Query = Mapping[str, str]
LONGEST_LIST = 20
KINDS = {
    "researchers": lazy("Move researchers"),
    "kp": lazy("KP for good"),
    "die": lazy("Change a die"),
    "vaccines": lazy("Vaccine markers"),
    "teleporter": lazy("Move a teleporter"),
    "explore": lazy("Open a room"),
    "used": lazy("Turn a technology"),
    "room_action": lazy("Room action"),
}


def effects_scene(snapshot: Snapshot, viewer: Viewer, query: Query, may_act: bool) -> Scene | Elsewhere:
    """Return the page where the effects of a technology (*tech*) are entered, or of a correction without one."""
    state: State = snapshot.state
    tech = query.get("tech", "")
    known = {each.id for each in state.setting.technologies} - {TELEPORTER}
    if state.phase is Phase.SETUP or (tech and (state.phase is not Phase.TURNS or tech not in known)):
        return Elsewhere()
    entered = [*_earlier(query.get("e", "")), *_added(state, query)]
    line = _line(state, tech, entered, query.get("reason", "").strip())
    kind = query.get("what", "researchers")
    title = technology_name(state, tech) if tech else _("Correct the board")
    facts = {
        "tech": tech,
        "entered": [effect_in_words(each, snapshot.header or {}) for each in entered],
        "earlier": json.dumps(entered),
        "line": line,
        "reason": why_not(snapshot, line),
        "why": query.get("reason", ""),
        "kind": kind if kind in KINDS else "researchers",
        "kinds": [(word, translated(words)) for word, words in KINDS.items()],
        "options": _options(state),
        "ship": ship(state),
        "place": "effects" if tech else "correct",
        "again": to("effects", tech=tech) if tech else to("correct"),
    }
    around = surroundings(snapshot, viewer, Bar(title, back=to()), may_act)
    return Scene("wreck/effects.html", around | facts)


def _line(state: State, tech: str, entered: list[dict[str, Any]], reason: str) -> Line:
    if tech:
        return {"do": "technology", "player": state.turn, "die": "technology", "id": tech, "effects": entered}
    return {"do": "correct", "player": state.turn or state.starter, "reason": reason, "effects": entered}


def _earlier(text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return []
    if not isinstance(found, list):
        return []
    return [each for each in found if isinstance(each, dict)][:LONGEST_LIST]


def _added(state: State, query: Query) -> list[dict[str, Any]]:
    """Return the effect that the form has just sent, none while it is being filled in."""
    if "add" not in query:
        return []
    what = query.get("what", "")
    colour = query.get("colour", "")
    count = number({"n": query.get("count", "").lstrip("-")}, "n", 1, RESEARCHERS) or 1
    signed = -count if query.get("sign") == "less" else count
    source, target = query.get("from", ""), query.get("to", "")
    made: dict[str, dict[str, Any]] = {
        "researchers": {"colour": colour, "from": source, "to": target, "count": count},
        "teleporter": {"colour": colour, "from": source, "to": target},
        "die": {"colour": colour, "from": source or None, "to": target or None},
        "vaccines": {"colour": colour, "count": signed},
        "kp": {"colour": colour, "count": signed},
        "explore": {"cell": _cell(query.get("cell", "")), "room": query.get("room", "")},
        "used": {"id": query.get("id", ""), "used": query.get("sign") != "less"},
        "room_action": {"colour": colour, "used": query.get("sign") != "less"},
    }
    return [{"what": what, **made[what]}] if what in made else []


def _cell(text: str) -> list[int]:
    x, _sep, y = text.partition(",")
    try:
        return [int(x[:4]), int(y[:4])]
    except ValueError:
        return []


def _options(state: State) -> dict[str, Any]:
    """Return what may be chosen in the form's lists."""
    rooms = [(room, translated(label_of(room))) for room in state.researchers]
    beside = [("supply", _("Supply"))]
    places = [*beside, ("species", _("Species card")), *rooms]
    if any(species.place for species in state.setting.species):
        places.insert(2, ("place", _("Own place")))
    return {
        "players": [(face.colour, face.name) for face in faces(state.setting.seats).values()],
        "places": places,
        "pads": [*beside, *rooms],
        "dice": [("", _("no die")), *((each, translated(symbol(each))) for each in SYMBOLS)],
        "actions": ACTIONS,
        "cells": [(f"{x},{y}", _("column %(x)s, row %(y)s", x=x, y=y)) for x, y in closed_cells(state)],
        "rooms": [(room, translated(label_of(room))) for room in unknown(state)],
        "technologies": [(each.id, technology_name(state, each.id)) for each in state.setting.technologies],
    }
