"""The fields of the correction pages, compared with the lines that the games accept."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from companion.games.andromeda import corrections as andromeda
from companion.games.hanse import corrections as hanse
from companion.games.registry import GAMES
from companion.games.wreck import corrections as wreck
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.model.corrections import Choice, Count, correction, line_for
from tests.companion.games.wreck.evening import Evening

DECLARED = {
    "andromeda": (andromeda.COUNTS, andromeda.CREDITS),
    "hanse": (hanse.COUNTS, hanse.DISCARDS),
    "wreck": (wreck.COUNTS, wreck.DICE_LEFT, wreck.ROOM_ACTION),
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


def lines(field: Count | Choice, whose: str) -> list[Line]:
    """Return the line for each value that the page can set, in a state that the line changes."""
    if field.line is None:
        return [correction(whose, field.path, value) for value in values(field)]
    assert field.now is not None
    state = Evening().in_turns().holding("red", move=2).game
    return [line_for(field, state, whose, value) for value in values(field) if value != field.now(state, whose)]


@pytest.mark.parametrize(("name", "field", "whose"), FIELDS)
def test_each_value_of_a_declared_field_makes_a_line_of_the_game(name: str, field: Count | Choice, whose: str) -> None:
    """The correction line for each value on the page can be parsed and is written back unchanged."""
    game = GAMES[name]
    made = lines(field, whose)

    assert [game.line(game.parse(line)) for line in made] == made


@pytest.mark.parametrize(
    ("name", "field", "whose"),
    [each for each in FIELDS if isinstance(each.values[1], Count) and each.values[1].line is None],
)
def test_a_line_goes_no_lower_than_the_page(name: str, field: Count, whose: str) -> None:
    """Corrections: a line with a number below the page's minimum is refused."""
    with pytest.raises(Malformed, match=field.path[-1]):
        GAMES[name].parse(correction(whose, field.path, field.least - 1))
