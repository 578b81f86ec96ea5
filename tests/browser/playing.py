"""A whole game for four by tapping: sensible lines said as a person would, draws by whatever ring there is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.records import replay
from tests.browser.sensible import sensible
from tests.browser.tablet import Tablet
from tests.companion.app.processes import Service

MOST_TAPS = {"setup": 9}
USUAL_MOST = 3
FOUR = ("Ana", "Ben", "Cem", "Dora")


def set_up(tablet: Tablet) -> None:
    """Put a game for four on the table."""
    tablet.open("/new")
    for number, name in enumerate(FOUR):
        tablet.page.locator("input[type=text]").nth(number).fill(name)
    tablet.tap(".foot button.go")
    tablet.page.wait_for_url("**/table")


def play(
    tablet: Tablet,
    service: Service,
    draw: Callable[[], None],
    look: Callable[[State], None] = lambda state: None,
) -> State:
    """Play to the end and return how it ended; *draw* sees to each draw, *look* is shown every state before it.

    Nobody counts three, two, one: a game has a dozen of them.
    """
    lots = Random(7)
    without_counting(service)
    while not (state := so_far(service)).finished:
        look(state)
        if state.attempt:
            draw()
            continue
        line = GAMES["andromeda"].line(sensible(state, lots))
        if "/act/" in tablet.page.url:
            tablet.open("/table")
        tablet.await_version(service.ask("GET", "/api/v1/state")[1]["version"])
        assert tablet.say(line) <= MOST_TAPS.get(line["do"], USUAL_MOST)
    return state


def without_counting(service: Service) -> None:
    """Let cards be turned over at once."""
    pace = GAMES["andromeda"].pace.changed({"reveal": False}).line()
    status, answer = service.ask("POST", "/api/v1/deeds", {"deed": "pace", "pace": pace})
    assert status == 200, answer


def so_far(service: Service) -> State:
    """Return the state that the record of the game comes to."""
    return replay(GAMES, enumerate(service.record(), 1)).state


def await_draw(tablet: Tablet, service: Service) -> None:
    """Wait until the tablet shows the next station that the ring lets out."""
    news = service.news()
    seen = news.version()
    if seen == tablet.version and so_far(service).attempt:
        try:
            seen = news.version()
        except TimeoutError:
            raise AssertionError(f"no draw came: {service.ask('GET', '/api/v1/table')[1]}") from None
    news.close()
    tablet.await_version(seen)
