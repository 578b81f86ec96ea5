"""Random actions at a table: moves, draws, undo, other games, backups, PINs, phones and calibrations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Protocol

from companion.app.data_folder import TOKEN
from companion.games.andromeda.attempt import Establish
from companion.games.andromeda.random_policy import command, header
from companion.games.andromeda.rules import Command
from companion.games.andromeda.state import State
from companion.games.registry import GAMES
from companion.kernel.fields import Line
from companion.records import replay
from tests.companion.app.processes import Service
from tests.generations.opened import Visitor
from tests.powercut.shown import Shown

GAME = GAMES["andromeda"]
DRAW_S = 60.0
OFTEN = {
    "move": 60,
    "undo": 6,
    "open": 2,
    "switch": 4,
    "pause": 3,
    "import": 1,
    "backup": 3,
    "renew": 3,
    "join": 3,
}
RECORDS = sorted((Path(__file__).parents[1] / "companion/games/andromeda/records").glob("*.jsonl"))


class Program(Protocol):
    """Runs a command of the program while the service is running."""

    def __call__(self, *words: object) -> str:
        """Return the command's output after it ended with status 0."""


def _counted_as(chosen: str) -> Line | None:
    """Return the line in the record for an answer about a passage."""
    if chosen == "not a draw":
        return None
    return {"do": "double_exit"} if "+" in chosen else {"do": "draw", "colour": chosen}


class Hands:
    """Simulated players of one evening; *shown* records the answers they get."""

    def __init__(self, shown: Shown, lots: Random, data: Path, backups: Path, calibration: Path, ring: bool) -> None:
        self.shown, self.lots, self.data, self.backups, self.ring = shown, lots, data, backups, ring
        self.calibration = calibration
        self.acknowledged = 0

    def deed(self) -> str:
        """Return a random action."""
        often = {**OFTEN, "calibration": 3} if self.ring else OFTEN
        return self.lots.choices(list(often), list(often.values()))[0]

    def do(self, word: str, service: Service, program: Program) -> None:
        """Perform an action."""
        deeds: Mapping[str, Callable[[], None]] = {
            "move": lambda: self.move(service),
            "undo": lambda: self.undo(service),
            "open": lambda: self.open(service),
            "switch": lambda: self.switch(service),
            "pause": lambda: self.pause(service),
            "import": lambda: self.import_record(program),
            "backup": lambda: self.backup(program),
            "renew": lambda: self.renew(program),
            "join": lambda: self.join(service),
            "calibration": lambda: self.calibrate(program),
        }
        deeds[word]()
        self.look(service)

    def began(self, service: Service) -> None:
        """Record the private files and the state that a started service shows."""
        self.shown.files = {name: self._held(name) for name in ("pin", "secret", TOKEN)}
        assert self.shown.files["pin"].split()[0] == service.pin
        self.look(service)

    def look(self, service: Service) -> None:
        """Record the state of the table, as its tablet shows it."""
        state: Line = {}
        game, record = None, list[Line]()
        while state.get("version") != (now := self._get(service, "state"))["version"]:  # changed by the ring
            state = now
            if state["game"] is not None:
                game, record = int(self._get(service, "table")["game_id"]), [*service.record()]
        self.shown.saw(state, game, record)

    def waits_for_the_ring(self) -> bool:
        """Return whether an attempt waits for the ring."""
        state = self._state()
        return bool(state and state.attempt and not state.finished)

    # At the table

    def move(self, service: Service) -> None:
        """Play a legal line, or wait for the ring during an attempt."""
        state = self._state()
        if state is None or state.finished:
            return self.open(service)
        if self._get(service, "table")["status"] == "paused":
            return self._deed(service, "resume")
        if state.attempt and self.ring:
            return self.draw(service)
        line = GAME.line(self._choice(state))
        return self._send(service, "commands", line, line)

    def draw(self, service: Service) -> None:
        """Wait until the ring has drawn a station, and answer a question if there is one."""
        asked = self._get(service, "table")["questions"]
        if asked:
            chosen = next((word for word, _ in asked[0]["offered"]), "not a draw")
            answer = {"deed": "answer", "question": asked[0]["id"], "chosen": chosen}
            return self._send(service, "deeds", answer, _counted_as(chosen))
        try:
            with closing(service.news(DRAW_S)) as news:
                if news.version() == self.shown.state["version"]:
                    news.version()
        except TimeoutError:
            stands = {what: self._get(service, what) for what in ("table", "ring", "clock")}
            raise TimeoutError(f"the ring lets nothing out: {stands}") from None
        return None

    def undo(self, service: Service) -> None:
        """Undo the last line."""
        undoable = self._get(service, "table")["undoable"]
        if undoable is not None:
            reason = {"reason": "misread"} if undoable["by_ring"] else {}
            self._send(service, "deeds", {"deed": "undo", **reason}, {"do": "undo"})

    def open(self, service: Service) -> None:
        """Start a new game."""
        own = {"record": "table-record", "version": 1, "game": "andromeda", **header(3, self.lots)}
        self._send(service, "games", own, None)

    def switch(self, service: Service) -> None:
        """Switch to a random game."""
        games = [each["id"] for each in self._get(service, "games")["games"]]
        if games:
            self._deed(service, "switch", game=self.lots.choice(games))

    def pause(self, service: Service) -> None:
        """Pause or resume the game."""
        status = self._get(service, "table")["status"]
        if status in ("live", "paused"):
            self._deed(service, "pause" if status == "live" else "resume")

    def join(self, service: Service) -> None:
        """Let a phone take a seat."""
        if self.shown.game is None:
            return
        self.shown.open_files.add("seats.json")
        visitor = Visitor(service.url, self.shown.files[TOKEN])
        visitor.posted("/join", seat=self.lots.choice(("red", "blue", "green")))
        self.shown.files["seats.json"] = self._held("seats.json")
        self.shown.open_files.clear()

    # Commands beside the service

    def import_record(self, program: Program) -> None:
        """Import a record of another game."""
        program("import", self.lots.choice(RECORDS), "--data", self.data)

    def backup(self, program: Program) -> None:
        """Make a backup."""
        name = f"{len(list(self.backups.iterdir()))}-{self.lots.randrange(10_000)}.sqlite"
        program("backup", self.backups / name, "--data", self.data)
        self.shown.backups.append(name)

    def renew(self, program: Program) -> None:
        """Renew the PIN."""
        self.shown.open_files.add("pin")
        text = program("pin", "--renew", "--data", self.data).strip()
        self.shown.files["pin"] = self._held("pin")
        assert self.shown.files["pin"].split()[0] == text
        self.shown.open_files.clear()

    def calibrate(self, program: Program) -> None:
        """Import a calibration for another copy."""
        name = f"Copy {self.lots.randrange(10_000)}"
        brought = self.calibration.with_name("brought.json")
        line = json.loads(self.calibration.read_text(encoding="utf-8"))
        brought.write_text(json.dumps({**line, "copy": name}), encoding="utf-8")
        program("calibration", "import", "--data", self.data, brought)
        self.shown.calibrations.append(name)

    # Inside

    def _choice(self, state: State) -> Command:
        """Choose a random command, but establish a centre whenever the rules allow it and there is a ring."""
        seats = GAME.waited_for(state) if self.ring else ()
        attempts = [each for seat in seats for each in GAME.choices(state, seat) if isinstance(each, Establish)]
        return self.lots.choice(attempts) if attempts else command(state, self.lots)

    def _state(self) -> State | None:
        """Return the state of the live game by its record."""
        if self.shown.game is None:
            return None
        state: State = replay(GAMES, enumerate(self.shown.records[self.shown.game], 1)).state
        return state

    def _deed(self, service: Service, word: str, **more: object) -> None:
        self._send(service, "deeds", {"deed": word, **more}, None)

    def _send(self, service: Service, where: str, body: Line, line: Line | None) -> None:
        """Send a request that adds *line* to the record, or no line if it is None. A refusal is not an error."""
        self.shown.pending = line
        status, answer = service.ask("POST", f"/api/v1/{where}", body)
        assert status in (200, 201) or 400 <= status < 500, (status, answer)
        if status >= 400:
            self.shown.pending = None
            return
        self.acknowledged += 1
        self.shown.answered, self.shown.version = True, max(self.shown.version, answer["version"])

    def _get(self, service: Service, what: str) -> Any:
        status, answer = service.ask("GET", f"/api/v1/{what}")
        assert status == 200, (status, answer)
        return answer

    def _held(self, name: str) -> str:
        return (self.data / name).read_text(encoding="utf-8")
