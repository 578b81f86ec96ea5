"""A table with a console on mock pins and a fake clock: tests press the buttons and read the lights and sounds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.console.controller import ConsoleController
from companion.games.registry import GAMES
from companion.model.snapshot import Snapshot, Who
from companion.session.live_game import LiveGame
from companion.session.table import Table
from firmware_bridge.pi_console import ConsoleConfig, open_console
from tests.companion.games.andromeda.evening import COLOURS, NAMES, SHOWN
from tests.companion.ledgers import open_ledger

HOST = Who("host", "tablet")
TURN_S = 0.02
HEADER = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [{"colour": colour, "name": name} for colour, name in zip(COLOURS[:4], NAMES, strict=False)],
    "first": "red",
}
PLAN = ConsoleConfig(
    next=4,
    pause=25,
    buttons={"red": 7, "blue": 8, "green": 10, "yellow": 11, "black": 19},
    leds={"red": 14, "blue": 15, "green": 9, "yellow": 18, "black": 26},
    buzzer=12,
    lamp=(16, 20, 21),
)


class Consoled:
    """A table playing Andromeda, with a console."""

    def __init__(self, data: Path, plan: ConsoleConfig = PLAN) -> None:
        self.data, self.plan, self.time = data, plan, 1000.0
        self.sit_down()

    def sit_down(self) -> None:
        """Open the ledger and start a table with a newly opened console."""
        self.ledger = open_ledger(self.data / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, GAMES, lambda: self.time, Random(7)))
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.heard: list[float] = []
        opened = open_console(self.plan, lambda: self.time, self.factory)
        self.keeper = ConsoleController(self.table, opened, lambda: self.time)
        self.keeper.turn()

    def restart(self) -> Consoled:
        """Close ledger and console and open them again, like a power cut."""
        self.ledger.close()
        self.keeper.close()
        self.sit_down()
        return self

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot

    @property
    def step(self) -> str:
        """The step that the clock shows now."""
        timing = self.snapshot.timing
        assert timing is not None
        return timing.at(round((self.time - self.snapshot.as_of) * 1000)).step

    def do(self, do: str, **fields: Any) -> Consoled:
        """Send a line as the tablet does."""
        self.table.do({"do": do, **fields}, HOST)
        return self.pass_by(0.02)

    def open(self, **options: str) -> Consoled:
        """Set up a game of four players, up to the first deal."""
        self.table.open({**HEADER, "options": options} if options else HEADER, HOST)
        for colour in COLOURS[:4]:
            self.do("setup", player=colour, cards=SHOWN[4])
        return self.pass_by(1.0)

    def in_trading(self) -> Consoled:
        """Deal and pass by button, up to the start of the first trading phase."""
        self.press("next")
        for _ in COLOURS[:4]:
            self.press("next")
        return self

    def pass_by(self, seconds: float) -> Consoled:
        """Advance the fake clock in small steps, and run the console after each."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(end, self.time + TURN_S)
            self.keeper.turn()
            self._listen()
        return self

    def press(self, button: str, seconds: float = 0.1, settle: float = 1.0) -> Consoled:
        """Press the next or pause button, or a seat's button, for *seconds*."""
        pin = self.factory.pin(self._pin(button))
        pin.drive_low()
        self.pass_by(seconds)
        pin.drive_high()
        return self.pass_by(settle)

    def lights(self) -> Mapping[str, str]:
        """Return how each seat's light behaves during one second: off, on or blink."""
        seen: dict[str, set[bool]] = {seat: set() for seat in self.plan.leds}
        for _ in range(50):
            self.pass_by(0.02)
            for seat, pin in self.plan.leds.items():
                seen[seat].add(bool(self.factory.pin(pin).state))
        return {seat: "blink" if len(each) == 2 else "on" if True in each else "off" for seat, each in seen.items()}

    def lamp(self, seconds: float) -> list[tuple[tuple[float, ...], float]]:
        """Return the colours that the lamp shows for *seconds*: red, green and blue, and how long each lasts."""
        seen: list[tuple[tuple[float, ...], float]] = []
        for _ in range(round(seconds / TURN_S)):
            self.pass_by(TURN_S)
            colour = tuple(round(float(self.factory.pin(pin).state), 2) for pin in self.plan.lamp)
            before = seen.pop() if seen and seen[-1][0] == colour else (colour, 0.0)
            seen.append((colour, round(before[1] + TURN_S, 2)))
        return seen

    def tones(self) -> list[int]:
        """Return the tones since the last call, without repetitions of a held tone."""
        heard, self.heard = self.heard, []
        return [round(hz) for hz in heard]

    def rows(self, kind: str) -> list[Any]:
        """Return the ledger's rows of *kind*, oldest first."""
        rows = (self.ledger.row(number) for number in range(1, self.ledger.last + 1))
        return [row for row in rows if row is not None and row.kind == kind]

    def _listen(self) -> None:
        if self.plan.buzzer is None:
            return
        hz = float(self.factory.pin(self.plan.buzzer).frequency or 0)
        if hz and (not self.heard or self._last != hz):
            self.heard.append(hz)
        self._last = hz

    _last = 0.0

    def _pin(self, button: str) -> int:
        pin = {"next": self.plan.next, "pause": self.plan.pause}.get(button) or self.plan.buttons[button]
        assert pin is not None
        return pin
