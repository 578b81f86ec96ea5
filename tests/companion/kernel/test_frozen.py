"""Frozen values: a copy with some fields replaced."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.kernel.frozen import replace


@dataclass(frozen=True, slots=True)
class Cube:
    """A frozen class with slots."""

    colour: str
    size_mm: int = 8


@dataclass(frozen=True)
class Bag:
    """A frozen class without slots."""

    colour: str
    size_mm: int = 8


@pytest.mark.parametrize("kind", [Cube, Bag])
def test_only_what_is_named_is_replaced(kind: type[Cube | Bag]) -> None:
    """Frozen values: a copy has the replaced fields and all other fields of the original, which does not change."""
    value = kind("red", 10)

    assert replace(value, colour="blue") == kind("blue", 10)
    assert value == kind("red", 10)


@pytest.mark.parametrize("kind", [Cube, Bag])
def test_a_field_that_is_none_is_refused(kind: type[Cube | Bag]) -> None:
    """Frozen values: replacing an unknown field raises a TypeError that names the field."""
    with pytest.raises(TypeError, match=f"{kind.__name__} has no weight"):
        replace(kind("red"), weight=1)  # type: ignore[call-arg]
