"""The page for the effects of a technology's card. They are entered one by one and sent together."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.wreck.cards import RESEARCHERS, TELEPORTER
from companion.games.wreck.dice import SYMBOLS
from companion.games.wreck.rooms import label_of
from companion.games.wreck.state import Phase, State, closed_cells, closed_rooms
from companion.games.wreck.tellings import room, technology_in
from companion.games.wreck.terms import symbol
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.components.addresses import number, to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import faces
from web.games.wreck.components.ship import ShipPlan, TileTap, ship
from web.games.wreck.play.choices import technology_name
from web.http.i18n import _, translated
from web.request.game_pages import Elsewhere, Look, Scene

Query = Mapping[str, str]
LONGEST_LIST = 20
KINDS = {
    "researchers": said("Researchers"),
    "kp": said("KP for good"),
    "die": said("A die"),
    "vaccines": said("Vaccine"),
    "teleporter": said("Teleporter"),
    "explore": said("A room"),
    "used": said("Technology"),
    "room_action": said("Room action"),
}
FIELDS = {
    "researchers": ("colour", "from", "to", "count"),
    "kp": ("colour", "count"),
    "die": ("colour", "from", "to"),
    "vaccines": ("colour", "count"),
    "teleporter": ("colour", "from", "to"),
    "explore": ("cell", "room"),
    "used": ("id", "sign"),
    "room_action": ("colour", "sign"),
}
"""The fields of each kind of effect. An effect is complete when all its fields are chosen."""
BETWEEN = ("researchers", "teleporter")
NO_DIE = "none"


@dataclass(frozen=True)
class EffectEntry:
    """The effects entered so far, and the *fields* of the effect that is being chosen."""

    tech: str
    entered: tuple[dict[str, Any], ...]
    kind: str
    fields: Mapping[str, str]

    @classmethod
    def of(cls, state: State, query: Query) -> EffectEntry:
        """Parse the entry in *query*. If that contains `add`, add the effect being chosen to the entered ones."""
        kind = query.get("what", "")
        kind = kind if kind in KINDS else "researchers"
        chosen = {name: query[name] for name in FIELDS[kind] if query.get(name)}
        usual = {"colour": state.turn or state.setting.seats[0].colour, "count": "1" if kind == "researchers" else ""}
        fields = {name: usual[name] for name in FIELDS[kind] if usual.get(name)} | chosen
        entry = cls(query.get("tech", ""), _earlier(query.get("e", "")), kind, fields)
        return entry.added() if "add" in query and query.get("what", kind) in KINDS else entry

    @property
    def effect(self) -> dict[str, Any] | None:
        """The effect being chosen, or None while it is incomplete."""
        found = self.fields
        if not all(found.get(name) for name in FIELDS[self.kind]):
            return None
        made = {name: _READ[name](found[name]) for name in FIELDS[self.kind] if name != "sign"}
        if "sign" in found:
            made["used"] = found["sign"] != "less"
        if self.kind == "die":
            made |= {end: None if found[end] == NO_DIE else found[end] for end in ("from", "to")}
        return {"what": self.kind, **made} if made.get("count") != 0 else None

    def added(self) -> EffectEntry:
        """Return the entry with the chosen effect added, ready for another effect of the same player."""
        if self.effect is None:
            return self
        kept = {name: text for name, text in self.fields.items() if name == "colour"}
        kept |= {"count": "1"} if self.kind == "researchers" else {}
        return replace(self, entered=(*self.entered, self.effect)[:LONGEST_LIST], fields=kept)

    def another(self) -> str:
        """Return the URL for entering one more effect, or "" while this one is incomplete."""
        if self.effect is None or len(self.entered) + 1 >= LONGEST_LIST:
            return ""
        return self.added().address()

    def of_kind(self, kind: str) -> str:
        """Return the URL for choosing an effect of another *kind*."""
        kept = {name: text for name, text in self.fields.items() if name == "colour"}
        return replace(self, kind=kind, fields=kept).address()

    def address(self, **chosen: str) -> str:
        """Return the URL with the values in *chosen* added."""
        earlier = json.dumps(self.entered) if self.entered else ""
        return to("effects", tech=self.tech, e=earlier, what=self.kind, **{**self.fields, **chosen})


@dataclass(frozen=True)
class FieldWay:
    """One value of a field, and the URL (*address*) that chooses it. *picture* is a colour or a die."""

    words: str
    address: str
    chosen: bool
    picture: str = ""


@dataclass(frozen=True)
class FieldRow:
    """A field with its possible values, or a count with the URLs for one *less* and one *more*."""

    label: str
    ways: tuple[FieldWay, ...] = ()
    count: str = ""
    less: str = ""
    more: str = ""


def rows(state: State, entry: EffectEntry) -> tuple[FieldRow, ...]:
    """Return the fields of the effect being chosen."""
    labels = {
        "colour": _("Whose"),
        "from": _("From"),
        "to": _("To"),
        "cell": _("Tile"),
        "room": _("Room"),
        "id": _("Which"),
        "sign": _("It is"),
    }
    made = []
    for name in FIELDS[entry.kind]:
        if name == "count":
            made.append(_counted(entry))
        else:
            chosen = entry.fields.get(name)
            ways = tuple(
                FieldWay(words, entry.address(**{name: value}), value == chosen, value if name != "room" else "")
                for value, words in _ways(state, entry, name)
            )
            made.append(FieldRow(labels[name], ways))
    return tuple(made)


def hint(entry: EffectEntry) -> str:
    """Return a message that says what to tap on the map."""
    if entry.kind == "explore":
        return "" if "cell" in entry.fields else _("Tap the tile on the board.")
    return _("Tap rooms on the board, or choose here.") if entry.kind in BETWEEN else ""


def picture(state: State, entry: EffectEntry) -> ShipPlan:
    """Return the ship.

    The first tap on a room chooses the source, the second the target. A tap on a face-down tile chooses it.
    """
    if entry.kind == "explore":
        cells = {
            cell: TileTap(_("this tile"), entry.address(cell=f"{cell[0]},{cell[1]}")) for cell in closed_cells(state)
        }
        at = tuple(_cell(entry.fields.get("cell", "")))
        return ship(state, cells=cells, marks={cell: "to" for cell in cells if cell == at})
    if entry.kind not in BETWEEN:
        return ship(state)
    begun = bool(entry.fields.get("from")) and not entry.fields.get("to")
    return ship(
        state,
        {room: _end(entry, room, begun) for room in state.researchers},
        marks={entry.fields.get("from", ""): "from"},
    )


def _end(entry: EffectEntry, room: str, begun: bool) -> TileTap:
    if begun and entry.fields["from"] != room:
        return TileTap(_("to here"), entry.address(to=room))
    return TileTap(_("from here"), entry.address(**{"from": "" if begun else room, "to": ""}))


def _counted(entry: EffectEntry) -> FieldRow:
    count, least = _count(entry.fields.get("count", "")), 1 if entry.kind == "researchers" else -RESEARCHERS
    less = entry.address(count=str(count - 1)) if count > least else ""
    more = entry.address(count=str(count + 1)) if count < RESEARCHERS else ""
    signed = f"+{count}" if least < 0 < count else str(count).replace("-", "\u2212")
    return FieldRow(_("How many"), count=signed, less=less, more=more)


def _ways(state: State, entry: EffectEntry, name: str) -> list[tuple[str, str]]:
    match name:
        case "colour":
            return [(face.colour, face.name) for face in faces(state.setting.seats).values()]
        case "from" | "to" if entry.kind == "die":
            return [*((each, str(translated(symbol(each)))) for each in SYMBOLS), (NO_DIE, _("no die"))]
        case "from" | "to":
            return _places(state, entry, entry.fields.get(name, ""))
        case "cell":
            cell = entry.fields.get("cell", "")
            at = _cell(cell)
            return [(cell, _("column %(x)s, row %(y)s", x=at[0], y=at[1]))] if len(at) == len("xy") else []
        case "room":
            return [(room, str(translated(label_of(room)))) for room in closed_rooms(state)]
        case "id":
            return [(each.id, technology_name(state, each.id)) for each in state.setting.technologies]
        case "sign":
            return [("more", _("used")), ("less", _("ready") if entry.kind == "used" else _("free"))]
        case _:
            raise AssertionError(f"no effect has a field {name}")


def _places(state: State, entry: EffectEntry, chosen: str) -> list[tuple[str, str]]:
    """Return the places outside of the board, and the tapped room, as values of a field."""
    places = [("supply", _("Supply"))]
    if entry.kind == "researchers":
        places.append(("species", _("Species card")))
        if any(species.place for species in state.setting.species):
            places.append(("place", _("Own place")))
    if chosen in state.researchers:
        places.append((chosen, str(translated(label_of(chosen)))))
    return places


def _earlier(text: str) -> tuple[dict[str, Any], ...]:
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return ()
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, dict))[:LONGEST_LIST]


def _count(text: str) -> int:
    count = number({"n": text.lstrip("-")}, "n", 0, RESEARCHERS) or 0
    return -count if text.startswith("-") else count


def _cell(text: str) -> list[int]:
    x, _sep, y = text.partition(",")
    try:
        return [int(x[:4]), int(y[:4])]
    except ValueError:
        return []


_READ: Mapping[str, Callable[[str], Any]] = {
    "colour": str,
    "from": str,
    "to": str,
    "room": str,
    "id": str,
    "count": _count,
    "cell": _cell,
}


def effects_scene(look: Look) -> Scene | Elsewhere:
    """Return the page for the effects of the technology `tech` in the query."""
    state: State = look.state
    tech = look.query.get("tech", "")
    known = {each.id for each in state.setting.technologies} - {TELEPORTER}
    if state.phase is not Phase.TURNS or tech not in known:
        return Elsewhere()
    entry = EffectEntry.of(state, look.query)
    line = _line(state, entry)
    facts = _facts(look.snapshot, entry) | {
        "line": line,
        "reason": why_not(look.snapshot, line),
        "ship": picture(state, entry),
        "rows": rows(state, entry),
    }
    return Scene("wreck/effects.html", facts, PlayBar(technology_name(state, tech), back=to()))


def _facts(snapshot: Snapshot, entry: EffectEntry) -> dict[str, Any]:
    """Return the template values: the effects entered so far in words, and the URLs of the next choices."""
    header = snapshot.header or {}
    return {
        "entered": [effect_in_words(each, header) for each in entry.entered],
        "current": "" if entry.effect is None else effect_in_words(entry.effect, header),
        "hint": hint(entry),
        "kinds": [(translated(words), entry.kind == kind, entry.of_kind(kind)) for kind, words in KINDS.items()],
        "another": entry.another(),
        "again": to("effects", tech=entry.tech),
    }


def _line(state: State, entry: EffectEntry) -> Line:
    effects = [*entry.entered, *([] if entry.effect is None else [entry.effect])]
    return {"do": "technology", "player": state.turn, "die": "technology", "id": entry.tech, "effects": effects}


def effect_in_words(effect: Line, header: Line) -> str:
    """Return one effect of a card or a correction in a few words. The effect may be incomplete."""
    names = {player["colour"]: player["name"] for player in header.get("players", ())}
    name = names.get(effect.get("colour", ""), effect.get("colour", ""))
    match effect.get("what"):
        case "researchers":
            ends = {"source": _place(effect.get("from")), "target": _place(effect.get("to"))}
            return _(
                "%(name)s: %(count)s from %(source)s to %(target)s", name=name, count=effect.get("count", 1), **ends
            )
        case "teleporter":
            ends = {"source": _place(effect.get("from")), "target": _place(effect.get("to"))}
            return _("%(name)s's teleporter from %(source)s to %(target)s", name=name, **ends)
        case "die":
            ends = {"source": _side(effect.get("from")), "target": _side(effect.get("to"))}
            return _("%(name)s's die: %(source)s to %(target)s", name=name, **ends)
        case "vaccines":
            return _("%(name)s: %(count)s vaccine markers", name=name, count=_signed(effect))
        case "kp":
            return _("%(name)s: %(count)s KP", name=name, count=_signed(effect))
        case "explore":
            return _("%(room)s is open", room=room(effect.get("room")))
        case "used":
            card = technology_in(header, effect.get("id"))
            return _("%(card)s is used", card=card) if effect.get("used") else _("%(card)s is ready", card=card)
        case "room_action":
            return (
                _("%(name)s: room action used", name=name)
                if effect.get("used")
                else _("%(name)s: room action free", name=name)
            )
        case _:
            return ""


def _place(name: object) -> str:
    words = {"supply": _("Supply"), "species": _("Species card"), "place": _("Own place")}
    return words.get(str(name)) or room(name)


def _side(face: object) -> str:
    return str(translated(symbol(str(face)))) if face in SYMBOLS else _("no die")


def _signed(effect: Line) -> str:
    count = effect.get("count", 0)
    return f"+{count}" if isinstance(count, int) and count > 0 else str(count)
