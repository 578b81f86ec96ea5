"""The short game that every engine plays: a newcomer's first draw, a round, a phone's seat, the lessons, the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from companion.games.andromeda.state import Phase
from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.gallery import HEADER, played_to
from tests.browser.moments import Moment, moments
from tests.browsers.engines import Engine
from tests.browsers.glass import Glass, Size
from tests.browsers.relay import relayed
from tests.companion.app.processes import Service

TABLET, FLAT, UPRIGHT, NARROW, PHONE = (
    Size(1280, 800),
    Size(1024, 768),
    Size(800, 1280),
    Size(768, 1024),
    Size(390, 844),
)
SIZES = (TABLET, FLAT, UPRIGHT, NARROW, PHONE)
PHONES = (PHONE,)
VERSION = "return Number(document.getElementById('page')?.dataset.version || 0);"
UNDO = "a[href='/table/undo']"
SLIDE = "form[action='/table/slide'] button"


class Looker(Protocol):
    """Looks at pages."""

    def look(self, glass: Glass, name: str, sizes: tuple[Size, ...] = SIZES) -> None:
        """Look at the page that *glass* shows, in all *sizes*."""


class House:
    """A service that is reached through the relay at *url*, and the windows of one engine that show it."""

    def __init__(self, service: Service, url: str) -> None:
        self.service, self.url = service, url

    def version(self) -> int:
        """Return the version of the table."""
        return int(self.service.ask("GET", "/api/v1/state")[1]["version"])

    def follow(self, glass: Glass) -> None:
        """Wait until *glass* shows the current version of the table without a reload."""
        there = self.version()
        glass.wait_for(lambda: glass.evaluate(VERSION) >= there, f"{glass.address} did not follow to version {there}")

    def become_host(self, glass: Glass) -> None:
        """Enter the PIN."""
        glass.open(f"{self.url}/pin")
        glass.evaluate("localStorage.sound = 'off';")  # the question about sound is answered
        glass.type("input[name=pin]", self.service.pin)
        glass.tap("button", "Become host")
        glass.wait("return location.pathname === '/' && document.readyState === 'complete';", "the PIN led nowhere")

    def sit_down(self, host: Glass, phone: Glass, seat: str) -> None:
        """Let *phone* join *seat*."""
        host.open(f"{self.url}/join")
        pin = host.evaluate("return document.querySelector('.digits').textContent.trim();")
        phone.open(f"{self.url}/join?pin={pin}")
        phone.evaluate("localStorage.sound = 'off';")
        phone.tap(f".sit-down[value={seat}]")
        phone.wait("return location.pathname === '/table';", f"{seat} did not sit down")


@contextmanager
def house(ring: str = "none") -> Iterator[House]:
    """Yield a new service, with the relay in front of it."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "data", ring)
        try:
            with relayed(service.url) as url:
                yield House(service, url)
        finally:
            service.stop()


BESIDE_PLAY = {"welcome": "/welcome", "device": "/device", "rules": "/help?cards", "menu": "/table/menu"}


def newcomer(engine: Engine, looker: Looker) -> None:
    """Play from an empty service to the first draws with the big buttons, each tap in another size."""
    with house("mock:?seed=4") as home, engine(False) as glass:
        glass.resize(TABLET)
        glass.open(home.url)
        looker.look(glass, "home-empty")
        glass.resize(PHONE)
        glass.tap("main a", "Enter the host's PIN")
        glass.wait("return location.pathname === '/pin';", "no page for the PIN")
        looker.look(glass, "pin")
        glass.type("input[name=pin]", home.service.pin)
        glass.resize(FLAT)
        glass.tap("button", "Become host")
        glass.find("button", "Play a demo")
        looker.look(glass, "home-host")
        glass.resize(NARROW)
        glass.tap("button", "Play a demo")
        glass.find(SLIDE)
        looker.look(glass, "demo")
        glass.resize(UPRIGHT)
        slide(glass, home)
        looker.look(glass, "drawn")
        for size in (TABLET, PHONE, FLAT):
            home.follow(glass)
            if not glass.evaluate(f"return document.querySelector({SLIDE!r}) !== null;"):
                break
            glass.resize(size)
            slide(glass, home)
        looker.look(glass, "after-draws")
        for name, path in BESIDE_PLAY.items():
            glass.open(home.url + path)
            looker.look(glass, name)


def slide(glass: Glass, home: House) -> None:
    """Slide the ring once, wait until the draw counts, and close its result."""
    before = home.version()
    # A tap may be reported as missed if the page that it leads to appears before the driver answers.
    glass.wait_for(lambda: glass.tapped(SLIDE) or home.version() > before, f"no slide at {glass.address}")
    glass.wait_for(lambda: glass.evaluate(VERSION) > before, "no draw came")
    glass.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));")


def evening(engine: Engine, looker: Looker) -> None:
    """Play an evening of five with long names: every page of a round on the host's device, two seats on a phone."""
    with house() as home, ExitStack() as stack:
        host = stack.enter_context(engine(True))
        host.resize(TABLET)
        home.become_host(host)
        glasses = {"": host}
        for moment in moments(home.service):
            if moment.seat not in glasses:
                glasses[moment.seat] = phone = stack.enter_context(engine(True))
                phone.resize(PHONE)
                home.sit_down(host, phone, moment.seat)
            show(home, glasses[moment.seat], moment)
            looker.look(glasses[moment.seat], moment.name, PHONES if moment.seat else SIZES)


def show(home: House, glass: Glass, moment: Moment) -> None:
    """Show *moment* on *glass*; an open page of the table is updated automatically."""
    if moment.path == "/table" and glass.address == f"{home.url}/table":
        home.follow(glass)
    else:
        glass.open(home.url + moment.path)


def instrument(engine: Engine, looker: Looker) -> None:
    """Begin to calibrate the ring, then open an attempt in which the ring draws."""
    with house("mock:?seed=4") as home, engine(True) as glass:
        to_the_first_action(home.service)
        home.become_host(glass)
        glass.resize(TABLET)
        for name, path in (("ring", "/ring"), ("teach-begin", "/ring/teach")):
            glass.open(home.url + path)
            looker.look(glass, name)
        glass.tap("button", "Start")
        glass.find("button", "Read now")
        looker.look(glass, "teach-references")
        for left in (2, 1, 0):
            glass.tap("button", "Read now")
            glass.wait(f"return {READ_NOW} <= {left};", "nothing was read")
        for seen in range(1, 4):
            glass.tap("button", "Slide")
            glass.wait(f"return {COUNTED} >= {seen};", "the slide was not counted")
        looker.look(glass, "teach-passes")
        home.service.do(ATTEMPT)
        glass.open(f"{home.url}/table")
        looker.look(glass, "attempt")


READ_NOW = "[...document.querySelectorAll('button')].filter((one) => one.textContent.includes('Read now')).length"
COUNTED = "Number(document.querySelector('[data-testid=counter] b')?.textContent || 0)"


def ending(engine: Engine, looker: Looker) -> None:
    """Play a game to its end: pages late in the game, the final scores, the history, and pages linked from there."""
    with house("mock:?seed=4") as home, engine(True) as glass:
        assert home.service.ask("POST", "/api/v1/games", HEADER)[0] == 201
        home.become_host(glass)
        glass.resize(TABLET)
        played_to(home.service, lambda state: state.round == 3 and state.phase is Phase.ACTIONS)
        for name, path in LATE.items():
            glass.open(home.url + path)
            looker.look(glass, name)
        played_to(home.service, lambda state: state.finished)
        for name, path in OVER.items():
            glass.open(home.url + path)
            looker.look(glass, name)


LATE = {
    "board-late": "/table",
    "set": "/table/act/establish?planet=p4&cards=6",
    "correct": "/table/correct",
    "undo": "/table/undo",
    "clock": "/table/clock",
    "join": "/join",
}
OVER = {
    "final": "/table",
    "history": "/history",
    "home": "/",
    "games": "/games",
    "new": "/new",
    "welcome-board": "/welcome?step=board",
    "welcome-cubes": "/welcome?step=cubes",
    "welcome-ring": "/welcome?step=ring",
    "calibrations": "/ring?show=calibrations",
    "practice": "/practice",
    "rule": "/help?card=establish",
    "house": "/house/off",
}
SCENES = {"newcomer": newcomer, "evening": evening, "instrument": instrument, "ending": ending}
