"""Games of the wreck written by hand: replaying each record of this folder gives the final state next to it.

Records and final states were worked out from the rules by hand, not by a program.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import RecordError, read_lines, replay
from tests.companion.records.run_record import run

HERE = Path(__file__).parent
RECORDS = sorted(path.stem for path in HERE.glob("*.jsonl"))
REFUSED = {
    "the-offer-round-of-four": (6, {"do": "accept", "player": "green", "die": "support"}),
    "the-turn-of-the-rulebook": (14, {"do": "train", "player": "green", "die": "training", "count": 3}),
    "seven-idle-rounds": (43, {"do": "end_turn", "player": "red"}),
}
"""For each record, an illegal line, and the number of the record's lines that come before it."""


def final_of(name):
    """Return the final state stored next to a record."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def test_a_dozen_is_there():
    """Games: there are at least twelve records, for two, three and four players."""
    assert len(RECORDS) >= 12
    assert {len(final_of(name)["players"]) for name in RECORDS} == {2, 3, 4}


@pytest.mark.parametrize("name", RECORDS)
def test_a_game_comes_to_its_final_state(name):
    """Games: the replay gives the final state next to the record."""
    with (HERE / f"{name}.jsonl").open("rb") as stream:
        played = replay(GAMES, read_lines(stream))

    assert played.game.view(played.state, Viewer(owner=True)) == final_of(name)


@pytest.mark.parametrize(("name", "where"), REFUSED.items())
def test_a_broken_rule_ends_the_replay(name, where):
    """Games: an illegal line is refused with an error that gives its number."""
    at, wrong = where
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[:at]

    with pytest.raises(RecordError) as fault:
        replay(GAMES, enumerate([*map(json.loads, lines), wrong], 1))
    assert (fault.value.line, fault.value.do) == (at + 1, wrong["do"])


def test_the_command_line_tells_a_story():
    """Games: `companion replay` prints the same final state."""
    path = HERE / "a-tie-won-by-rooms.jsonl"

    assert run("replay", path, "--json").json == final_of("a-tie-won-by-rooms")
