"""A whole game for four by tapping: sensible lines said as a person would, draws by whatever ring there is."""

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
"""Lots by which four are through with a game in few lines."""
FOUR = ("Ana", "Ben", "Cem", "Dora")


def set_up(tablet: Tablet) -> None:
    """Put a game for four on the table."""
    tablet.open("/new")
    for number, name in enumerate(FOUR):
        tablet.page.locator("input[type=text]").nth(number).fill(name)
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")


class Followed:
    """The game of a service by its record, of which each line is replayed once."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._replay = Replay(GAMES, service.record()[0])
        self._replayed = 1

    def state(self) -> State:
        """Return the state that the record comes to by now."""
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
    """Play to the end, or until it is *enough*, and return how it stands.

    *draw* sees to each draw, *look* is shown every state before it. Nobody counts three, two, one: a game has a dozen.
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
    """Say *line* on a device that shows the table as it is, by no more taps than it may take."""
    if "/act/" in device.page.url:
        device.open("/table")
    device.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
    assert device.say(line) <= MOST_TAPS.get(line["do"], USUAL_MOST)


def without_counting(service: Service) -> None:
    """Let cards be turned over at once."""
    pace = GAMES["andromeda"].pace.changed({"reveal": False}).line()
    status, answer = service.ask("POST", "/api/v1/deeds", {"deed": "pace", "pace": pace})
    assert status == 200, answer


def state_now(service: Service) -> State:
    """Return the state that the record of the game comes to."""
    return replay(GAMES, enumerate(service.record(), 1)).state


def await_draw(tablet: Tablet, service: Service) -> None:
    """Wait until the tablet shows the next station that the ring lets out."""
    news = service.news()
    seen = news.version()
    if seen == tablet.version and state_now(service).attempt:
        try:
            seen = news.version()
        except TimeoutError:
            raise AssertionError(f"no draw came: {service.ask('GET', '/api/v1/table')[1]}") from None
    news.close()
    tablet.await_version(seen)
