"""A short run of the campaign of twins: `python -m tests.strangers.twins` runs all of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.games.registry import GAMES
from tests.strangers.twins import addresses, twins


@pytest.mark.parametrize(("name", "moments"), [("andromeda", 2), ("hanse", 1), ("wreck", 1), ("draws", 1)])
def test_what_is_hidden_makes_no_difference(name: str, moments: int, tmp_path: Path) -> None:
    """From two tables that differ only in hidden values, everybody gets the same answers, in every game."""
    report = twins(tmp_path, [(name, 3 if name != "hanse" else 2)], f"slice {name}", 0.04, moments)

    assert report.told == []
    assert report.tried["answers"] >= 30


def test_a_table_that_hides_nothing_is_found_out(tmp_path: Path) -> None:
    """The campaign notices, at several addresses, a game that hides nothing."""
    shelf = {**GAMES, "andromeda": Open()}

    report = twins(tmp_path, [("andromeda", 3)], "open a", 0.04, 2, shelf)

    assert report.findings >= 3


def test_an_address_whose_parts_nobody_can_fill_in_stops_it() -> None:
    """An address with an unknown parameter is an error until PARTS has values for it."""
    app = Flask("new")
    app.add_url_rule("/games/<int:game_id>/hands/<colour>", "hands", lambda game_id, colour: "")
    rule = next(rule for rule in app.url_map.iter_rules() if rule.endpoint == "hands")

    with pytest.raises(LookupError, match=r"say in PARTS what stands for .'colour'."):
        list(addresses(rule, 1))


class Open:
    """Andromeda with nothing hidden."""

    secrets = None

    def __getattr__(self, name: str) -> Any:
        return getattr(GAMES["andromeda"], name)
