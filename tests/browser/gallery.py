"""Takes screenshots of the pages that a test of a whole game doesn't show: `python -m tests.browser.gallery FOLDER`.

Games are played up to a moment through the service's API. Then screenshots of
every page are taken in both sizes, light and dark; those of players' phones are
taken on a phone.
"""

from __future__ import annotations

import sqlite3
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, sync_playwright

from companion.app.data_folder import LEDGER
from companion.games.andromeda.state import Phase, State, stations_on
from companion.games.registry import GAMES
from companion.session.summaries import Summaries
from tests.bench.services.many_games import lay
from tests.browser.camera import SCHEMES, Camera
from tests.browser.conftest import launched
from tests.browser.playing import FOUR, Followed
from tests.browser.sensible import sensible
from tests.browser.tablet import PHONE, TELEVISION, Tablet
from tests.companion.app.processes import Service

GAME = GAMES["andromeda"]
SEATS = dict(zip(("red", "blue", "green", "yellow"), FOUR, strict=True))
HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [{"colour": colour, "name": name} for colour, name in SEATS.items()],
    "first": "red",
}
LATER_ROUND = 3

Pictures = Mapping[str, str]
"""Addresses by the names of their screenshots."""
NOBODY_YET: Pictures = {
    "home-empty": "/",
    "welcome": "/welcome",
    "welcome-board": "/welcome?step=board",
    "welcome-cubes": "/welcome?step=cubes",
    "welcome-ring": "/welcome?step=ring",
    "rules": "/help?cards",
    "rule": "/help?card=establish",
    "device": "/device",
    "practice": "/practice",
}
IN_TRADING: Pictures = {"trading-answer": "/table", "clock": "/table/clock", "help": "/help"}
NAMING: Pictures = {"trading-naming": "/table"}
SWAPPING: Pictures = {"trading-swap": "/table"}
IN_A_TURN: Pictures = {
    "board-look": "/table/board",
    "calibrations": "/ring?show=calibrations",
    "correct": "/table/correct",
    "exchange": "/table/act/exchange",
    "fairness": "/fairness",
    "verify": "/games/1/verify",
    "games": "/games",
    "game-files": "/games?show=files",
    "names": "/games?show=names&of=Ana",
    "house-off": "/house/off",
    "join": "/join",
    "menu": "/table/menu",
    "menu-settings": "/table/menu?of=settings",
    "help-actions": "/help",
    "ask": "/help?ask",
    "pin": "/pin",
    "replay": "/games/1/replay?at=60",
    "replay-choose": "/replay",
    "replay-two": "/games/1/replay?at=20&beside=1&beside_at=60",
    "ship": "/table/act/ship",
    "undo": "/table/undo",
}
IN_AN_ATTEMPT: Pictures = {"attempt": "/table"}
ON_PHONES: Pictures = {"seat-turn": "/table", "seat-waiting": "/table", "seat-trading": "/table", "join-phone": "/join"}
AT_ONCE: Pictures = {"trading-reveal": "/table", "practice-played": "/practice"}
"""Screenshots that other functions take, at the right moment, since these pages change by themselves."""
IN_WHOLE_GAMES: Pictures = {
    "after": "/games/1/after",
    "files-of-a-game": "/games?show=files&game=1",
    "check": "/ring/check",
    "history": "/history",
    "judged-again": "/ring?show=again&game=1",
    "left-over": "/table/left",
    "new": "/new",
    "ring": "/ring",
    "teach-begin": "/ring/teach",
    **dict.fromkeys(("setup", "deal", "transport", "trading", "board", "final"), "/table"),
    "set": "/table/act/establish",
}
"""Screenshots taken by the tests of whole games and of the instrument."""


IN_A_ROOM: Pictures = {"screen-board": "/screen", "screen-overlay": "/screen?overlay&parts=turn,attempt,chance,score"}
"""Screenshots taken on a TV, in its only theme."""
ALL_NIGHTS: Pictures = {
    "games-many": "/games?player=ana",
    "statistics": "/statistics",
    "statistics-one": "/statistics?game=andromeda",
    "statistics-player": "/statistics/player?player=ana",
}
NIGHTS, DISTINCT = 120, 12
DAMAGED: Pictures = {"so-far": "/games/1/so-far"}
ON_TABLETS: Pictures = {
    **ALL_NIGHTS,
    **DAMAGED,
    **NOBODY_YET,
    **IN_TRADING,
    **NAMING,
    **SWAPPING,
    **IN_A_TURN,
    **IN_AN_ATTEMPT,
    **AT_ONCE,
    **IN_WHOLE_GAMES,
}


def to_the_trading(service: Service) -> None:
    """Play up to trading: four have set up, nobody transports; the starting player and two others have played."""
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    planets = {"p1": 2, "p2": 2, **{f"p{number}": 1 for number in range(3, 8)}}
    for colour in SEATS:
        service.do({"do": "setup", "player": colour, "cards": planets})
    service.do({"do": "deal"})
    for colour in SEATS:
        service.do({"do": "transport", "player": colour, "move": "pass"})
    for colour, card in zip(SEATS, ("p1", "p3", "p7", "p5"), strict=True):
        service.do({"do": "lay", "player": colour, "card": card})
    service.do({"do": "lay", "player": "red", "card": "p4"})
    service.do({"do": "lay", "player": "blue", "card": "p2"})


def played_to(service: Service, there: Callable[[State], bool], lots: Random | None = None) -> State:
    """Play a sensible game with typed-in draws until *there* is true, with random numbers from *lots*."""
    lots, followed = lots or Random(7), Followed(service)
    while not there(state := followed.state()):
        if state.attempt:
            under = [colour for colour, count in stations_on(state, state.attempt.planet).items() if count]
            service.do({"do": "draw", "colour": lots.choice(under)})
        else:
            service.do(GAME.line(sensible(state, lots)))
    return state


def deed(service: Service, name: str, **fields: object) -> None:
    """Execute an action that is not recorded as a line."""
    status, answer = service.ask("POST", "/api/v1/deeds", {"deed": name, **fields})
    assert status == 200, answer


def take(camera: Camera, pictures: Pictures) -> None:
    """Take screenshots of *pictures* on all of the host's devices."""
    for name, path in pictures.items():
        camera.take(name, path)


def the_trading(browser: Browser, folder: Path, service: Service) -> None:
    """Take screenshots of everything that shows the clock."""
    to_the_trading(service)
    camera = Camera(browser, service, folder)
    take(camera, IN_TRADING)
    phone(browser, service, folder, "green", "seat-trading")
    deed(service, "all_ready")
    camera.take("trading-reveal")
    camera.close()
    camera = Camera(browser, service, folder)
    take(camera, SWAPPING)
    deed(service, "undo")
    deed(service, "pace", pace={"naming": True, "reveal": False})
    deed(service, "all_ready")
    take(camera, NAMING)
    camera.close()


def the_turn(browser: Browser, folder: Path, service: Service) -> None:
    """Take screenshots of a turn in a later round."""
    assert service.ask("POST", "/api/v1/games", HEADER)[0] == 201
    state = played_to(service, lambda now: now.round == LATER_ROUND and now.phase is Phase.ACTIONS)
    camera = Camera(browser, service, folder)
    take(camera, IN_A_TURN)
    camera.close()
    television(browser, service, folder, "screen-board")
    phone(browser, service, folder, None, "join-phone")
    phone(browser, service, folder, state.turn, "seat-turn")
    phone(browser, service, folder, next(seat for seat in SEATS if seat != state.turn), "seat-waiting")
    played_to(service, lambda now: now.attempt is not None and bool(now.attempt.drawn))
    television(browser, service, folder, "screen-overlay")
    camera = Camera(browser, service, folder)
    take(camera, IN_AN_ATTEMPT)
    camera.close()


def the_beginning(browser: Browser, folder: Path, service: Service) -> None:
    """Take screenshots of the pages before the first game."""
    camera = Camera(browser, service, folder)
    take(camera, NOBODY_YET)
    camera.begin_practice()
    camera.take("practice-played", "/practice")
    camera.close()


def the_damage(browser: Browser, folder: Path, data: Path) -> None:
    """Take screenshots of a game with an unreadable row."""
    service = Service(data)
    to_the_trading(service)
    service.stop()
    with closing(sqlite3.connect(data / LEDGER)) as ledger, ledger:
        ledger.execute("DROP TRIGGER row_stays")
        ledger.execute("UPDATE row SET body = '{}' WHERE id = (SELECT max(id) FROM row WHERE kind = 'line')")
    service = Service(data)
    shown(browser, folder, service, DAMAGED)


def shown(browser: Browser, folder: Path, service: Service, pictures: Pictures) -> None:
    """Take screenshots of *pictures*, and stop the *service*."""
    try:
        camera = Camera(browser, service, folder)
        take(camera, pictures)
        camera.close()
    finally:
        service.stop()


def many_nights(data: Path) -> Service:
    """Return a service with simulated games of many nights in *data*, all included in the statistics."""
    lay(data, NIGHTS, DISTINCT, seed=1)
    summaries = Summaries(data / LEDGER, GAMES)
    summaries.catch_up()
    summaries.close()
    return Service(data)


def the_nights(browser: Browser, folder: Path, data: Path) -> None:
    """Take screenshots of the statistics of all games."""
    service = many_nights(data)
    shown(browser, folder, service, ALL_NIGHTS)


def phone(browser: Browser, service: Service, folder: Path, seat: str | None, name: str) -> None:
    """Take the screenshot *name* on the phone of *seat*, or on a phone without a seat."""
    host = Tablet(browser, service.url, PHONE)
    host.enter_pin(service.pin)
    host.open("/join")
    pin = host.page.inner_text(".digits").strip()
    device = Tablet(browser, service.url, PHONE)
    device.page.add_init_script("localStorage.setItem('sound', 'off')")
    device.open(f"/join?pin={pin}")
    if seat is not None:
        device.tap(f".sit-down[value={seat}]")
        device.page.wait_for_url("**/table")
        device.open("/table")  # the URL may change before the page has loaded
    for scheme in SCHEMES:
        device.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        device.page.screenshot(path=folder / f"{name}-390x844-{scheme}.png")
    device.close()
    host.close()


def television(browser: Browser, service: Service, folder: Path, name: str) -> None:
    """Take the screenshot *name* on a TV without a PIN; transparent areas are shown on a plain background."""
    device = Tablet(browser, service.url, TELEVISION, still=True)
    device.open(IN_A_ROOM[name])
    device.page.add_style_tag(content="html[data-screen=overlay] { background: #55705e }")
    device.page.screenshot(path=folder / f"{name}-{TELEVISION['width']}x{TELEVISION['height']}.png")
    device.close()


def main() -> None:
    """Take all screenshots."""
    arguments = ArgumentParser(description="Take pictures of the pages that no complete game shows.")
    arguments.add_argument("folder", type=Path)
    folder = arguments.parse_args().folder
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for moment in (the_beginning, the_trading, the_turn):
            with tempfile.TemporaryDirectory() as data:
                service = Service(Path(data) / "data", "mock:", "--power-off", "true")
                try:
                    moment(browser, folder, service)
                finally:
                    service.stop()
        with tempfile.TemporaryDirectory() as data:
            the_damage(browser, folder, Path(data) / "data")
            the_nights(browser, folder, Path(data) / "nights")
        browser.close()


if __name__ == "__main__":
    main()
