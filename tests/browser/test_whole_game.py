"""A whole game for four on the tablet, the ring's draws over a serial line."""

from __future__ import annotations

from random import Random

from companion.game import Viewer
from companion.games.andromeda.state import Phase, State
from companion.games.known import GAMES
from companion.record import replay
from tests.browser.camera import Camera
from tests.browser.sensible import sensible
from tests.browser.tablet import Tablet
from tests.evening.processes import Service, VirtualRing

GAME = GAMES["andromeda"]
MOST_TAPS = {"setup": 9}
USUAL_MOST = 3
LATER_ROUND, LIVELY = 3, "p4"
"""When a board has a story to show, and which planet the picture of a set asks about."""


def test_four_people_play_a_whole_game_by_tapping(
    tablet: Tablet, phone: Tablet, service: Service, ring: VirtualRing, camera: Camera
) -> None:
    """Set up on the tablet, played to the end by taps and real draws: the record gives the same final state."""
    lots = Random(7)
    tablet.open("/new")
    for number, name in enumerate(("Ana", "Ben", "Cem", "Dora")):
        tablet.page.locator("input[type=text]").nth(number).fill(name)
    tablet.tap("text=Put it on the table")
    tablet.page.wait_for_url("**/table")
    phone.open("/table")

    while not (state := replay(GAMES, enumerate(service.record(), 1)).state).finished:
        photograph(camera, state)
        if state.attempt:
            await_draw(tablet, service)
        else:
            line = GAME.line(sensible(state, lots))
            if "/act/" in tablet.page.url:
                tablet.open("/table")
            tablet.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
            assert tablet.say(line) <= MOST_TAPS.get(line["do"], USUAL_MOST)
    photograph(camera, state)

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


def await_draw(tablet: Tablet, service: Service) -> None:
    """Wait until the tablet shows the next station that the ring lets out."""
    news = service.news()
    seen = news.version()
    if seen == tablet.version and replay(GAMES, enumerate(service.record(), 1)).state.attempt:
        try:
            seen = news.version()
        except TimeoutError:
            raise AssertionError(f"no draw came: {service.ask('GET', '/api/v1/table')[1]}") from None
    news.close()
    tablet.await_version(seen)


def photograph(camera: Camera, state: State) -> None:
    """Take the pictures that this moment is good for."""
    match state.phase:
        case Phase.SETUP if not state.players["blue"].unplaced:
            camera.take("setup", "/table?seat=green&cards=1.2.0.1.0.1.0")
        case Phase.CARDS if state.round == LATER_ROUND:
            camera.take("deal")
        case Phase.TRANSPORT:
            camera.take("transport")
        case Phase.TRADING if state.trading and len(state.trading.sets) == len(state.colours) - 1:
            camera.take("trading")
        case Phase.ACTIONS if state.attempt and state.attempt.drawn:
            camera.take("attempt")
        case Phase.ACTIONS if state.round == LATER_ROUND and not state.attempt:
            camera.take("board")
            camera.take("set", f"/table/act/establish?planet={LIVELY}&cards=6")
        case Phase.FINISHED:
            camera.take("final")
            camera.take("history", "/history")
            camera.take("ring", "/ring")
            camera.take("home", "/")
            camera.take("new", "/new")
