"""The page for a new game of the wreck, and the demonstration game.

The page asks for players with their species, the layout of tiles, and the technologies.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.wreck.box import BOX
from companion.games.wreck.cards import RESEARCHERS, TELEPORTER, VACCINE
from companion.games.wreck.dice import DICE
from companion.games.wreck.header import FIELDS, connected
from companion.games.wreck.rooms import TILES
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.names import name_fault
from companion.kernel.said import said
from web.components.new_game import NewGame, OwnFields

MOST = max(FIELDS.counts)
TITLE = "Andromeda (2015)"
LONGEST_CARD = 30
SIDE = 3
"""The greatest distance of a tile from the airlock that can be entered on the page."""
OTHERS = 3
SPECIES, TECHNOLOGY = "species", "tech"
_TYPED = ("species", "aboard", "trained", "place", "per")


@dataclass(frozen=True)
class SpeciesField:
    """The species of a seat, as it was typed."""

    species: str
    aboard: str
    trained: str
    place: str
    per: str
    wrong: str
    """The name of the wrong field of the species, after the form was sent.

    The species' card is then open on the page.
    """


@dataclass(frozen=True)
class CellField:
    """One square of the grid for the layout."""

    x: int
    y: int
    laid: bool

    @property
    def name(self) -> str:
        """The name of the form field of this square."""
        return f"cell_{self.x}_{self.y}"

    @property
    def airlock(self) -> bool:
        """Whether the airlock is here."""
        return (self.x, self.y) == (0, 0)


@dataclass(frozen=True)
class KnownCard:
    """A card of the box that was entered in an earlier game.

    A tap sends *pick*, which fills the card in, or removes it.
    """

    name: str
    pick: str
    chosen: bool


def _facts(form: Mapping[str, str], players: int) -> dict[str, Any]:
    """Return the template values for species, tiles and technologies, as filled in so far."""
    known = _known(form)
    form = _picked(form, known, players)
    laid = {tuple(cell) for cell in _layout(form, players)}
    return {
        "species": tuple(_species_field(form, at) for at in range(1, MOST + 1)),
        "cells": [CellField(x, y, (x, y) in laid) for y in range(-SIDE, SIDE + 1) for x in range(-SIDE, SIDE + 1)],
        "own_cells": "cells" in form,
        "tiles": TILES,
        "technologies": [(at, form.get(f"tech{at}", "")) for at in range(1, OTHERS + 1)],
        "vaccine": form.get("vaccine", ""),
        "longest_card": LONGEST_CARD,
        "known": form.get("known", ""),
        "known_species": _cards(form, SPECIES, [each["name"] for each in known.get("species", ())], players),
        "known_technologies": _cards(form, TECHNOLOGY, known.get("technologies", ()), OTHERS),
    }


def _laid_out(form: Mapping[str, str], players: int) -> Line:
    """Return the tiles and technologies in *form*. Raise `Malformed` with the reason if a value is wrong."""
    layout = _layout(form, players)
    _check_layout(layout, players, form.get("tiles", ""))
    return {"layout": layout, "technologies": _technologies(form)}


def _filled(header: Line) -> dict[str, str]:
    """Return the form fields for species, tiles and technologies of *header*."""
    form = {"cells": "own"} | {f"cell_{x}_{y}": "on" for x, y in header["layout"]}
    for at, player in enumerate(header["players"], 1):
        form |= {f"species{at}": player["species"]["name"], **_fields_of(player["species"], at)}
    others = [each for each in header["technologies"] if each["id"] != TELEPORTER]
    for at, technology in enumerate(others, 1):
        form[f"tech{at}"] = technology["name"]
        if technology["id"] == VACCINE:
            form["vaccine"] = str(at)
    return form


def box_fields(board: Line | None) -> dict[str, str]:
    """Return the form field with the species and technologies of a box. Missions are not needed before the game."""
    known = {name: cards for name, cards in (board or {}).items() if name != "missions"}
    return {"known": json.dumps(known, ensure_ascii=False) if known else ""}


def _cards(form: Mapping[str, str], field: str, names: Iterable[str], places: int) -> list[KnownCard]:
    typed = {form.get(f"{field}{at}", "").strip() for at in range(1, places + 1)}
    return [KnownCard(name, f"{field} {name}", name in typed) for name in sorted(names, key=str.casefold)]


def _picked(form: Mapping[str, str], known: Line, players: int) -> Mapping[str, str]:
    """Return the form after a tap on a known card. The tap puts the card into the first free place, or removes it."""
    field, _, name = form.get("pick", "").partition(" ")
    places = {SPECIES: players, TECHNOLOGY: OTHERS}.get(field, 0)
    typed = {at: form.get(f"{field}{at}", "").strip() for at in range(1, places + 1)}
    at = next((at for text in (name, "") for at, found in typed.items() if found == text), None)
    if at is None or not name:
        return form
    card = next((each for each in known.get("species", ()) if each["name"] == name), None)
    filled = _fields_of(card if field == SPECIES and typed[at] != name else None, at) if field == SPECIES else {}
    return {**form, **filled, f"{field}{at}": "" if typed[at] == name else name}


def _fields_of(species: Line | None, at: int) -> dict[str, str]:
    """Return the form fields of seat number *at* for a known *species*, or empty fields for None."""
    place = (species or {}).get("place", {})
    numbers = {name: (species or {}).get(name, "") for name in ("aboard", "trained")}
    own = {"place": place.get("name", ""), "per": place.get("per_kp", "")}
    return {f"{name}{at}": str(value) for name, value in (numbers | own).items()}


def _known(form: Mapping[str, str]) -> Line:
    try:
        return BOX.checked(json.loads(form.get("known") or "{}"))
    except (ValueError, Malformed):
        return {}


def _species_field(form: Mapping[str, str], at: int) -> SpeciesField:
    wrong = _wrong(form, at) if f"aboard{at}" in form and "pick" not in form else ""
    species, aboard, trained, place, per = (form.get(f"{name}{at}", "") for name in _TYPED)
    return SpeciesField(species, aboard, trained, place, per, wrong)


def _wrong(form: Mapping[str, str], at: int) -> str:
    try:
        _species(form, at, "")
    except Malformed as fault:
        return fault.field
    return ""


def _player(form: Mapping[str, str], at: int, name: str) -> Line:
    return {"species": _species(form, at, name)}


def _species(form: Mapping[str, str], at: int, player: str) -> dict[str, Any]:
    """Return the species of a seat: the typed numbers, or the known numbers of the species with that name."""
    name = form.get(f"species{at}", "").strip()
    if name and (fault := name_fault(name, LONGEST_CARD)) is not None:
        raise Malformed(said("%(what)s: %(why)s", what=player, why=fault), f"species{at}")
    typed = [form.get(f"{field}{at}", "").strip() for field in ("aboard", "trained")]
    known = next((each for each in _known(form).get("species", ()) if each["name"] == name and name), None)
    if known is not None and not any(typed):
        return dict(known)
    aboard, trained = (
        _number(text, player, RESEARCHERS, field)
        for text, field in zip(typed, (f"aboard{at}", f"trained{at}"), strict=True)
    )
    if aboard + trained > RESEARCHERS:
        raise Malformed(said("%(name)s has 16 researchers. Those numbers are more.", name=player), f"aboard{at}")
    species: dict[str, Any] = {"name": name, "aboard": aboard, "trained": trained}
    per = form.get(f"per{at}", "").strip()
    if per:
        place = form.get(f"place{at}", "").strip()
        if place and (fault := name_fault(place, LONGEST_CARD)) is not None:
            raise Malformed(said("%(what)s: %(why)s", what=player, why=fault), f"place{at}")
        species["place"] = {"name": place, "per_kp": max(1, _number(per, player, RESEARCHERS, f"per{at}"))}
    return species


def _number(text: str, player: str, most: int, field: str) -> int:
    """Return the number in *field* of a species card. It is required, since the game can't begin without it."""
    if not text:
        raise Malformed(said("%(name)s: the species card is required. Enter its two numbers.", name=player), field)
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) <= most):
        wrong = said(
            "%(name)s: numbers of the species card are 0 to %(most)s, not %(given)s.",
            name=player,
            most=most,
            given=text,
        )
        raise Malformed(wrong, field)
    return int(text)


def _layout(form: Mapping[str, str], players: int) -> list[list[int]]:
    """Return the ticked cells, beginning with the airlock. If the grid was not changed, return the default layout."""
    if form.get("cells") != "own":
        return LAYOUT[2 if players == min(DICE) else 3]
    around = range(-SIDE, SIDE + 1)
    return [[0, 0], *([x, y] for y in around for x in around if (x, y) != (0, 0) and form.get(f"cell_{x}_{y}"))]


def _check_layout(layout: list[list[int]], players: int, tiles: str) -> None:
    if tiles != "free" and len(layout) != TILES[players]:
        wanted = TILES[players]
        raise Malformed(said("Lay %(wanted)s tiles with the airlock, not %(count)s.", wanted=wanted, count=len(layout)))
    if not connected(tuple((x, y) for x, y in layout)):
        raise Malformed(said("Every tile needs a side in common with another."))


def _technologies(form: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the Teleporter and three other technologies. One of them may be Vaccine."""
    vaccine = form.get("vaccine", "")
    rows = [{"id": TELEPORTER, "name": ""}]
    for at in range(1, OTHERS + 1):
        name = form.get(f"tech{at}", "").strip()
        if name and (fault := name_fault(name, LONGEST_CARD)) is not None:
            raise Malformed(said("%(what)s: %(why)s", what=said("Technology %(num)s", num=at), why=fault), f"tech{at}")
        rows.append({"id": VACCINE if vaccine == str(at) else f"t{at + 1}", "name": name})
    return rows


NEW_GAME = NewGame(
    FIELDS,
    ("red", "blue", "green", "yellow"),
    usual=3,
    aside=TITLE,
    heading=said("Who plays which species?"),
    order=said("clockwise"),
    begins=said("starts"),
    note="",
    foot=said("You can change tiles and cards during the game."),
    copy_of="cards",
    styles=("wreck/wreck.css", "wreck/setting.css"),
    own=OwnFields(
        "wreck/new_game.html",
        _facts,
        _laid_out,
        _player,
        _filled,
    ),
)


RECORD: Mapping[str, Any] = {"record": "table-record", "version": 1, "game": "wreck"}
LAYOUT = {
    2: [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1]],
    3: [[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, -1], [-1, 1], [1, 1]],
}
"""The default layouts of tiles around the airlock. They are invented, since the pictures of the rules are lost."""
TECHNOLOGIES = ("teleporter", "t2", "t3", "t4")
_SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))


def demo() -> tuple[Line, ...]:
    """Return the header of the demonstration game, and the lines up to a turn with possible actions."""
    return (header(_SEATS), *_rolled(), *_offered(), *_played())


def header(seats: tuple[tuple[str, str], ...]) -> Line:
    """Return a header for simulated players. Their species have no names."""
    players = [
        {"colour": colour, "name": name, "species": {"name": "", "aboard": 3, "trained": 4}} for colour, name in seats
    ]
    technologies = [{"id": id, "name": ""} for id in TECHNOLOGIES]
    layout = LAYOUT[2 if len(seats) == 2 else 3]
    return {**RECORD, "players": players, "first": seats[0][0], "layout": layout, "technologies": technologies}


def _rolled() -> tuple[Line, ...]:
    dice = [
        "training",
        "support",
        "support",
        "improvise",
        "move",
        "move",
        "move",
        "technology",
        "technology",
        "training",
    ]
    return ({"do": "open", "card": None}, {"do": "roll", "player": "red", "dice": dice})


def _offered() -> tuple[Line, ...]:
    return (
        {"do": "offer", "player": "red", "dice": ["move", "training"]},
        {"do": "accept", "player": "blue", "die": "move"},
        {"do": "offer", "player": "red", "dice": ["support", "move"]},
        {"do": "decline", "player": "green"},
        {"do": "accept", "player": "red", "die": "technology"},
    )


def _played() -> tuple[Line, ...]:
    explore = {"do": "explore", "from": "airlock"}
    return (
        {**explore, "player": "blue", "die": "move", "cell": [-1, 0], "room": "engine"},
        {"do": "train", "player": "blue", "die": "training", "count": 2},
        {"do": "end_turn", "player": "blue"},
        {**explore, "player": "red", "die": "move", "cell": [0, -1], "room": "cryo"},
    )
