"""Timeline of a replay: any step of any game has the right state, in any order of access, with limited memory."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.model.game import AnyGame
from companion.records import RecordError
from companion.session.commands import Switch
from companion.session.timeline import EVERY, MOST_STATES, RECENT, StepKind, Timeline, after, before, of_record
from tests.companion.stored_games import IMPORT, record_of, shelf
from tests.companion.toy import Toy

SEATS = [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}]
TOYS = {"record": "table-record", "version": 1, "game": "toy", "players": SEATS, "bag": {"red": 0}}
UNDO = {"do": "undo"}
LINES = 200
"""The number of lines tested in a random game; it is more than the distance between two stored states."""
LONG = EVERY * MOST_STATES + 1
KINDS = [(name, 0) for name in GAMES] + [pytest.param(name, 1, marks=pytest.mark.long) for name in GAMES]


def folded(game: AnyGame, record: list[Line]) -> list[Any]:
    """Return the state after each line of *record*, starting with its header, computed with the rules only."""
    stack = [game.start(record[0])]
    states = list(stack)
    for line in record[1:]:
        if line["do"] == "undo":
            stack.pop()
        else:
            stack.append(reduce(game.evolve, game.decide(stack[-1], game.parse(line)), stack[-1]))
        states.append(stack[-1])
    return states


def fixed(*counts: int) -> list[Line]:
    """Return lines that set the number of stations in the bag to each of *counts*."""
    return [{"do": "fix", "colour": "red", "count": count} for count in counts]


def timeline_of(record: list[Line], begin: Any = Timeline) -> Timeline:
    """Return the timeline of a record."""
    return of_record({**GAMES, "toy": Toy()}, enumerate(record, 1), begin)


@pytest.mark.parametrize(("name", "seed"), KINDS)
def test_each_step_is_the_state_that_the_lines_lead_to(name: str, seed: int, tmp_path: Path) -> None:
    """Timeline: in a record and in a ledger, each step has the state after the lines not undone, in any order."""
    record = record_of(name, seed)[: None if seed else LINES]
    states = folded(GAMES[name], record)
    table, (number,) = shelf(tmp_path, [record])
    steps = list(range(len(record)))
    Random(seed).shuffle(steps)

    for timeline in (timeline_of(record), table.archive.timeline(number, Timeline)):
        assert len(timeline) == len(record) - 1
        assert all(timeline.at(step).state == states[step] for step in steps)


@pytest.mark.parametrize("name", list(GAMES))
def test_each_step_tells_its_line_between_two_states(name: str, tmp_path: Path) -> None:
    """Timeline: each step has the line and the states of the game's history, including undone lines."""
    table, (number,) = shelf(tmp_path, [record_of(name, 0)[:LINES]])
    timeline = table.archive.timeline(number, Timeline)
    moves = iter(table.archive.partial(number).moves)

    for step in range(1, len(timeline) + 1):
        position = timeline.at(step)
        if position.kind is StepKind.UNDO:
            undone = timeline.at(position.undoes)
            assert (position.before, position.state) == (undone.state, undone.before)
            assert position.line == undone.line
            continue
        move = next(moves)
        assert (position.line, position.before, position.state) == (move.line, move.before, move.after)


def test_a_step_tells_the_newest_lines_that_counted_then() -> None:
    """Timeline: a step lists the newest lines that were not undone at that time, newest first."""
    timeline = timeline_of([TOYS, *fixed(*range(20)), UNDO, UNDO, *fixed(99)])

    recent = timeline.at(23).recent

    assert [line.line["count"] for line in recent] == [99, *range(17, 18 - RECENT, -1)]
    assert [line.line["count"] for line in timeline.at(20).recent[:2]] == [19, 18]
    assert not any(line.undone for line in (*recent, *timeline.at(20).recent))


def test_the_way_leaves_out_what_was_taken_back_unless_that_is_wanted() -> None:
    """By default, undone lines and their undos are not steps of the route."""
    timeline = timeline_of([TOYS, *fixed(1, 2, 3), UNDO, *fixed(4)])

    assert list(timeline.route().steps) == [0, 1, 2, 5]
    assert list(timeline.route(undone=True).steps) == [0, 1, 2, 3, 4, 5]
    assert timeline.route().nearest(4) == 2
    assert (before(timeline.route().steps, 5), after(timeline.route().steps, 2)) == (2, 5)
    assert (before(timeline.route().steps, 0), after(timeline.route().steps, 5)) == (None, None)


def test_parts_and_high_points_are_marked() -> None:
    """Timeline: the starts of parts and the steps with the highest gains are marked."""

    def begin(game: AnyGame, header: Line) -> Timeline:
        return Timeline(game, header, lambda state: str(state.bag["red"] // 10), lambda state: state.bag)

    route = timeline_of([TOYS, *fixed(1, 2, 9, 12, 11, 25, 40)], begin).route()

    assert list(route.parts) == [1, 5, 7]
    assert list(route.highs) == [3, 4, 6, 7]


def test_draws_are_marked() -> None:
    """Timeline: steps with a draw are marked."""
    record = record_of("andromeda", 0)
    timeline = timeline_of(record)

    draws = {step for step, line in enumerate(record) if line.get("do") in ("draw", "double_exit")}

    assert set(timeline.route(undone=True).draws) == draws
    assert set(timeline.route().draws) == draws & set(timeline.route().steps)


def test_a_game_of_any_length_keeps_few_states() -> None:
    """Timeline: the number of stored states is limited for games of any length, and each step has the right state."""
    timeline = timeline_of([TOYS, *fixed(*range(1, LONG + 1))])

    assert len(timeline._stored) <= MOST_STATES
    assert timeline._every > EVERY
    assert all(timeline.at(step).state.bag["red"] == step for step in Random(1).sample(range(LONG), 200))


def test_a_long_row_of_undoing_goes_back_to_where_it_began() -> None:
    """Timeline: undo can go back farther than the states in memory."""
    timeline = timeline_of([TOYS, *fixed(*range(300)), *[UNDO] * 300, *fixed(7)])

    assert timeline.at(600).state == timeline.at(0).state
    assert timeline.at(601).state.bag["red"] == 7
    assert list(timeline.route().steps) == [0, 601]


@pytest.mark.parametrize(
    ("lines", "at", "why"),
    [
        ([{"record": "table-record", "version": 1, "game": "chess", "players": []}], 1, "chess"),
        ([TOYS, {"do": "skip"}], 2, "player"),
        ([TOYS, {"do": "dance"}], 2, "dance"),
        ([TOYS, {"do": "undo"}], 2, "nothing left to undo"),
    ],
)
def test_a_record_is_refused_at_the_first_line_at_fault(lines: list[Line], at: int, why: str) -> None:
    """Timeline: a record is validated like an import, and its first invalid line is reported."""
    with pytest.raises(RecordError) as fault:
        timeline_of(lines)

    assert fault.value.line == at
    assert why in fault.value.reason


def test_a_game_that_goes_on_is_read_again(tmp_path: Path) -> None:
    """Timeline: a game's timeline is cached until a line is added to the game."""
    header, *lines = record_of("draws", 0)
    table, (number,) = shelf(tmp_path, [[header, *lines[:5]]])
    first, again = table.archive.timeline(number, Timeline), table.archive.timeline(number, Timeline)
    table.execute(Switch(number), IMPORT)
    table.do(lines[5], IMPORT)

    assert first is again
    assert (len(first), len(table.archive.timeline(number, Timeline))) == (5, 6)
