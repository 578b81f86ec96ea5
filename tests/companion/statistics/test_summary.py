"""Summaries: who is who, and who came in which place."""

from __future__ import annotations

from companion.kernel.names import same_person
from companion.model.people import persons, ranks


def test_the_same_name_is_the_same_person() -> None:
    """Person: blanks around a name and the case of its letters make no difference, other letters do."""
    assert same_person("  Ana  Maria ") == same_person("ana maria")
    assert same_person("STRASSE") == same_person("straße")
    assert same_person("Ana") != same_person("Anna")


def test_who_is_nobody_in_particular() -> None:
    """Person: a seat that is called by its colour, and a name that stands at two seats, are nobody's."""
    assert persons([("red", "red"), ("blue", "Ben"), ("green", "Cem"), ("black", "cem ")]) == ("", "ben", "", "")


def test_places_are_shared() -> None:
    """Places: winners come first whatever their points, the others by their points, equal ones level."""
    places = ranks(["red", "blue", "green", "black"], ["blue"], {"red": 9, "blue": 9, "green": 4, "black": 9})

    assert places == {"blue": 1, "red": 2, "black": 2, "green": 4}
