"""Complete games: replaying each record of this folder gives the final state stored next to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.andromeda import GAME
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import read_lines, replay
from tests.companion.games.andromeda.records.gather import SOUGHT
from tests.companion.games.andromeda.recount import recount
from tests.companion.records.run_record import run

HERE = Path(__file__).parent
RECORDS = sorted(path.stem for path in HERE.glob("*.jsonl"))
BY_HAND = {"a-quick-evening-of-three", "the-evening-the-ring-was-knocked-over", "five-friends-at-a-lenient-table"}
WHY = {
    "won-by-technology": "on technology",
    "won-by-the-ship": "bigger ship",
    "a-quick-evening-of-three": "bigger ship",
    "a-shared-win": "share the win",
}


def lines_of(name):
    """Return the lines of a record as they are written."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def final_of(name):
    """Return the final state stored next to a record."""
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def replayed(name):
    """Replay a record through the rules."""
    with (HERE / f"{name}.jsonl").open("rb") as stream:
        return replay(GAMES, read_lines(stream))


def test_the_folder_is_whole():
    """Games: the folder has every random game of gather.py and every game written by hand, for 3, 4 and 5 players."""
    assert set(RECORDS) == {*SOUGHT, *BY_HAND}
    assert {len(lines_of(name)[0]["players"]) for name in RECORDS} == {3, 4, 5}


@pytest.mark.parametrize("name", RECORDS)
def test_a_game_comes_to_its_final_state(name):
    """Games: the replay gives the stored final state, and the game is over."""
    played = replayed(name)

    assert played.game.view(played.state, Viewer(owner=True)) == final_of(name)
    assert final_of(name)["finished"]


@pytest.mark.parametrize("name", RECORDS)
def test_a_game_is_counted_by_hand(name):
    """Games: a separate count of the record's lines gives the same final state."""
    assert recount(lines_of(name)) == final_of(name)


@pytest.mark.parametrize(("name", "why"), WHY.items())
def test_a_tie_is_explained(name, why):
    """Games: ties are decided as the record's name says."""
    assert why in GAME.result(replayed(name).state).why


@pytest.mark.parametrize("name", ["won-by-technology", "won-by-the-ship", "a-shared-win"])
def test_a_tie_is_a_tie(name):
    """Games: the winners of ties have equal totals, technology and ship."""
    final = final_of(name)
    best = max(player["score"]["total"] for player in final["players"].values())
    level = [player for player in final["players"].values() if player["score"]["total"] == best]
    winners = [final["players"][colour] for colour in final["winners"]]

    assert len(level) > 1
    assert {winner["score"]["total"] for winner in winners} == {best}
    top = max((player["technology"], player["ship"]) for player in level)
    assert [(winner["technology"], winner["ship"]) for winner in winners] == [top] * len(winners)


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_the_command_line_tells_a_story(name):
    """Games: `companion replay --json` prints the final state; without --json it prints who won and why."""
    path = HERE / f"{name}.jsonl"

    assert run("replay", path, "--json").json == final_of(name)
    assert GAME.result(replayed(name).state).why in run("replay", path).out


@pytest.mark.parametrize(
    ("do", "name"),
    [
        ("undo", "three-with-second-thoughts"),
        ("undo", "the-evening-the-ring-was-knocked-over"),
        ("correct", "five-with-second-thoughts"),
        ("double_exit", "four-with-two-stations-at-once"),
        ("double_exit", "four-with-two-at-once-redone"),
        ("excuse", "three-with-an-excused-player"),
        ("excuse", "three-with-everyone-excused"),
        ("end_trading", "five-without-a-record-of-trades"),
        ("stop_drawing", "four-with-generous-rulings"),
    ],
)
def test_a_game_shows_what_its_name_says(do, name):
    """Games: each record contains the line that its name promises."""
    assert any(line["do"] == do for line in lines_of(name)[1:])


def test_cards_may_be_left_unnamed():
    """Games: one record has trades with unnamed cards."""
    assert any(line.get("card", "") is None for line in lines_of("four-by-the-default"))


def test_everyone_excused_goes_on_with_the_actions():
    """Games: after every other player is excused, the action phase follows without a swap."""
    lines = lines_of("three-with-everyone-excused")
    at = next(n for n in range(1, len(lines)) if lines[n]["do"] == lines[n + 1].get("do") == "excuse")

    assert replay(GAMES, enumerate(lines[: at + 2], 1)).state.phase == "actions"
