"""The new-game page: who plays, by which rulings, on which board; a form that loses nothing on a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.andromeda.board import (
    CENTRES,
    EXAMPLE,
    GREATEST_VALUE,
    LEAST_VALUE,
    USUAL_VALUES,
    Planet,
    recorded_label,
    shown_label,
)
from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.names import TYPED_UNITS, name_fault
from companion.kernel.validation import Line
from web.components.seats import (
    check_seats,
    colour_of,
    first_of,
    players_in,
    seat,
    seat_field,
    seated,
)
from web.games.andromeda.setup.demo import RECORD
from web.games.andromeda.setup.rulings import RULINGS, Ruling
from web.http.i18n import translated
from web.request.game_pages import Scene

COLOURS = ("red", "blue", "green", "yellow", "black")
COUNTS, MOST, USUAL_PLAYERS = (3, 4, 5), 5, 4
LONGEST_LABEL = 16


@dataclass(frozen=True)
class RulingField:
    """One option with the word chosen for it."""

    ruling: Ruling
    chosen: str


@dataclass(frozen=True)
class PlanetField:
    """One planet with its label and its three values as they were typed."""

    planet: Planet
    label: str
    values: tuple[str, ...]
    odd: tuple[bool, ...]


def new_game_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with what is filled in so far."""
    players = _players(form)
    first = first_of(form, players)
    planets = tuple(_planet_field(form, planet) for planet in EXAMPLE.planets)
    rulings = tuple(RulingField(ruling, _chosen(form, ruling)) for ruling in RULINGS)
    changed = sum(field.chosen != field.ruling.default for field in rulings)
    return Scene(
        "andromeda/new.html",
        {
            "players": players,
            "counts": COUNTS,
            "seats": tuple(seat_field(form, at, COLOURS, first) for at in range(1, MOST + 1)),
            "colours": COLOURS,
            "rulings": rulings,
            "changed": changed,
            "planet_fields": planets,
            "example": all(_same(field) for field in planets),
            "unusual": any(any(field.odd) for field in planets),
            "sure": "sure" in form,
            "longest_name": TYPED_UNITS,
            "longest_label": LONGEST_LABEL,
        },
    )


def header_from(form: Mapping[str, str]) -> Line:
    """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""
    seats = [seat(form, at, colour_of(form, at, COLOURS), COLOURS) for at in range(1, _players(form) + 1)]
    check_seats(seats)
    header: dict[str, Any] = {**RECORD, "players": seats, "first": seats[first_of(form, len(seats)) - 1]["colour"]}
    if options := _options(form):
        header["options"] = options
    board = [_planet(form, planet) for planet in EXAMPLE.planets]
    if any(row != _row(planet) for row, planet in zip(board, EXAMPLE.planets, strict=True)):
        check_usual(
            form,
            {
                _value_name(each, at): (row["label"], row["centres"][at])
                for each, row in zip(EXAMPLE.planets, board, strict=True)
                for at in range(CENTRES)
            },
        )
        header["board"] = {"planets": board}
    return header


def filled_from(header: Line) -> dict[str, str]:
    """Return the form that gives *header*: the next game starts from the last one's table."""
    form = seated(header["players"], header["first"], COLOURS, MOST)
    for name, value in header.get("options", {}).items():
        form[name] = value if isinstance(value, str) else "on" if value else "off"
    return form | (board_fields(header["board"]) if "board" in header else {})


def board_fields(board: Line | None) -> dict[str, str]:
    """Return the part of the form that gives *board*; None: the example."""
    rows = [_row(planet) for planet in EXAMPLE.planets] if board is None else board["planets"]
    form = {f"label_{row['id']}": str(row["label"]) for row in rows}
    for row in rows:
        form |= {f"value_{row['id']}_{at}": str(value) for at, value in enumerate(row["centres"])}
    return form


def _players(form: Mapping[str, str]) -> int:
    return players_in(form, COUNTS, USUAL_PLAYERS)


def _chosen(form: Mapping[str, str], ruling: Ruling) -> str:
    word = form.get(ruling.name, ruling.default)
    return word if word in dict(ruling.ways) else ruling.default


def _options(form: Mapping[str, str]) -> dict[str, object]:
    chosen = {ruling.name: _chosen(form, ruling) for ruling in RULINGS}
    words = {"on": True, "off": False}
    return {
        ruling.name: words[chosen[ruling.name]] if ruling.yes_or_no else chosen[ruling.name]
        for ruling in RULINGS
        if chosen[ruling.name] != ruling.default
    }


def _planet_field(form: Mapping[str, str], planet: Planet) -> PlanetField:
    values = tuple(form.get(_value_name(planet, at), str(planet.centres[at])) for at in range(CENTRES))
    return PlanetField(
        planet, shown_label(form.get(f"label_{planet.id}", planet.label)), values, tuple(map(_is_odd, values))
    )


def _is_odd(text: str) -> bool:
    return not (text.isascii() and text.isdigit() and int(text[:4] or 0) in USUAL_VALUES)


def _same(field: PlanetField) -> bool:
    return field.values == tuple(map(str, field.planet.centres))


def _value_name(planet: Planet, at: int) -> str:
    return f"value_{planet.id}_{at}"


def _planet(form: Mapping[str, str], planet: Planet) -> dict[str, Any]:
    label = _label(form, planet)
    if (fault := name_fault(label, LONGEST_LABEL)) is not None:
        raise Malformed(said("%(what)s: %(why)s", what=planet.label, why=fault), f"label_{planet.id}")
    values = [_value(form, planet, label, at) for at in range(CENTRES)]
    return {"id": planet.id, "label": recorded_label(label), "centres": values}


def _label(form: Mapping[str, str], planet: Planet) -> str:
    """Return what a planet is called; what is left as this page showed it stays ours, for readers of every language."""
    label = form.get(f"label_{planet.id}", "").strip()
    return planet.label if label in ("", planet.label, translated(planet.label)) else label


def _value(form: Mapping[str, str], planet: Planet, label: str, at: int) -> int:
    text = form.get(_value_name(planet, at), str(planet.centres[at])).strip()
    return checked_value(text, planet, label, at)


def checked_value(text: str, planet: Planet, label: str, at: int) -> int:
    """Return the value that was typed for centre *at*, or raise `Malformed` naming it."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0
    if not LEAST_VALUE <= value <= GREATEST_VALUE:
        raise Malformed(
            said(
                "%(planet)s, centre %(number)s: a number from %(least)s to %(most)s, not %(given)s.",
                planet=translated(shown_label(label)),
                number=at + 1,
                least=LEAST_VALUE,
                most=GREATEST_VALUE,
                given=text or said("blank"),
            ),
            _value_name(planet, at),
        )
    return value


def _row(planet: Planet) -> dict[str, Any]:
    return {"id": planet.id, "label": recorded_label(planet.label), "centres": list(planet.centres)}


def check_usual(form: Mapping[str, str], values: Mapping[str, tuple[str, int]]) -> None:
    """Ask again about values that no board was ever seen with: a slip of the finger costs a whole evening.

    *values* are the planet's label and the value of each field.
    """
    wrong = {name: each for name, each in values.items() if each[1] not in USUAL_VALUES}
    odd = [f"{translated(shown_label(label))} {value}" for label, value in wrong.values()]
    if odd and "sure" not in form:
        least, greatest = USUAL_VALUES[0], USUAL_VALUES[-1]
        raise Malformed(
            said(
                "Really %(values)s? Centres usually have %(least)s to %(most)s. If that's printed there, tick "
                "that the values are right.",
                values=", ".join(odd),
                least=least,
                most=greatest,
            ),
            next(iter(wrong)),
        )
