"""The page for a new game of Andromeda: three to five players, the options, and the values of the board."""

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
from companion.games.andromeda.header import FIELDS
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.names import name_fault
from companion.kernel.said import said
from web.components.new_game import NewGame, OwnFields
from web.http.i18n import _, translated
from web.request.game_pages import Scene

LONGEST_LABEL = 16


@dataclass(frozen=True)
class PlanetField:
    """One planet of the form: its label and its three values as typed. *odd* says which values are unusual."""

    planet: Planet
    label: str
    typed: tuple[str, ...]
    odd: tuple[bool, ...]


def _values(form: Mapping[str, str], players: int) -> dict[str, Any]:
    """Return the template values for the board, as filled in so far."""
    planets = tuple(planet_field(form, planet) for planet in EXAMPLE.planets)
    return {
        "planet_fields": planets,
        "example": all(_same(field) for field in planets),
        "unusual": any(any(field.odd) for field in planets),
        "sure": "sure" in form,
        "longest_label": LONGEST_LABEL,
    }


def board_in(form: Mapping[str, str]) -> Line | None:
    """Return the board in *form*, or None if it is the example board.

    Raise `Malformed` with the reason if a value is wrong.
    """
    board = [_planet(form, planet) for planet in EXAMPLE.planets]
    if all(row == _row(planet) for row, planet in zip(board, EXAMPLE.planets, strict=True)):
        return None
    values = {
        value_name(each, at): (row["label"], row["centres"][at])
        for each, row in zip(EXAMPLE.planets, board, strict=True)
        for at in range(CENTRES)
    }
    check_usual(form, values)
    return {"planets": board}


def _board(form: Mapping[str, str], players: int) -> Line:
    board = board_in(form)
    return {} if board is None else {"board": board}


def board_fields(board: Line | None) -> dict[str, str]:
    """Return the form fields for *board*. None is the example board."""
    rows = [_row(planet) for planet in EXAMPLE.planets] if board is None else board["planets"]
    form = {f"label_{row['id']}": str(row["label"]) for row in rows}
    for row in rows:
        form |= {f"value_{row['id']}_{at}": str(value) for at, value in enumerate(row["centres"])}
    return form


def planet_field(form: Mapping[str, str], planet: Planet, blank: bool = False) -> PlanetField:
    """Return the fields of *planet* as filled in.

    Missing values are taken from the example board, or are empty with *blank*.
    """
    typed = tuple(form.get(value_name(planet, at), "" if blank else str(planet.centres[at])) for at in range(CENTRES))
    odd = tuple(not (_is_usual(text.strip()) or (blank and not text.strip())) for text in typed)
    return PlanetField(planet, shown_label(form.get(f"label_{planet.id}", planet.label)), typed, odd)


def _is_usual(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text[:4]) in USUAL_VALUES


def _same(field: PlanetField) -> bool:
    return field.typed == tuple(map(str, field.planet.centres))


def value_name(planet: Planet, at: int) -> str:
    """Return the name of the form field for centre number *at*."""
    return f"value_{planet.id}_{at}"


def _planet(form: Mapping[str, str], planet: Planet) -> dict[str, Any]:
    label = _label(form, planet)
    if (fault := name_fault(label, LONGEST_LABEL)) is not None:
        raise Malformed(said("%(what)s: %(why)s", what=planet.label, why=fault), f"label_{planet.id}")
    values = [_value(form, planet, label, at) for at in range(CENTRES)]
    return {"id": planet.id, "label": recorded_label(label), "centres": values}


def _label(form: Mapping[str, str], planet: Planet) -> str:
    """Return a planet's label.

    If people did not change the label, return the program's own label, which can be translated.
    """
    label = form.get(f"label_{planet.id}", "").strip()
    return planet.label if label in ("", planet.label, translated(planet.label)) else label


def _value(form: Mapping[str, str], planet: Planet, label: str, at: int) -> int:
    text = form.get(value_name(planet, at), str(planet.centres[at])).strip()
    return checked_value(text, planet, label, at)


def checked_value(text: str, planet: Planet, label: str, at: int) -> int:
    """Return the value that was typed for centre number *at*, or raise `Malformed`, which names the field."""
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
            value_name(planet, at),
        )
    return value


def _row(planet: Planet) -> dict[str, Any]:
    return {"id": planet.id, "label": recorded_label(planet.label), "centres": list(planet.centres)}


def check_usual(form: Mapping[str, str], values: Mapping[str, tuple[str, int]]) -> None:
    """Raise `Malformed` if a value is unusual and has not been confirmed, since a typing error would spoil the game.

    *values* maps each field to the planet's label and the value.
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


NEW_GAME = NewGame(
    FIELDS,
    ("red", "blue", "green", "yellow", "black"),
    usual=4,
    aside="Andromeda",
    heading=said("Who sits where?"),
    order=said("clockwise, oldest first"),
    begins=said("oldest"),
    copy_of="board",
    styles=("andromeda/andromeda.css", "andromeda/new.css"),
    own=OwnFields(
        "andromeda/values.html",
        _values,
        _board,
        form=lambda header: board_fields(header["board"]) if "board" in header else {},
    ),
)


def board_entry_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with the values typed in so far.

    Missing values stay empty and are not taken from the example board.
    """
    rows = tuple(planet_field(form, planet, blank=True) for planet in EXAMPLE.planets)
    more = {
        "rows": rows,
        "least": USUAL_VALUES[0],
        "greatest": USUAL_VALUES[-1],
        "longest_label": LONGEST_LABEL,
        "unusual": any(any(row.odd) for row in rows),
        "sure": "sure" in form,
    }
    return Scene("andromeda/board_values.html", more)


def board_from(form: Mapping[str, str]) -> Line | None:
    """Return the board in *form*, or None if it is the example board.

    Raise `Malformed` with the reason if a value is wrong.

    Wrong values are reported before missing ones.
    """
    typed = {
        value_name(planet, at): (planet, label, at, form.get(value_name(planet, at), "").strip())
        for planet in EXAMPLE.planets
        for label in (form.get(f"label_{planet.id}", "").strip() or str(translated(planet.label)),)
        for at in range(CENTRES)
    }
    filled = {
        name: (label, checked_value(text, each, label, at)) for name, (each, label, at, text) in typed.items() if text
    }
    check_usual(form, filled)
    for name, (_planet, label, at, text) in typed.items():
        if not text:
            missing = _(
                "%(planet)s, centre %(number)s is missing. Later saves what you have.",
                planet=shown_label(label),
                number=at + 1,
            )
            raise Malformed(missing, name)
    return board_in(form)
