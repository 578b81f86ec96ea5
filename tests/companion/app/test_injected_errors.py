"""An error is raised in every callback of the companion's threads: each thread restarts, and one sentence is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from threading import Event

import pytest

from companion.app.address_note import AddressNote
from companion.app.automatic_backups import AutomaticBackups, start_backups
from companion.app.data_folder import LEDGER
from companion.app.power_off import PowerOff
from companion.app.ring_journal import ring_journal
from companion.app.speaker import Speaker
from companion.app.summarising import start_summaries
from companion.app.terminal.inbox import Inbox
from companion.app.workers import ticking
from companion.console.controller import ConsoleController, keeping
from companion.fairness import GameDraws
from companion.kernel.supervisor import Supervisor, ThreadState, ThreadView
from companion.luck import LuckInBackground, LuckReport
from companion.model.speech import Verbosity
from companion.ports.console import Panel, Pressed, Sound
from companion.ports.ring import RingState, RingView
from companion.session.archive import TouchedGames
from companion.session.fairness_watch import FairnessWatch, in_background
from companion.session.table import Table
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.serving.process import Ending, start_script
from tests.companion.live_table import LiveTable
from tests.companion.toy import Toy
from tests.pauses import PATIENCE_S, at_once
from web.server.mdns import Mdns

ERRORS = [ZeroDivisionError("a bug of ours"), SystemExit(1)]
ROOT = Path(__file__).parents[3]
ELSEWHERE = {
    "ring": "tests/firmware_bridge/client/test_injected_errors.py",
    "capture": "tests/firmware_bridge/client/test_injected_errors.py",
    "virtual ring": "tests/firmware_bridge/client/test_injected_errors.py",
    "gpio ring": "tests/firmware_bridge/pi_ring/test_pi_ring.py",
    "emulated board": "tests/firmware_bridge/simulation/test_emulated_board.py",
    "import": "tests/web/request/test_apart.py",
    "arming": "tests/companion/app/test_ring_controller.py",
    "broker": "tests/companion/club/test_threads.py",
    "link": "tests/companion/club/test_threads.py",
    "club": "tests/companion/club/test_threads.py",
    "club pages": "tests/companion/club/test_threads.py",
    "stall": "tests/firmware_bridge/conformance/test_stall.py",
}
"""Tests that inject errors into the other threads."""


class Once:
    """A callable that raises *error* at its first call and sets `again` at its second call."""

    def __init__(self, error: BaseException) -> None:
        self._errors = [error]
        self.calls = 0
        self.again = Event()

    def __call__(self, *_: object) -> None:
        """Raise the error at the first call; set `again` at later calls."""
        self.calls += 1
        if self._errors:
            raise self._errors.pop()
        self.again.set()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    """A table with a toy game."""
    made = LiveTable(tmp_path / LEDGER, Toy()).open()
    yield made
    made.ledger.close()


Scene = Callable[[Supervisor, Once, LiveTable, Path], Callable[[], object]]
"""A function that starts a thread whose work reaches the injected error, and returns the function that ends it."""


def tick(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    def beat() -> None:
        once()
        live.table.tick()

    return ticking(threads, "tick", beat, "The clock", every_s=0.001)


def ring_log(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    live.table.ring_changed(RingView(RingState.SEARCHING, trouble="No ring found."))
    return ring_journal(live.table, once, threads)


class Summing:
    """A table whose summaries fail once."""

    def __init__(self, table: Table, once: Once) -> None:
        self._table, self._once = table, once
        self.archive = self.summaries = self

    def __getattr__(self, name: str) -> object:
        return getattr(self._table, name)

    def catch_up(self, rest: Callable[[float], None]) -> None:
        self._once()

    def close(self) -> None:
        pass


def summaries(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    return start_summaries(Summing(live.table, once), threads)  # type: ignore[arg-type]


def backups(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    def free(folder: Path) -> int:
        once()
        return 10**12

    return start_backups(live.table, AutomaticBackups(live.path.parent, lambda sentence: None, free=free), threads)


def note(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    tries = iter((OSError(28, "No space left on device"),))

    def write(path: Path, text: str) -> None:
        if (full := next(tries, None)) is not None:
            raise full
        once()

    noted = AddressNote(folder / "service.json", lambda sentence: None, threads, write, again_s=0.001)
    noted.put("http://127.0.0.1:1")
    return noted.take_away


class Panels:
    """A console that raises an error at one *place*."""

    def __init__(self, place: str, once: Once) -> None:
        self._place, self._once = place, once
        self.opened = 0

    def _at(self, place: str) -> None:
        if place == self._place:
            self._once()

    def __call__(self, stir: Callable[[], None]) -> Panels:
        self.opened += 1
        if self.opened > 1:
            self._at("open")
        self._stir = stir
        return self

    def show(self, panel: Panel) -> None:
        self._at("show")
        self._stir()

    def sound(self, sound: Sound) -> None:
        self._at("sound")

    def turn(self) -> tuple[Pressed, ...]:
        self._at("turn")
        if self._place in ("close", "open") and self.opened == 1:
            raise OSError("the pins are gone")
        return ()

    def due_s(self) -> float | None:
        self._at("due")
        return None

    def close(self) -> None:
        self._at("close")


def console(place: str) -> Scene:
    def begin(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
        return keeping(ConsoleController(live.table, Panels(place, once), lambda: 0.0), threads)

    return begin


def speaker(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    def speak(text: str, wrong: Callable[[], bool]) -> bool:
        once()
        return True

    speaks = Speaker(live.table, "en", Verbosity.ALL, speak, lambda: 0.0)
    live.score()
    thread = threads.start("speaker", speaks.run, "The loudspeaker")

    def end() -> None:
        speaks.end()
        thread.end()

    return end


def luck(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    def reckon(game: int) -> LuckReport | None:
        once()
        return None

    background = LuckInBackground(reckon, threads)
    background.of(1, 1)
    background.of(2, 2)
    return lambda: None


class Draws:
    """The draws of two games; reading the second game fails once."""

    def __init__(self, once: Once) -> None:
        self._once = once

    def touched(self, since: int) -> TouchedGames:
        return TouchedGames(2, None, (1, 2), 0)

    def game_draws(self, game_id: int) -> GameDraws:
        if game_id == 2:
            self._once()
        return GameDraws()


def fairness(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    FairnessWatch(Draws(once), in_background(threads)).look()
    return lambda: None


def neighbourhood(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    house = Mdns(once, 80, lambda sentence: None, settled_s=0.0, look_s=0.001, threads=threads)
    house.open()
    return house.close


class Lines(StringIO):
    """A script of one line that cannot be read the first time."""

    def __init__(self, once: Once) -> None:
        super().__init__('{"slide": 1}\n')
        self._once = once

    def __next__(self) -> str:
        if not self._once.again.is_set():
            self._once()
        return super().__next__()


def script(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    start_script(Lines(once), Hand(), Ending(), IDEAL.reflectance, pytest.fail, threads)
    return lambda: None


def off(threads: Supervisor, once: Once, live: LiveTable, folder: Path) -> Callable[[], object]:
    PowerOff(("true",), threads=threads, answer_s=0.0).ask(once)
    return lambda: None


SCENES: dict[tuple[str, str], tuple[Scene, str]] = {
    ("tick", "tick"): (tick, "The clock"),
    ("ring journal", "say"): (ring_log, "The ring's journal"),
    ("summaries", "catch up"): (summaries, "The statistics"),
    ("backups", "free room"): (backups, "The backup"),
    ("address note", "write"): (note, ""),
    ("console", "turn"): (console("turn"), "The console"),
    ("console", "show"): (console("show"), "The console"),
    ("console", "due"): (console("due"), "The console"),
    ("speaker", "speak"): (speaker, "The loudspeaker"),
    ("luck", "reckon"): (luck, "The luck report"),
    ("fairness", "read a game"): (fairness, "The fairness report"),
    ("neighbourhood", "address"): (neighbourhood, "The name on the network"),
    ("script", "read"): (script, ""),
    ("power off", "stop"): (off, ""),
}


def view_of(threads: Supervisor, name: str) -> ThreadView:
    """Return the view of the thread called *name*."""
    (found,) = [view for view in threads.views if view.name == name]
    return found


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(("name", "place"), SCENES)
def test_a_thread_is_back_after_an_error(
    name: str, place: str, error: BaseException, live: LiveTable, tmp_path: Path
) -> None:
    """A thread restarts and works again after any error at any place; until then, a sentence is shown."""
    scene, what = SCENES[name, place]
    threads, once, shown = at_once(), Once(error), list[tuple[str, ...]]()
    threads.subscribe(shown.append)

    end = scene(threads, once, live, tmp_path)
    assert once.again.wait(PATIENCE_S)
    end()

    view = view_of(threads, name)
    assert (view.restarts, view.last_error, view.trouble) == (1, type(error).__name__, "")
    sentence = f"{what} stopped ({type(error).__name__}). It starts again in 1 s."
    assert shown[:2] == ([(sentence,), ()] if what else [(), ()])
    assert threads.troubles == ()


@pytest.mark.parametrize("place", ["open", "close"])
def test_a_console_that_can_be_neither_closed_nor_opened_comes_back(place: str, live: LiveTable) -> None:
    """Console: if closing or opening the pins fails, they are opened at the next try."""
    threads, once, panels = at_once(), Once(OSError("busy")), None
    panels = Panels(place, once)
    end = keeping(ConsoleController(live.table, panels, lambda: 0.0), threads)

    if place == "open":
        assert once.again.wait(PATIENCE_S)
    else:
        live.score()
        while view_of(threads, "console").restarts < 1:
            live.score()
    end()

    assert panels.opened == (3 if place == "open" else 2)
    assert view_of(threads, "console").state is ThreadState.ENDED


def test_what_is_typed_ends_with_an_error_instead_of_waiting_for_ever() -> None:
    """`keyboard`: an error while reading ends the input, so that the waiting command ends."""

    def keys() -> Iterator[str]:
        yield "first"
        raise OSError(5, "Input/output error")

    threads = at_once()
    inbox = Inbox(keys(), threads)

    assert inbox.answer(lambda: None) == "first"
    assert inbox.answer(lambda: None) is None
    assert view_of(threads, "keyboard").restarts == 0


def test_every_thread_has_an_error_injected() -> None:
    """Threads: every thread in the table of docs/architecture.md has a test that injects an error."""
    section = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Threads")[2]
    listed = set(re.findall(r"^\| `([^`]+)` \|", section.partition("\n## ")[0], re.MULTILINE))

    assert listed == {name for name, _ in SCENES} | set(ELSEWHERE) | {"keyboard"}
    assert all((ROOT / path).is_file() for path in ELSEWHERE.values())
