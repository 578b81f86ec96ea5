"""The results that are filmed: how each is prepared at a table of three, and what brings it about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Thread
from time import sleep
from typing import Any

from tests.browser.first_action import SEATS, to_the_first_action, to_the_first_trade
from tests.browser.gallery import deed
from tests.browser.playing import state_now
from tests.browser.tablet import Tablet
from tests.companion.app.processes import Service

SWAP = ("swap",)
RINGED, TYPED = "mock:?seed=4", "none"
PLANETS = ("p1", "p2", "p3")


@dataclass(frozen=True)
class Devices:
    """The devices at the table: the host's *tablet*, Ana's *phone*, and the *screen* for the room."""

    tablet: Tablet
    phone: Tablet
    screen: Tablet


@dataclass(frozen=True)
class Result:
    """One result: its *name*, its *ring*, how to *prepare* it, the *act* that brings it about, and its *stages*.

    *stages* are the stages in their order. Only the tablet shows the cards of a swap, so only it has a stage of one.
    """

    name: str
    ring: str
    prepare: Callable[[Service], None]
    act: Callable[[Service, Devices], None]
    stages: tuple[str, ...]

    def shown_on(self, device: str) -> tuple[str, ...]:
        """Return the stages that *device* shows."""
        return () if self.stages == SWAP and device != "tablet" else self.stages


def _move(service: Service, colour: str, source: str, target: str, count: int = 1) -> None:
    move = {"from": source, "to": target, "count": count}
    service.do({"do": "correct", "player": colour, "reason": "x", "move": move})


def _attempt(service: Service, cards: int) -> None:
    service.do({"do": "establish", "player": "red", "planet": "p1", "cards": cards})


def _only(service: Service, colour: str) -> None:
    """Send the stations of all others home from p1, so that the ring can draw only *colour*."""
    for other, player in state_now(service).players.items():
        if other != colour and player.on("p1"):
            _move(service, other, "p1", "earth", player.on("p1"))


def attempt(cards: int, only: str = "", full: int = 0) -> Callable[[Service], None]:
    """Return a function that prepares Ana's attempt at p1. *full* planets lack no centre, except p1 its best one."""

    def prepare(service: Service) -> None:
        to_the_first_action(service)
        _fill(service, full)
        _attempt(service, cards)
        if only:
            _only(service, only)

    return prepare


def _fill(service: Service, planets: int) -> None:
    """Take all centres of the first *planets* planets, except the best centre of p1."""
    for planet in PLANETS[:planets]:
        for at, colour in enumerate(("red", "blue", "green")):
            if (planet, at) != ("p1", 0):
                source = planet if state_now(service).players[colour].on(planet) else "earth"
                _move(service, colour, source, f"{planet}/{at}")


def last_turn(draws: bool) -> Callable[[Service], None]:
    """Return a function that prepares the game's last turn, which is Cem's. With *draws*, he has an open attempt."""

    def prepare(service: Service) -> None:
        to_the_first_action(service)
        _fill(service, 3)
        _attempt(service, 3)
        service.do({"do": "draw", "colour": "red"})
        for colour in ("red", "blue"):
            service.do({"do": "end_turn", "player": colour})
        if draws:
            _move(service, "blue", "earth", "p4")
            _move(service, "green", "earth", "p4")
            for _ in range(state_now(service).actions_left - 1):
                service.do({"do": "exchange", "player": "green", "cards": 1})
            service.do({"do": "establish", "player": "green", "planet": "p4", "cards": 3})

    return prepare


CARDS = (("red", "p1"), ("blue", "p2"), ("green", "p3"), ("red", "p4"), ("blue", "p5"), ("green", "p6"))


def trade(cards: int) -> Callable[[Service], None]:
    """Return a function that prepares the trading phase, with the first *cards* of CARDS named and on the table."""

    def prepare(service: Service) -> None:
        to_the_first_trade(service)
        deed(service, "pace", pace={"naming": True, "reveal": cards < len(CARDS)})
        for colour, card in CARDS[:cards]:
            service.do({"do": "lay", "player": colour, "card": card})

    return prepare


PRESSED = """(wanted) => {
  const same = (line) => Object.entries(wanted).every(([name, value]) => line[name] === value),
    buttons = [...document.querySelectorAll("button[name=line]")].filter((one) => one.offsetParent);
  const button = buttons.find((one) => same(JSON.parse(one.value)));
  button?.click();
  return Boolean(button) || buttons.map((one) => one.value);
}"""


def press(device: str, **line: object) -> Callable[[Service, Devices], None]:
    """Return a function that taps the button for *line* on this device."""

    def act(service: Service, devices: Devices) -> None:
        found = getattr(devices, device).page.evaluate(PRESSED, line)
        assert found is True, f"no button for {line}, but {found}"

    return act


def slide(service: Service, devices: Devices) -> None:
    """Tap the tablet's button that makes the simulated ring slide."""
    devices.tablet.page.evaluate("document.querySelector(\"form[action='/table/slide'] button\").click()")


def elsewhere(*lines: Mapping[str, Any], pause_ms: int = 0) -> Callable[[Service, Devices], None]:
    """Return the *lines* from a device that isn't filmed, one after another."""

    def send(service: Service) -> None:
        for nth, line in enumerate(lines):
            sleep(pause_ms / 1000 if nth else 0)
            service.do(line)

    def act(service: Service, devices: Devices) -> None:
        sender = Thread(target=send, args=(service,))
        sender.start()
        while sender.is_alive():  # pictures must be acknowledged meanwhile
            devices.tablet.page.wait_for_timeout(50)

    return act


def all_have_played(service: Service, devices: Devices) -> None:
    """Tap "All have played" on the tablet, which starts three, two, one."""
    devices.tablet.page.evaluate("document.querySelector(\"form[action='/table/all_ready'] button\").click()")


DRAW = "draw"
WON, FULL, LAST = ("won",), ("won", "full"), ("won", "full", "last")
RESULTS = (
    Result("centre-typed", TYPED, attempt(4), press("tablet", do=DRAW, colour="red"), WON),
    Result("centre-ring", RINGED, attempt(4, only="red"), slide, WON),
    Result("centre-phone", TYPED, attempt(4), press("phone", do=DRAW, colour="red"), WON),
    Result("home-typed", TYPED, attempt(7), press("tablet", do=DRAW, colour="blue"), ("home",)),
    Result("home-ring", RINGED, attempt(7, only="blue"), slide, ("home",)),
    Result("miss-typed", TYPED, attempt(3), press("tablet", do=DRAW, colour="blue"), ("miss",)),
    Result("miss-ring", RINGED, attempt(3, only="green"), slide, ("miss",)),
    Result("miss-elsewhere", TYPED, attempt(3), elsewhere({"do": DRAW, "colour": "green"}), ("miss",)),
    Result("full-typed", TYPED, attempt(4, full=1), press("tablet", do=DRAW, colour="red"), FULL),
    Result("full-ring", RINGED, attempt(4, only="red", full=2), slide, FULL),
    Result("last-typed", TYPED, attempt(4, full=3), press("tablet", do=DRAW, colour="red"), LAST),
    Result("last-ring", RINGED, attempt(4, only="red", full=3), slide, LAST),
    Result("winner-turn", TYPED, last_turn(draws=False), press("tablet", do="end_turn"), ("winner",)),
    Result("winner-draw", TYPED, last_turn(draws=True), press("tablet", do=DRAW, colour="blue"), ("miss", "winner")),
    Result("swap-tablet", TYPED, trade(len(CARDS)), press("tablet", do="swap", player="red"), SWAP),
    Result("swap-phone", TYPED, trade(len(CARDS)), press("phone", do="swap", player="red"), SWAP),
    Result("three-two-one", TYPED, trade(2), elsewhere({"do": "lay", "player": "green", "card": "p3"}), ("cover",)),
    Result("three-two-one-unnamed", TYPED, trade(2), all_have_played, ("cover",)),
    Result(
        "draw-during",
        TYPED,
        attempt(7),
        elsewhere({"do": DRAW, "colour": "blue"}, {"do": DRAW, "colour": "red"}, pause_ms=1200),
        ("home", "won"),
    ),
    Result(
        "draws-in-a-row",
        TYPED,
        attempt(7, full=3),
        elsewhere(*({"do": DRAW, "colour": colour} for colour in ("blue", "green", "red")), pause_ms=2600),
        ("home", *LAST),
    ),
)
SEAT = SEATS[0][0]
