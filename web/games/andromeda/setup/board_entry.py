"""The page on which players type in the 21 values of their own board. They do that once."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.board import CENTRES, EXAMPLE, USUAL_VALUES, shown_label
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from web.games.andromeda.setup.new_game import (
    LONGEST_LABEL,
    board_in,
    check_usual,
    checked_value,
    planet_field,
    value_name,
)
from web.http.i18n import _, translated
from web.request.game_pages import Scene


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
