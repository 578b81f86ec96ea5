"""Luck is computed in a background thread."""

from __future__ import annotations

from threading import Event, enumerate

import pytest

from companion.kernel.errors import Malformed
from companion.luck import Fortune, LuckInBackground, LuckReport, Reckoned
from companion.luck.background import MOST_CACHED, WAITING
from tests.pauses import at_once

PATIENCE_S = 30.0
REPORT = LuckReport({"red": Fortune(0.0, 4.0, 1.0)}, ())


def settle() -> None:
    """Wait until the background thread has finished."""
    for thread in enumerate():
        if thread.name == "luck":
            thread.join(PATIENCE_S)


def test_whoever_asks_is_answered_at_once() -> None:
    """Luck in the background: until the report is computed the answer is "not done", and then it is the report."""
    go = Event()
    luck = LuckInBackground(lambda game: REPORT if go.wait(PATIENCE_S) else None)

    first = luck.of(1, 10)
    go.set()
    settle()

    assert first == Reckoned(False)
    assert luck.of(1, 10) == Reckoned(True, REPORT)


def test_a_game_is_reckoned_once_for_each_version_of_it() -> None:
    """Luck in the background: a game is computed again after a correction, but never while it is unchanged."""
    asked: list[int] = []

    def reckon(game: int) -> LuckReport:
        asked.append(game)
        return REPORT

    luck = LuckInBackground(reckon)
    for version in (10, 10, 11):
        luck.of(1, version)
        settle()

    assert asked == [1, 1]


@pytest.mark.parametrize("fault", [Malformed("a row"), ZeroDivisionError()])
def test_a_game_that_cannot_be_reckoned_is_not_tried_again(fault: Exception) -> None:
    """Luck in the background: an error gives no report and is not retried, and the next game is still computed."""

    def reckon(game: int) -> LuckReport:
        if game == 1:
            raise fault
        return REPORT

    luck = LuckInBackground(reckon, at_once())
    luck.of(1, 10)
    settle()
    luck.of(2, 20)
    settle()

    assert luck.of(1, 10) == Reckoned(True, None)
    assert luck.of(2, 20) == Reckoned(True, REPORT)


def test_only_so_many_wait_and_are_kept() -> None:
    """Luck in the background: the queue of waiting games and the cache of reports are limited."""
    go = Event()
    luck = LuckInBackground(lambda game: REPORT if go.wait(PATIENCE_S) else None)

    for game in range(1, 2 * WAITING):
        luck.of(game, game)
    go.set()
    settle()
    done = [game for game in range(1, 2 * WAITING) if luck.of(game, game).done]
    for game in range(100, 101 + MOST_CACHED):
        luck.of(game, game)
        settle()

    assert done == list(range(1, WAITING + 1))
    assert not luck.of(1, 1).done
