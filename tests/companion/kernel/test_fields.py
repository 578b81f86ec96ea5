"""Untrusted data is read field by field, and an invalid field is reported with its path."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.said import said

TOLD = {"speed": 3, "name": "Ana's copy", "limits": {"lay": 20}, "sure": True, "none": None}


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda told: told.number("speed", 4, 9.5), "world.speed must be a number from 4 to 9.5, not 3"),
        (lambda told: told.number("sure", 0, 9), "world.sure must be a number from 0 to 9, not true"),
        (lambda told: told.number("name", 0, 9), 'world.name must be a number from 0 to 9, not "Ana\'s copy"'),
        (lambda told: told.number("size", 0, 9), "world.size is missing; it must be a number from 0 to 9"),
        (lambda told: told.label("name", 5), 'world.name must be text of 1 to 5 characters, not "Ana\'s copy"'),
        (lambda told: told.label("none", 5), "world.none must be text of 1 to 5 characters, not null"),
        (lambda told: told.inner("speed"), "world.speed must be an object, not 3"),
        (lambda told: told.inner("limits").whole("lay", 30), "world.limits.lay must be 30 or more, not 20"),
        (lambda told: told.inner("limits").only("keep"), "world.limits.lay isn't known here; choose from keep"),
        (lambda told: told.word("speed", ("slow", "fast")), "world.speed must be one of slow, fast, not 3"),
        (
            lambda told: told.wanted("sure", said("a cube"), lambda value: False),
            "world.sure must be a cube, not true",
        ),
    ],
)
def test_what_is_wrong_is_said_with_where_it_lies(read: Callable[[Fields], object], says: str) -> None:
    """Reading: the message names the field's path, the expected kind of value and the value that was given."""
    with pytest.raises(Malformed) as refused:
        read(Fields(TOLD, "world"))

    assert refused.value.reason == says


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, "3", None, [3]])
def test_what_is_no_number_is_none(value: object) -> None:
    """Reading: true, None, strings of digits, NaN and infinity are not accepted as numbers."""
    with pytest.raises(Malformed):
        Fields({"speed": value}).number("speed", 0, 9)


def test_what_is_right_is_handed_on() -> None:
    """Reading: valid values are returned, defaults replace missing ones, and unread fields are listed."""
    fields = Fields(TOLD)

    assert (fields.number("speed", 1, 9), fields.label("name", 60), fields.number("size", 0, 1, 0.5)) == (
        3,
        "Ana's copy",
        0.5,
    )
    assert fields.names == ("limits", "sure", "none")
