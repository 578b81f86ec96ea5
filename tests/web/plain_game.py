"""The plainest pages a game can have, around the real rules: what the service needs of any game's pages."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.games.andromeda.random_policy import command
from companion.kernel.errors import Malformed
from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from web.request.game_pages import Elsewhere, GameWords, Look, Reserved, Scene

HEADER: dict[str, Any] = {
    "record": "table-record",
    "version": 1,
    "game": "andromeda",
    "players": [
        {"colour": "red", "name": "Ana"},
        {"colour": "blue", "name": "Ben"},
        {"colour": "green", "name": "Cem"},
    ],
    "first": "red",
}
CARDS = {
    "red": {"p1": 3, "p2": 3},
    "blue": {"p3": 3, "p4": 3},
    "green": {"p5": 3, "p6": 3},
}


class PlainBoard:
    """Nothing is typed in; a board that is kept is counted."""

    at_first = True

    def fields(self, board: Line | None) -> dict[str, str]:
        return {} if board is None else {"planets": str(len(board["planets"]))}

    def form(self, form: Mapping[str, str]) -> Scene:
        return Scene("plain/new.html", {"form": form})

    def entered(self, form: Mapping[str, str]) -> Line | None:
        return None


class PlainPractice:
    """A practice that says how far it is."""

    words = "Three made-up players."

    def header(self) -> Line:
        return HEADER

    def scene(self, shown: DemoStatus) -> Scene:
        return Scene("plain/step.html", {"phase": str(shown.practice.steps), "path": "practice"})


class PlainPages:
    """Pages that show the phase and offer one button."""

    name = "andromeda"
    title = "Andromeda"
    words = GameWords(demo="three made-up players", now=True, corrections="anything", leaving="What becomes of it")
    emblem = ""
    reserved = Reserved()
    board = PlainBoard()
    practice = PlainPractice()
    screen = None
    timeline = None
    after = None

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | None:
        if path == "old":
            return Elsewhere("act")
        if path not in ("", "act"):
            return None
        return Scene("plain/step.html", {"phase": look.state.phase.value, "path": path})

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return nothing: each page says all of it."""
        return {}

    def tell(self, told_line: Line, header: Line) -> str:
        return f"{told_line.get('player', 'The table')}: {told_line['do']}"

    def new_game(self, form: Mapping[str, str]) -> Scene:
        return Scene("plain/new.html", {"form": form})

    def header(self, form: Mapping[str, str]) -> Line:
        if not form.get("first"):
            raise Malformed("Say who begins.")
        return {**HEADER, "first": form["first"]}

    def demo(self) -> tuple[Line, ...]:
        return (HEADER,)

    def made_up(self, state: Any, lots: Random) -> Any:
        return command(state, lots)

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        return None if card else Scene("plain/step.html", {"phase": "rules", "path": "rules"})

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        return ""
