"""Frozen values: a copy with some fields changed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.kernel.frozen import replace


@dataclass(frozen=True, slots=True)
class Cube:
    """Something with fields."""

    colour: str
    size_mm: int = 8


def test_only_what_is_named_is_replaced() -> None:
    """Frozen values: a copy has what was named, and everything else of the value it was made from, which stays."""
    cube = Cube("red", 10)

    assert replace(cube, colour="blue") == Cube("blue", 10)
    assert cube == Cube("red", 10)


def test_a_field_that_is_none_is_refused() -> None:
    """Frozen values: a name that the value does not have is a fault of ours, and said."""
    with pytest.raises(TypeError, match="Cube has no weight"):
        replace(Cube("red"), weight=1)  # type: ignore[call-arg]
