"""Values behave like frozen dataclasses, but their methods are generated only when the first one is made."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Mapping
from threading import Barrier, Thread
from typing import Any

import pytest

from companion.kernel.values import dataclass, replace


@dataclass(frozen=True)
class Card:
    """A card on a planet."""

    planet: str
    value: int = 1
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def dear(self) -> bool:
        """Return whether its value is above 3."""
        return self.value > 3


@dataclass(frozen=True)
class BonusCard(Card):
    """A subclass with one more field."""

    credits: str = "gold"


@dataclasses.dataclass(frozen=True)
class OrdinaryCard:
    """The same class as a standard dataclass."""

    planet: str
    value: int = 1
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)


def test_a_value_is_what_it_was_made_of() -> None:
    """Values are made from positional or keyword arguments, and each gets its own mutable default."""
    one, other = Card("p1"), Card(value=5, planet="p2")

    assert (one.planet, one.value, other.planet, other.value, other.dear) == ("p1", 1, "p2", 5, True)
    assert one.seen == {}
    assert one.seen is not other.seen


def test_equal_values_are_one_key() -> None:
    """Values: equality and hash depend on the fields, and values of different classes are never equal."""
    assert Card("p1") == Card("p1", 1)
    assert Card("p1") != Card("p1", 2)
    assert Card("p1") != OrdinaryCard("p1")
    assert len({Card("p1"), Card("p1", 1), Card("p2")}) == 2


def test_a_value_never_changes() -> None:
    """Values: setting, adding or deleting an attribute raises FrozenInstanceError."""
    card: Any = Card("p1")

    for change in (
        lambda: setattr(card, "value", 2),
        lambda: setattr(card, "other", 2),
        lambda: delattr(card, "value"),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            change()
    assert card == Card("p1")


def test_what_it_is_made_of_can_be_asked() -> None:
    """Values: the functions of the dataclasses module work with them."""
    card = Card("p1", 3)

    assert dataclasses.is_dataclass(card)
    assert [each.name for each in dataclasses.fields(card)] == ["planet", "value", "seen"]
    assert dataclasses.replace(card, planet="p7") == Card("p7", 3)
    assert dataclasses.asdict(card) == dataclasses.asdict(OrdinaryCard("p1", 3))
    assert repr(card) == repr(OrdinaryCard("p1", 3)).replace("OrdinaryCard", "Card")


def test_a_value_is_matched_by_its_fields() -> None:
    """Values: `match` works by position and by name."""
    match BonusCard("p1", 4):
        case Card(planet, value=4):
            assert planet == "p1"
        case _:
            pytest.fail("it is a card of four")


def test_a_value_that_is_more_than_another_has_its_fields_too() -> None:
    """Values: a subclass has the fields of its base class first, then its own."""

    @dataclass(frozen=True)
    class First:
        name: str

    @dataclass(frozen=True)
    class Second(First):
        more: int = 2

    assert Second("a") == Second("a", 2)
    assert [each.name for each in dataclasses.fields(Second("a"))] == ["name", "more"]
    assert First("a") != Second("a")


def test_wrong_arguments_are_told_as_ever() -> None:
    """Values: wrong arguments raise TypeError, for the first value of a class and for all later ones."""

    @dataclass(frozen=True)
    class Fresh:
        name: str

    make: Any = Fresh
    for _ in range(2):
        with pytest.raises(TypeError, match="name"):
            make()


def test_threads_that_make_the_first_together_all_make_whole_ones() -> None:
    """Values: threads that make the first value at the same time all get complete values."""
    faults: list[object] = []

    def make(kind: Any, start: Barrier) -> None:
        start.wait()
        made = kind("a")
        if made != kind("a", 2) or hash(made) != hash(kind("a")):
            faults.append(made)

    for _ in range(40):

        @dataclass(frozen=True)
        class Fresh:
            name: str
            more: int = 2

        start = Barrier(4)
        threads = [Thread(target=make, args=(Fresh, start)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert not faults


def test_importing_them_compiles_nothing() -> None:
    """Values: importing a class generates no methods yet."""
    program = "import companion.events.table_events as e; import dataclasses; print(dataclasses.is_dataclass(e.Begun))"

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said == "False\n"


@dataclasses.dataclass(frozen=True, slots=True)
class Cube:
    """A frozen class with slots."""

    colour: str
    size_mm: int = 8


@dataclasses.dataclass(frozen=True)
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
