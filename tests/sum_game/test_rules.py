"""Sum to 31 follows its rules: records by hand, refusals, forms, random games and sentences."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from companion.autoplay.simulate import Bill, simulate
from companion.kernel.errors import Refused
from companion.model.game import Viewer
from companion.model.parser import members
from companion.records import replay
from tests.companion.games.told import Told, kind_sentence, read_back
from tests.sum_game.rules import FIELDS, GAME, TELLINGS, State
from tests.sum_game.rules.rules import PARSER, Command, Correct, Corrected, Event, Take, Taken

RECORDS = Path(__file__).parent / "records"
GAMES = {GAME.name: GAME}
PLAYERS = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
HEADER = {"record": "table-record", "version": 1, "game": FIELDS.game, "players": PLAYERS}
START = GAME.start(HEADER)
EXAMPLE = re.compile(r"Example: ``(\{.*?\})``")


@pytest.mark.parametrize("name", ["exact", "over"])
def test_a_record_by_hand_ends_as_expected(name: str) -> None:
    """A record written by hand ends in the final state that is written next to it."""
    lines = [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    played = replay(GAMES, enumerate(lines, 1))

    assert GAME.view(played.state, Viewer(owner=True)) == json.loads((RECORDS / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("state", "command", "reason"),
    [
        (START, Take("blue", 1), "It's Ana's turn."),
        (State(START.setting, (0, 4, 4, 4, 4, 4)), Take("red", 1), "All chips of 1 are used up."),
        (State(START.setting, total=31, last="red"), Take("red", 1), "The game is over."),
        (START, Correct("  ", 3), "Give a reason for the correction."),
        (START, Correct("miscounted", 0), "The sum is 0 already."),
        (State(START.setting, (0, 0, 0, 0, 0, 1), 29), Correct("why", 9), "The chips that are left don't reach 31."),
    ],
)
def test_what_is_against_the_rules_is_refused(state: State, command: Command, reason: str) -> None:
    """A command against the rules is refused with one friendly sentence."""
    with pytest.raises(Refused) as refused:
        GAME.decide(state, command)

    assert kind_sentence(refused.value.reason) == reason


def test_it_is_played_line_by_line() -> None:
    """A test can play a game that isn't registered, and a refused line changes nothing."""
    game = Told[State](HEADER, GAMES).do("take", player="red", value=6).do("take", player="blue", value=5)

    assert game.view["total"] == 11
    assert game.refusal("take", player="blue", value=1) == "It's Ana's turn."


@pytest.mark.parametrize("kind", [*members(Command)])
def test_the_example_of_a_command_is_a_line_of_it(kind: type) -> None:
    """The example in a command's docstring is parsed as that command, and is written back unchanged."""
    (example,) = EXAMPLE.findall(kind.__doc__ or "")
    command = PARSER.parse(json.loads(example))

    assert isinstance(command, kind)
    assert PARSER.line_of(command) == json.loads(example)


def test_commands_and_events_are_read_back() -> None:
    """Lines and rows are read back as the values that they were written from."""
    read_back(GAME, [(START, Take("red", 6)), (START, Correct("miscounted", 12))])


def test_random_games_end() -> None:
    """Two hundred random games end, and nothing is broken."""
    bill, play = Bill(), GAME.random_play
    assert play is not None
    for number in range(200):
        bill.add(simulate(GAME, play, 2 + number % 3, Random(number), lambda: 0.0))

    assert bill.games == 200
    assert not bill.broken


def test_each_event_and_each_line_has_a_row() -> None:
    """The table of sentences has a row for each event and each line."""
    assert set(TELLINGS.rows) == set(members(Event))
    assert set(TELLINGS.lines) == {kind.do for kind in members(Command)}


def test_events_are_spoken() -> None:
    """The sentence for a chip has the new sum, and the one for a correction concerns the whole table."""
    taken, corrected = (TELLINGS.uttered(START, event)[0] for event in (Taken("red", 6), Corrected(12)))

    assert (taken.text, taken.seats) == ("Ana takes 6: 6.", ("red",))
    assert (corrected.text, corrected.seats) == ("The sum is now 12.", ())
