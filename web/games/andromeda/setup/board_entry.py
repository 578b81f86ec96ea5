"""The page where the 21 values of one's own board are typed in, once, from the cardboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.andromeda.board import CENTRES, EXAMPLE, USUAL_VALUES, Planet, shown_label
from companion.kernel.errors import Malformed
from companion.kernel.validation import Line
from web.games.andromeda.setup.new_game import LONGEST_LABEL, check_usual, checked_value, header_from
from web.http.i18n import _, translated
from web.request.game_pages import Scene


@dataclass(frozen=True)
class BoardRow:
    """One planet: its name and its three values as they were typed, and which of them nobody has seen on a board."""

    planet: Planet
    label: str
    typed: tuple[str, ...]
    odd: tuple[bool, ...]


def board_entry_scene(form: Mapping[str, str]) -> Scene:
    """Return the page with what is filled in so far; what is not typed in yet is empty, not invented."""
    rows = tuple(_row(form, planet) for planet in EXAMPLE.planets)
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
    """Return the board that *form* gives, None where it is the example, or raise `Malformed` with what is wrong.

    What was typed and is wrong is named before what is missing still.
    """
    typed = {
        name: (planet, label, at, form.get(name, "").strip())
        for planet in EXAMPLE.planets
        for label in (form.get(f"label_{planet.id}", "").strip() or str(translated(planet.label)),)
        for at, name in enumerate(_names(planet))
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
    wanted = {name: value for name, value in form.items() if name.startswith(("label_", "value_")) or name == "sure"}
    board: Line | None = header_from(wanted).get("board")
    return board


def _row(form: Mapping[str, str], planet: Planet) -> BoardRow:
    typed = tuple(form.get(name, "") for name in _names(planet))
    return BoardRow(planet, shown_label(form.get(f"label_{planet.id}", planet.label)), typed, tuple(map(_odd, typed)))


def _names(planet: Planet) -> tuple[str, ...]:
    return tuple(f"value_{planet.id}_{at}" for at in range(CENTRES))


def _odd(text: str) -> bool:
    text = text.strip()
    return bool(text) and not (text.isascii() and text.isdigit() and int(text[:4]) in USUAL_VALUES)
