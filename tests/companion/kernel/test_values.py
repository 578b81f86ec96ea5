"""Values: frozen dataclasses in all respects, though nothing of them is written before the first is made."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Mapping
from threading import Barrier, Thread
from typing import Any

import pytest

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class Card:
    """A card that lies on a planet."""

    planet: str
    value: int = 1
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def dear(self) -> bool:
        """Whether it is worth much."""
        return self.value > 3


@dataclass(frozen=True)
class BonusCard(Card):
    """A card with something to it."""

    credits: str = "gold"


@dataclasses.dataclass(frozen=True)
class OrdinaryCard:
    """The same, as the standard library writes it at once."""

    planet: str
    value: int = 1
    seen: Mapping[str, int] = dataclasses.field(default_factory=dict, hash=False)


def test_a_value_is_what_it_was_made_of() -> None:
    """Values: by place or by name, with defaults that each makes for itself."""
    one, other = Card("p1"), Card(value=5, planet="p2")

    assert (one.planet, one.value, other.planet, other.value, other.dear) == ("p1", 1, "p2", 5, True)
    assert one.seen == {}
    assert one.seen is not other.seen


def test_equal_values_are_one_key() -> None:
    """Values: equal and hashed by what they hold, and never equal to another class's."""
    assert Card("p1") == Card("p1", 1)
    assert Card("p1") != Card("p1", 2)
    assert Card("p1") != OrdinaryCard("p1")
    assert len({Card("p1"), Card("p1", 1), Card("p2")}) == 2


def test_a_value_never_changes() -> None:
    """Values: no field is set or deleted, and no attribute added, with the standard library's fault."""
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
    """Values: the standard library's tools take them as their own."""
    card = Card("p1", 3)

    assert dataclasses.is_dataclass(card)
    assert [each.name for each in dataclasses.fields(card)] == ["planet", "value", "seen"]
    assert dataclasses.replace(card, planet="p7") == Card("p7", 3)
    assert dataclasses.asdict(card) == dataclasses.asdict(OrdinaryCard("p1", 3))
    assert repr(card) == repr(OrdinaryCard("p1", 3)).replace("OrdinaryCard", "Card")


def test_a_value_is_matched_by_its_fields() -> None:
    """Values: `match` takes them apart, by place and by name."""
    match BonusCard("p1", 4):
        case Card(planet, value=4):
            assert planet == "p1"
        case _:
            pytest.fail("it is a card of four")


def test_a_value_that_is_more_than_another_has_its_fields_too() -> None:
    """Values: what a class adds comes after what it has from the one before."""

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
    """Values: the first value of a class says what it wants, as all later ones do."""

    @dataclass(frozen=True)
    class Fresh:
        name: str

    make: Any = Fresh
    for _ in range(2):
        with pytest.raises(TypeError, match="name"):
            make()


def test_threads_that_make_the_first_together_all_make_whole_ones() -> None:
    """Values: nobody gets one that is half written."""
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
    """Values: a program that makes none of them has not paid for them."""
    program = "import companion.events.table_events as e; import dataclasses; print(dataclasses.is_dataclass(e.Begun))"

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said == "False\n"
