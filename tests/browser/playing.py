"""Plays a whole four-player game by tapping: it enters sensible moves as a person would, and any ring may draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, cast

from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.records import replay
from companion.records.replay import Replay
from tests.browser.sensible import sensible
from tests.browser.tablet import Tablet
from tests.companion.app.processes import Service

MOST_TAPS = {"setup": 9}
USUAL_MOST = 3
SHORT = 4
"""A random seed with which four finish a game in few lines."""
FOUR = ("Ana", "Ben", "Cem", "Dora")


def set_up(tablet: Tablet) -> None:
    """Start a game for four on the tablet."""
    tablet.open("/new")
    for number, name in enumerate(FOUR):
        tablet.page.locator("input[type=text]").nth(number).fill(name)
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")


class Followed:
    """The state of a service's game, computed from its record; each line is replayed once."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._replay = Replay(GAMES, service.record()[0])
        self._replayed = 1

    def state(self) -> State:
        """Return the current state of the record."""
        lines = self._service.record()
        for line in lines[self._replayed :]:
            self._replay.play(line)
        self._replayed = len(lines)
        return cast(State, self._replay.state)


def play(
    tablet: Tablet,
    service: Service,
    draw: Callable[[], None],
    look: Callable[[State], None] = lambda state: None,
    enough: Callable[[State], bool] = lambda state: state.finished,
) -> State:
    """Play to the end, or until *enough* is true, and return the state.

    *draw* makes each draw; *look* is called with each state before its next line. The 3-2-1 countdown is off, since a
    game has a dozen of them.
    """
    lots, followed = Random(SHORT), Followed(service)
    without_counting(service)
    while not enough(state := followed.state()):
        look(state)
        if state.attempt:
            draw()
            continue
        say(tablet, service, GAMES["andromeda"].line(sensible(state, lots)))
    return state


def say(device: Tablet, service: Service, line: Mapping[str, Any]) -> None:
    """Enter *line* on a device that shows the current table, with at most as many taps as allowed."""
    if "/act/" in device.page.url:
        device.open("/table")
    device.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
    assert device.say(line) <= MOST_TAPS.get(line["do"], USUAL_MOST)


def without_counting(service: Service) -> None:
    """Turn off the 3-2-1 countdown."""
    pace = GAMES["andromeda"].pace.changed({"reveal": False}).line()
    status, answer = service.ask("POST", "/api/v1/deeds", {"deed": "pace", "pace": pace})
    assert status == 200, answer


def state_now(service: Service) -> State:
    """Return the current state, replayed from the record."""
    return replay(GAMES, enumerate(service.record(), 1)).state


def await_draw(tablet: Tablet, service: Service) -> None:
    """Wait until the tablet shows the ring's next draw."""
    news = service.news()
    seen = news.version()
    if seen == tablet.version and state_now(service).attempt:
        try:
            seen = news.version()
        except TimeoutError:
            raise AssertionError(f"no draw came: {service.ask('GET', '/api/v1/table')[1]}") from None
    news.close()
    tablet.await_version(seen)
