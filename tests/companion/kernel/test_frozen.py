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


@dataclass(frozen=True)
class Bag:
    """Something with fields and no slots."""

    colour: str
    size_mm: int = 8


@pytest.mark.parametrize("kind", [Cube, Bag])
def test_only_what_is_named_is_replaced(kind: type[Cube | Bag]) -> None:
    """Frozen values: a copy has what was named, and everything else of the value it was made from, which stays."""
    value = kind("red", 10)

    assert replace(value, colour="blue") == kind("blue", 10)
    assert value == kind("red", 10)


@pytest.mark.parametrize("kind", [Cube, Bag])
def test_a_field_that_is_none_is_refused(kind: type[Cube | Bag]) -> None:
    """Frozen values: a name that the value does not have is a fault of ours, and said."""
    with pytest.raises(TypeError, match=f"{kind.__name__} has no weight"):
        replace(kind("red"), weight=1)  # type: ignore[call-arg]
