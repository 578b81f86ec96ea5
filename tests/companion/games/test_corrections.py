"""The fields that games declare for their pages of corrections, against the lines of their records."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion.games.andromeda import corrections as andromeda
from companion.games.hanse import corrections as hanse
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.model.corrections import Choice, Count, correction

DECLARED = {
    "andromeda": (andromeda.COUNTS, andromeda.CREDITS),
    "hanse": (hanse.COUNTS, hanse.SHIP, hanse.DISCARDS),
}
FIELDS = [
    pytest.param(name, field, "" if group.shared else "red", id=f"{name}-{'-'.join(field.path)}")
    for name, groups in DECLARED.items()
    for group in groups
    for field in group.fields
]


def values(field: Count | Choice) -> Iterable[str | int]:
    """Return each value that the page can set."""
    return range(field.least, field.most + 1) if isinstance(field, Count) else (way.value for way in field.ways)


@pytest.mark.parametrize(("name", "field", "whose"), FIELDS)
def test_each_value_of_a_declared_field_makes_a_line_of_the_game(name: str, field: Count | Choice, whose: str) -> None:
    """Corrections: a line for each value on the page is read, and written as it was."""
    game = GAMES[name]
    lines = [correction(whose, field.path, value) for value in values(field)]

    assert [game.line(game.parse(line)) for line in lines] == lines


@pytest.mark.parametrize(("name", "field", "whose"), [each for each in FIELDS if isinstance(each.values[1], Count)])
def test_a_line_goes_no_lower_than_the_page(name: str, field: Count, whose: str) -> None:
    """Corrections: the least number on the page is the least that a record can have."""
    with pytest.raises(Malformed, match=field.path[-1]):
        GAMES[name].parse(correction(whose, field.path, field.least - 1))
