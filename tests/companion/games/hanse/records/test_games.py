"""Complete games, written by hand: replaying each record of this folder gives the final state next to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import read_lines, replay
from tests.companion.records.run_record import run

HERE = Path(__file__).parent
RECORDS = sorted(path.stem for path in HERE.glob("*.jsonl"))
"""Written from the rules, with final states worked out by hand, not copied from this program's output."""


def final_of(name):
    """Return the final state stored next to a record."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def replayed(name):
    """Replay a record through the rules."""
    with (HERE / f"{name}.jsonl").open("rb") as stream:
        return replay(GAMES, read_lines(stream))


def test_there_are_a_dozen_and_more():
    """Games: the folder has 15 records with their final states, and three of them are finished games."""
    assert len(RECORDS) == 15
    assert sum(final_of(name)["finished"] for name in RECORDS) == 3


@pytest.mark.parametrize("name", RECORDS)
def test_a_story_comes_to_its_final_state(name):
    """Games: the replay gives the final state that was worked out by hand."""
    played = replayed(name)

    assert played.game.view(played.state, Viewer(owner=True)) == final_of(name)


def test_the_command_line_tells_a_story():
    """Games: `companion replay --json` prints the same final state; without --json it prints who won."""
    path = HERE / "level-in-everything.jsonl"

    assert run("replay", path, "--json").json == final_of("level-in-everything")
    assert "Ana and Ben share the win" in run("replay", path).out


def test_the_command_line_names_the_line_of_a_fault():
    """Games: a record that breaks a rule is refused with the line's number and the reason."""
    lines = (HERE / "a-first-delivery.jsonl").read_text(encoding="utf-8").splitlines()[:9]
    broken = [*lines, '{"do": "fly", "player": "red", "to": "p1"}']
    found = run("replay", "-", "--json", given="\n".join(broken).encode())

    assert found.json == {"error": {"line": 10, "do": "fly", "reason": "Roll the die first."}}
