"""Summaries: which names are the same person, and how ranks are shared."""

from __future__ import annotations

from companion.kernel.names import same_person
from companion.model.people import persons, ranks


def test_the_same_name_is_the_same_person() -> None:
    """Person: blanks and the case of letters make no difference, but other letters do."""
    assert same_person("  Ana  Maria ") == same_person("ana maria")
    assert same_person("STRASSE") == same_person("straße")
    assert same_person("Ana") != same_person("Anna")


def test_who_is_nobody_in_particular() -> None:
    """A seat named like its colour is not a person, and neither is a name that two seats have."""
    assert persons([("red", "red"), ("blue", "Ben"), ("green", "Cem"), ("black", "cem ")]) == ("", "ben", "", "")


def test_places_are_shared() -> None:
    """Places: winners come first, the others follow by their points, and equal points are level."""
    places = ranks(["red", "blue", "green", "black"], ["blue"], {"red": 9, "blue": 9, "green": 4, "black": 9})

    assert places == {"blue": 1, "red": 2, "black": 2, "green": 4}
