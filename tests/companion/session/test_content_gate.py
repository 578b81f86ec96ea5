"""The check of a ledger's content before a merge or restore accepts every ledger that we wrote, and is always used."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.games.registry import GAMES
from companion.session.content_gate import check_content, unfit
from tests.generations.opened import HERE, unpacked
from tests.product_source import files

GENERATIONS = sorted(path.stem for path in HERE.glob("*.json"))
DOORS = {"companion/app/cli/ledger.py", "companion/session/importer.py", "companion/session/night.py"}
"""Modules that merge games into a ledger; the last one merges only games that it made itself."""


@pytest.mark.parametrize("generation", GENERATIONS)
def test_what_older_programs_wrote_passes(generation: str, tmp_path: Path) -> None:
    """Content check: every ledger that an earlier version wrote can be merged and restored."""
    ledger = unpacked(generation, tmp_path) / "data" / "ledger.sqlite"

    check_content(ledger, GAMES)  # raises an error if the content is invalid


def test_a_game_of_another_kind_can_be_borne(tmp_path: Path) -> None:
    """Content check: games that this version doesn't know are refused in a merge, but tolerated in a restore."""
    ledger = unpacked(GENERATIONS[0], tmp_path) / "data" / "ledger.sqlite"
    found = unfit(ledger, {})

    assert found
    assert all(each.bearable for each in found if each.game is not None)


def test_no_other_door_leads_into_the_ledger() -> None:
    """Content check: only these modules merge ledgers, and the first two check the content first."""
    found = {
        path
        for path, text in files("merge", rooms=("companion", "web"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "merge"
    }

    assert found == DOORS
