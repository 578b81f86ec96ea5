"""Checks every page and moment of every game with axe-core: `python -m tests.browser.axe`.

It checks the evenings of the sheet, and also the pages around each game's table, its practice, and overlays that a
page shows only for a moment, in dark and light, on tablet and phone. It prints the accessibility faults.
"""

from __future__ import annotations

import multiprocessing
import re
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from playwright.sync_api import sync_playwright

from companion.kernel.fields import Line
from tests.browser.camera import PRACTISED
from tests.browser.conftest import launched
from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.looking import COLOURS, RULES, Glasses, faults
from tests.browser.moments import Moment
from tests.browser.sheet.looks import EVERYWHERE
from tests.browser.sheet.other_games import TELEVISION
from tests.browser.sheet.scenes import ONLOOKER, SCENES, Scene, served
from tests.browser.sheet.taking import Devices
from tests.browser.tablet import TABLET, Tablet
from tests.companion.app.processes import Service
from web.games.andromeda.practice import demo as andromeda
from web.games.hanse.practice import demo as hanse
from web.games.wreck.new_game import demo as wreck

IN_A_HAND: Glasses = (("phone", "light", RULES), ("phone", "dark", COLOURS))
BAG: Line = {
    "record": "table-record",
    "version": 1,
    "game": "draws",
    "players": [{"colour": "red", "name": "Ana"}, {"colour": "blue", "name": "Ben"}],
    "contents": {"red": 5, "blue": 3},
}
TABLES: Mapping[str, tuple[Line, ...]] = {
    **{each[0]["game"]: each for each in (andromeda(), hanse(), wreck())},
    "draws": (BAG, {"do": "draw", "cubes": {"red": 1}}),
}
"""The lines that start a table of each game, so that its pages have something to show."""
AROUND = ("ask", "menu", "clock", "times", "undo", "now")
PLAY_THEMSELVES = ("andromeda", "hanse", "wreck")
CARD = re.compile(r'href="(/help\?card=\w+)')
UNHURRIED = "addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('--lasts', '9e6ms'))"
"""Keeps the moment of a result open until it has been checked."""


def around(game: str, folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield the pages around the table of *game*, and all its rules."""
    with served(folder) as service:
        for name in ("new", "rules"):
            yield service, Moment(name, f"/{name}?game={game}")
        for card in sorted(set(CARD.findall(service.page(f"/help?game={game}")))):
            yield service, Moment(card, f"{card}?game={game}")
        begun(service, game)
        for name in ("", *AROUND):
            yield service, Moment(f"table {name}", f"/table/{name}".rstrip("/"))
        for name in ("history", "join", "device", ""):
            yield service, Moment(f"with the table: {name or 'home'}", f"/{name}")
        for name in ("", "ask", "menu"):
            yield service, Moment(f"seat {name}", f"/table/{name}".rstrip("/"), seat="red")
            yield service, Moment(f"onlooker {name}", f"/table/{name}".rstrip("/"), ONLOOKER)


def begun(service: Service, game: str) -> None:
    """Start a table of *game*."""
    header, *lines = TABLES[game]
    assert service.ask("POST", "/api/v1/games", header)[0] == 201
    for line in lines:
        service.do(line)


EVENINGS: Mapping[str, Scene] = {**SCENES, **{f"around-{game}": partial(around, game) for game in TABLES}}
"""All pages that have an address, evening by evening."""


def looked_at(evening: str) -> list[str]:
    """Return the accessibility faults on the pages of an evening."""
    found, seen = list[str](), 0
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = launched(playwright)
        devices: Devices | None = None
        for service, moment in EVENINGS[evening](Path(data)):
            if moment.seat == TELEVISION:
                continue  # a TV isn't tapped or read by screen readers
            if devices is None or devices.service is not service:
                devices = Devices(browser, service)
            glasses = EVERYWHERE if moment.seat in ("", ONLOOKER) else IN_A_HAND
            found += faults(devices.at(moment, "en"), f"{evening} {moment.name}", glasses)
            seen += 1
        browser.close()
    return told(evening, seen, found)


def told(name: str, seen: int, found: list[str]) -> list[str]:
    """Print how many pages of an evening were checked, and return the faults *found*."""
    print(f"{name}: {seen} pages, {len(found)} faults", *found, sep="\n    ", flush=True)
    return found


# Overlays that a page shows for a moment


def questions(tablet: Tablet, service: Service) -> None:
    """Open the list of questions."""
    tablet.open("/table")
    tablet.page.keyboard.press("F2")
    tablet.page.wait_for_selector("#ask [role=menuitem]")


def answer(tablet: Tablet, service: Service) -> None:
    """Answer a question."""
    tablet.open("/table")
    tablet.page.keyboard.press("2")
    tablet.page.wait_for_selector("#answer span")


def refused(tablet: Tablet, service: Service) -> None:
    """Make the table refuse a line."""
    tablet.open("/table")
    tablet.page.evaluate("document.querySelector('button[name=line]').value = '{\"do\": \"undone\"}'")
    tablet.tap("button[name=line]:visible")
    tablet.page.wait_for_selector(".refusal")


def centre(tablet: Tablet, service: Service) -> None:
    """Draw a station of the player's own."""
    result(tablet, service, "red")


def nothing(tablet: Tablet, service: Service) -> None:
    """Draw other players' stations only."""
    result(tablet, service, "blue", "green")


def result(tablet: Tablet, service: Service, *drawn: str) -> None:
    """Show the result of an attempt, and keep it open."""
    service.do(ATTEMPT)
    tablet.open("/table")
    for colour in drawn:
        service.do({"do": "draw", "colour": colour})
    tablet.page.wait_for_selector("body > .stage")


def practised(game: str, tablet: Tablet, service: Service) -> None:
    """Play a practice game of *game* for a while."""
    tablet.open("/practice")
    tablet.tap(f"form[action='/practice/begin'] button[value={game}]")
    for _ in range(PRACTISED):
        tablet.tap("form[action='/practice/step'] button:visible")
        tablet.page.wait_for_load_state()


OVER: Mapping[str, Callable[[Tablet, Service], None]] = {
    **{each.__name__: each for each in (questions, answer, refused, centre, nothing)},
    **{f"practice of {game}": partial(practised, game) for game in PLAY_THEMSELVES},
}
"""Overlays and states that have no address."""


def looked_over() -> list[str]:
    """Return the accessibility faults of overlays."""
    found = list[str]()
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for name, show in OVER.items():
            with tempfile.TemporaryDirectory() as data, served(Path(data)) as service:
                to_the_first_action(service)
                tablet = Tablet(browser, service.url, TABLET, still=True, hurried=False)
                tablet.page.add_init_script(UNHURRIED)
                tablet.enter_pin(service.pin)
                show(tablet, service)
                found += faults(tablet.page, f"over the page: {name}", EVERYWHERE)
                tablet.close()
        browser.close()
    return told("over the page", len(OVER), found)


def main() -> int:
    """Check all evenings, and exit with 1 if there are faults."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--evening", action="append", choices=EVENINGS, help="only this evening")
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs, multiprocessing.get_context("spawn")) as pool:
        over = None if args.evening else pool.submit(looked_over)
        found = [one for each in pool.map(looked_at, args.evening or EVENINGS) for one in each]
        found += over.result() if over else []
    print(f"{len(found)} faults")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
