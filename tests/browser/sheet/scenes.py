"""The evenings for the sheet, each played from page to page through the service's API."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic
from typing import Any

from companion.app.data_folder import LEDGER
from companion.games.andromeda.state import Phase, State
from companion.games.registry import GAMES
from firmware_bridge.simulation.evaluation.recognition import calibrated
from firmware_bridge.simulation.physics import PhysicsBench
from firmware_bridge.simulation.physics.world import World
from tests.browser.camera import PRACTISED
from tests.browser.first_action import ATTEMPT, to_the_first_action
from tests.browser.gallery import (
    ALL_NIGHTS,
    IN_A_ROOM,
    IN_A_TURN,
    NOBODY_YET,
    SEATS,
    deed,
    many_nights,
    played_to,
    to_the_trading,
)
from tests.browser.gallery import HEADER as FOUR
from tests.browser.moments import HEADER as FIVE
from tests.browser.moments import Moment, moments
from tests.browser.sheet.other_games import EVENINGS, TELEVISION
from tests.companion.app.processes import PATIENCE_S, Service, VirtualRing
from tests.web.after_game.evenings import Evening

ONLOOKER, STRANGER = "onlooker", "stranger"
"""Other names in place of a seat: a device that only watches, and a phone that has scanned the table's QR code."""
LATER_ROUND, PASSES = 3, 10
LEVEL = 29
"""A random seed with which two of five share the win."""
SOON_S = 0.1
COLOURS = ("red", "blue", "green")
STILL_HANDS = "rates = { back = 0.0, pair = 0.0, poke = 0.0, glitch = 0.0 }\n"
"""A simulated world in which hands never hesitate."""
Scene = Callable[[Path], Iterator[tuple[Service, Moment]]]
"""An evening in a folder of its own: yields each page with the service that shows it."""


@contextmanager
def served(folder: Path, ring: object = "none") -> Iterator[Service]:
    """Yield a service in *folder*, and stop it afterwards."""
    service = Service(folder / "data", ring, "--power-off", "true")
    try:
        yield service
    finally:
        service.stop()


def nobody_yet(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield the pages before the first game."""
    with served(folder) as service:
        for name, path in {**NOBODY_YET, "new": "/new", "pin": "/pin", "ring-none": "/ring"}.items():
            yield service, Moment(name, path)
        yield service, Moment("home-onlooker", "/", ONLOOKER)
        for step in ("begin", *["step"] * PRACTISED):
            assert service.send("POST", f"/practice/{step}").getresponse().status == 303
        yield service, Moment("practice-played", "/practice")


def five_long_names(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield the pages of an evening of five players whose names have twelve letters."""
    with served(folder) as service:
        for moment in moments(service):
            yield service, moment
        yield service, Moment("result-onlooker", "/table", ONLOOKER)


def five_to_the_end(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Play the same five players' game: first a planet is full, later two share the win."""
    lots = Random(LEVEL)
    with served(folder) as service:
        assert service.ask("POST", "/api/v1/games", FIVE)[0] == 201
        state = played_to(service, _full, lots)
        yield service, Moment("board-full")
        yield service, Moment("board-full-look", "/table/board")
        yield service, Moment("seat-full", seat=state.turn or "")
        yield service, Moment("screen-five", IN_A_ROOM["screen-board"], TELEVISION)
        played_to(service, lambda now: now.finished, lots)
        for name, path in {"final-tie": "/table", "history-five": "/history", "times-five": "/table/clock"}.items():
            yield service, Moment(name, path)
        yield service, Moment("seat-final", seat="red")
        yield service, Moment("screen-won", IN_A_ROOM["screen-board"], TELEVISION)


def _full(state: State) -> bool:
    """Return whether a planet has all its centres taken while somebody has a turn."""
    full = any(all(owners) for owners in state.centres)
    return full and state.phase is Phase.ACTIONS and state.attempt is None


def four_in_a_turn(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Play a turn in a later round of four, with all pages linked from it, then to the end."""
    lots = Random(7)
    with served(folder, "mock:") as service:
        assert service.ask("POST", "/api/v1/games", FOUR)[0] == 201
        state = played_to(service, lambda now: now.round == LATER_ROUND and now.phase is Phase.ACTIONS, lots)
        for name, path in {"board-four": "/table", **IN_A_TURN, "history": "/history", "ring": "/ring"}.items():
            yield service, Moment(name, _of_its_game(service, path))
        yield service, Moment("seat-turn-four", seat=state.turn or "")
        yield service, Moment("seat-waiting-four", seat=next(seat for seat in SEATS if seat != state.turn))
        yield service, Moment("join-phone", "/join", STRANGER)
        yield service, Moment("screen-board", IN_A_ROOM["screen-board"], TELEVISION)
        played_to(service, lambda now: now.attempt is not None, lots)
        yield service, Moment("attempt-ring")
        yield service, Moment("attempt-onlooker", "/table", ONLOOKER)
        yield service, Moment("screen-overlay", IN_A_ROOM["screen-overlay"], TELEVISION)
        played_to(service, lambda now: now.finished, lots)
        for name, path in {"final": "/table", "history-over": "/history", "home-after": "/"}.items():
            yield service, Moment(name, path)


def _of_its_game(service: Service, path: str) -> str:
    """Return *path* with the current game's number instead of 1, since a ring adds rows before the game."""
    number = service.ask("GET", "/api/v1/games")[1]["games"][0]["id"]
    return path.replace("/games/1/", f"/games/{number}/").replace("beside=1&", f"beside={number}&")


def trading_of_four(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Play the first trading phase of four with its clock running, then without recording trades."""
    with served(folder) as service:
        to_the_trading(service)
        yield service, Moment("trading-clock")
        yield service, Moment("clock", "/table/clock")
        yield service, Moment("seat-trading-clock", seat="green")
        deed(service, "pause")
        yield service, Moment("trading-paused")
        deed(service, "resume")


def silent_ring(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Pull out the ring's cable during an attempt."""
    ring = VirtualRing(folder, [], seed=5)
    with served(folder, ring.path) as service:
        to_the_first_action(service)
        _awaited(service, lambda ring: ring["ring"]["state"] == "live")
        yield service, Moment("board-ring")
        service.do(ATTEMPT)
        yield service, Moment("attempt-slides")
        ring.end()
        _awaited(service, lambda ring: ring["ring"]["state"] != "live")
        yield service, Moment("attempt-silent")
        yield service, Moment("ring-silent", "/ring")
        yield service, Moment("seat-silent", seat="red")
        for colour in ("blue", "green"):
            service.do({"do": "draw", "colour": colour})
        yield service, Moment("board-silent")


def taught_ring(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Calibrate and check a ring, and re-check past draws."""
    with _still(folder, []) as service:
        to_the_first_action(service)
        yield service, Moment("ring-untaught", "/ring")
        yield service, Moment("teach-begin", "/ring/teach")
        lesson(service, "begin", copy="Our copy", colours=list(COLOURS))
        yield service, Moment("teach-references", "/ring/teach")
        for reference in ("black", "white", "dark"):
            lesson(service, "look", reference=reference)
            _awaited(service, lambda ring, name=reference: name in _read(ring))
        for colour in COLOURS:
            lesson(service, "turn", colour=colour)
            _slide(service, colour)
            yield service, Moment(f"teach-{colour}", "/ring/teach")
        lesson(service, "review")
        yield service, Moment("teach-review", "/ring/teach")
        lesson(service, "finish")
        yield service, Moment("calibrations", "/ring?show=calibrations")
        yield service, Moment("ring-taught", "/ring")
        lesson(service, "check")
        yield service, Moment("check-begun", "/ring/check")
        lesson(service, "slide")
        _awaited(service, lambda ring: bool(_wizard(ring)["read"]))
        yield service, Moment("check", "/ring/check")
        yield service, Moment("board-checking")
        lesson(service, "stop")
        yield service, Moment("ring-readings", "/ring?show=passage")
        yield service, Moment("ring-faults", "/ring?show=faults")
        game = service.ask("GET", "/api/v1/games")[1]["games"][0]["id"]
        yield service, Moment("judged-again", f"/ring?show=again&game={game}")


def unsure_ring(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Let out an orange cube, which this table doesn't have, and yield the pages with the ring's question."""
    steps = [{"wait_for": "armed"}, {"slide": 1, "colours": ["orange"]}, {"slide": 1, "colours": ["red"]}]
    made = calibrated(PhysicsBench(World(), Random(5)), COLOURS, PASSES, 80.0, "Our copy")
    with _still(folder, steps) as service:
        lesson(service, "bring", calibration=made.line())
        to_the_first_action(service)
        service.do(ATTEMPT)
        _awaited(service, lambda ring: bool(service.page("/table").count('name="chosen"')))
        yield service, Moment("unsure")
        yield service, Moment("unsure-others", "/table?other=1")
        yield service, Moment("unsure-onlooker", "/table", ONLOOKER)
        yield service, Moment("seat-unsure", seat="red")


def other_game(begun: Callable[[Service], Iterator[Moment]]) -> Scene:
    """Return the evening of one of the other games."""

    def scene(folder: Path) -> Iterator[tuple[Service, Moment]]:
        with served(folder) as service:
            for moment in begun(service):
                yield service, moment

    return scene


def damaged(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield the pages of a game with an unreadable row."""
    with served(folder) as service:
        to_the_trading(service)
    with closing(sqlite3.connect(folder / "data" / LEDGER)) as ledger, ledger:
        ledger.execute("DROP TRIGGER row_stays")
        ledger.execute("UPDATE row SET body = '{}' WHERE id = (SELECT max(id) FROM row WHERE kind = 'line')")
    with served(folder) as service:
        yield service, Moment("so-far", "/games/1/so-far")
        yield service, Moment("home-damaged", "/")


def a_night_that_is_over(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield the pages after one game of each kind, played by programs that take time to think."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    night = Evening(data)
    numbers = {name: night.played(name) for name in GAMES}
    night.close()
    with served(folder) as service:
        for name, number in numbers.items():
            settled(service, number)
            yield service, Moment(f"after-{name}", f"/games/{number}/after")
            yield service, Moment(f"course-{name}", f"/games/{number}/after?screen=course")
        yield service, Moment("files", "/games?show=files")
        yield service, Moment("files-of-a-game", f"/games?show=files&game={numbers['andromeda']}")


def settled(service: Service, number: int) -> None:
    """Wait until the luck of game *number* has been calculated."""
    until = monotonic() + PATIENCE_S
    while b"data-again" in service.send("GET", f"/games/{number}/after?screen=course").getresponse().read():
        assert monotonic() < until
        Event().wait(SOON_S)


@contextmanager
def _still(folder: Path, steps: Sequence[Mapping[str, object]]) -> Iterator[Service]:
    """Yield a service with a virtual ring; its simulated hands follow *steps* and never hesitate."""
    world = folder / "world.toml"
    world.write_text(STILL_HANDS, encoding="utf-8")
    ring = VirtualRing(folder, steps, seed=5, world=world)
    try:
        with served(folder, ring.path) as service:
            _awaited(service, lambda ring: ring["ring"]["state"] == "live")
            yield service
    finally:
        ring.end()


def lesson(service: Service, word: str, **fields: object) -> None:
    """Send the command *word* to the ring's instrument."""
    status, answer = service.ask("POST", "/api/v1/ring/deeds", {"deed": word, **fields})
    assert status == 200, answer


def _slide(service: Service, colour: str) -> None:
    """Slide *colour* until it has been read PASSES times."""
    for seen in range(1, PASSES + 1):
        lesson(service, "slide")
        _awaited(service, lambda ring, so_many=seen: _wizard(ring)["counts"].get(colour, 0) >= so_many)


def _wizard(ring: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the state of *ring*'s calibration wizard."""
    found: Mapping[str, Any] = ring["instrument"]["wizard"]
    return found


def _read(ring: Mapping[str, Any]) -> list[str]:
    """Return the names of the references that were read."""
    return [each["name"] for each in _wizard(ring)["references"] if each["counts"]]


def _awaited(service: Service, there: Callable[[Mapping[str, Any]], bool]) -> None:
    """Wait until *there* is true of the ring's state in the service."""
    until = monotonic() + PATIENCE_S
    while not there(known := service.ask("GET", "/api/v1/ring")[1]):
        assert monotonic() < until, known
        Event().wait(SOON_S)


def all_nights(folder: Path) -> Iterator[tuple[Service, Moment]]:
    """Yield statistics of the simulated games of many nights: of all, of one kind of game, and of one player."""
    service = many_nights(folder / "data")
    try:
        for name, path in ALL_NIGHTS.items():
            yield service, Moment(name, path)
    finally:
        service.stop()


SCENES: Mapping[str, Scene] = {
    each.__name__.replace("_", "-"): each
    for each in (
        five_long_names,
        five_to_the_end,
        four_in_a_turn,
        trading_of_four,
        nobody_yet,
        all_nights,
        taught_ring,
        unsure_ring,
        silent_ring,
        damaged,
        a_night_that_is_over,
    )
} | {name: other_game(evening) for name, evening in EVENINGS.items()}
"""All evenings, the longest first."""
