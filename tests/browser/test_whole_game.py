"""A whole game for four on the tablet, with the ring's draws over a serial line."""

from __future__ import annotations

import pytest

from companion.games.andromeda.state import Phase, State
from companion.games.registry import GAMES
from companion.model.game import Viewer
from companion.records import replay
from tests.browser.camera import Camera
from tests.browser.playing import await_draw, play, set_up
from tests.browser.tablet import Tablet
from tests.companion.app.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
LATER_ROUND, LIVELY = 3, "p4"
"""The round in which the board's picture is taken, and the planet in the picture of a set."""


@pytest.mark.long
def test_four_people_play_a_whole_game_by_tapping(
    tablet: Tablet, phone: Tablet, service: Service, ring: VirtualRing, camera: Camera
) -> None:
    """The record of a game that was set up and played by taps, with the ring's draws, replays to the same state."""
    set_up(tablet)
    phone.open("/table")
    state = play(tablet, service, lambda: await_draw(tablet, service), lambda state: photograph(camera, state))
    photograph(camera, state)
    number = service.ask("GET", "/api/v1/games")[1]["games"][0]["id"]
    camera.take("after", f"/games/{number}/after")
    camera.take("files-of-a-game", f"/games?show=files&game={number}")

    final = service.ask("GET", "/api/v1/state")[1]
    played = replay(GAMES, enumerate(service.record(), 1))
    seen = GAME.view(played.state, Viewer(owner=True))
    assert {name: final[name] for name in seen} == seen
    phone.await_version(final["version"])
    winner = next(seat.name for seat in GAME.seats(played.state) if seat.colour == final["winners"][0])
    assert winner in phone.page.inner_text("h1")
    assert sum(each["kind"] == "out" for each in ring.truth()) == sum(
        line.get("do") == "draw" for line in service.record()
    )
    assert tablet.faults == phone.faults == []


def photograph(camera: Camera, state: State) -> None:
    """Take the pictures for this moment."""
    match state.phase:
        case Phase.SETUP if not state.players["blue"].unplaced:
            camera.take("setup", "/table?seat=green&cards=1.2.0.1.0.1.0")
        case Phase.CARDS if state.round == LATER_ROUND:
            camera.take("deal")
        case Phase.TRANSPORT:
            camera.take("transport")
        case Phase.TRADING if state.trading and len(state.trading.sets) == len(state.colours) - 1:
            camera.take("trading")
        case Phase.ACTIONS if state.round == LATER_ROUND and not state.attempt:
            camera.take("board")
            camera.take("set", f"/table/act/establish?planet={LIVELY}")
        case Phase.FINISHED:
            camera.take("final")
            camera.take("history", "/history")
            camera.take("ring", "/ring")
            camera.take("home", "/")
            camera.take("new", "/new")
