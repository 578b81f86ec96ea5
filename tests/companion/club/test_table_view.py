"""A table's state, events and stage show only what spectators may see, and lights don't change before a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.club.table_view import BREAK, EMPTY, EVENTS, OVER, PLAY, SETTLED_S, Signals, Stage, events_of, state_of
from companion.games.registry import GAMES
from companion.model.capabilities import Viewer
from companion.model.game import draw_wanted
from companion.model.snapshot import Status
from companion.session.commands import Pause, Resume
from companion.session.hidden import EVERYBODY, seen_by
from tests.club.hidden import positions, shows_more
from tests.companion.live_table import HOST, LiveTable
from tests.effort import seeds

POINTS: dict[str, Callable[[dict[str, Any]], int]] = {
    "andromeda": lambda player: player["score"]["total"],
    "hanse": lambda player: player["megagalax"],
    "wreck": lambda player: player["kp"]["total"],
}
"""The path to a player's points in the view of each game; `draws` has none."""


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("seed", seeds(3))
def test_each_key_is_what_a_spectator_sees(name: str, seed: int) -> None:
    """State: in every position of every game, it has exactly these keys, with the values of a spectator's view."""
    game = GAMES[name]
    for snapshot in positions(game, seed):
        seen = seen_by(snapshot, EVERYBODY)
        view = game.view(seen.state, Viewer())
        of = POINTS.get(name)
        points = {} if of is None else {colour: of(player) for colour, player in view["players"].items()}

        assert state_of(snapshot, since_ms=7) == {
            "row": snapshot.version,
            "status": snapshot.status,
            "game": name,
            "turn": list(game.waited_for(seen.state)),
            "step": "",
            "round": view.get("round"),
            "points": points,
            "armed": snapshot.status is Status.LIVE and draw_wanted(game, seen.state) is not None,
            "asks": "",
            "ring": "none",
            "kept": True,
            "called": False,
            "since_ms": 7,
        }


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("seed", seeds(3))
def test_what_a_spectator_does_not_see_changes_nothing(name: str, seed: int) -> None:
    """State: hidden information changes neither the state that is sent nor whether the ring is armed."""
    assert not any(map(shows_more, positions(GAMES[name], seed)))


def words(live: LiveTable, after: int = 0) -> list[str]:
    return [event["event_type"] for each in live.table.happened(after) for event in events_of(each, ())]


def test_events_name_what_happened_and_nothing_else(live_table: LiveTable) -> None:
    """Events: start, draws, questions, answers, pause, resume and end become events with only type, row and turn."""
    live = live_table.open(goal=5).dig(2).slide("blue")
    live.slide(None, ranking=(("red", 0.6), ("blue", 0.4)), why="ambiguous").answer("blue")
    live.table.execute(Pause(), HOST)
    live.table.execute(Resume(), HOST)
    live.score(5)

    found = words(live)
    event = next(event for each in live.table.happened(0) for event in events_of(each, ("red",)))
    assert [word for word in found if word != "turn"] == [
        *("began", "drawn", "asked", "answered", "drawn", "paused", "resumed", "over"),
    ]
    assert set(found) <= set(EVENTS)
    assert set(event) == {"event_type", "row", "turn"}


def test_the_stage_is_held_back_while_a_draw_is_expected(live_table: LiveTable) -> None:
    """From arming until two seconds after the draw, the stage does not change; then it gets the current value."""
    live, stage = live_table, Stage()
    before = stage.look(live.snapshot, 0.0)
    live.open()
    begun = stage.look(live.snapshot, 1.0)
    live.dig(1)
    live.table.execute(Pause(), HOST)
    live.table.execute(Resume(), HOST)
    armed = stage.look(live.snapshot, 2.0)
    live.draw("blue")
    live.table.execute(Pause(), HOST)
    settled = stage.look(live.snapshot, 2.0 + SETTLED_S - 0.1)
    later = stage.look(live.snapshot, 2.0 + SETTLED_S)

    assert (before, begun, armed, settled, later) == (EMPTY, PLAY, None, None, BREAK)
    assert OVER == "over"


def test_a_signal_that_could_not_be_sent_comes_again(live_table: LiveTable) -> None:
    """Signals: a call that could not be sent is sent later, exactly once."""
    live, signals = live_table, Signals()
    live.table.call()
    refused = next(signals.look(live.snapshot, live.time))
    sent = [event["event_type"] for event in signals.look(live.snapshot, live.time)]
    silent = list(signals.look(live.snapshot, live.time))

    assert refused["event_type"] == "called"
    assert (sent, silent) == (["called"], [])
