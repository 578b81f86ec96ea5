"""The simplest pages that a game can have, with real rules: what the server needs from any game's pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.games.andromeda.random_policy import command
from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from web.request.game_pages import (
    BoardPages,
    Elsewhere,
    Form,
    GameCover,
    GameWords,
    Look,
    Pages,
    PracticePages,
    RulesCard,
    Scene,
)

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


def board_fields(board: Line | None) -> dict[str, str]:
    """Return the number of planets of a saved board."""
    return {} if board is None else {"planets": str(len(board["planets"]))}


def new_game(form: Form) -> Scene:
    """Return the page of the form."""
    return Scene("plain/new.html", {"form": form})


def header(form: Form) -> Line:
    """Return the header, with the starting player."""
    if not form.get("first"):
        raise Malformed("Say who begins.")
    return {**HEADER, "first": form["first"]}


def step(look: Look) -> Scene:
    """Return the page of a phase, which has one button."""
    return Scene("plain/step.html", {"phase": look.state.phase.value, "path": ""})


def act(look: Look) -> Scene:
    """Return the same page for an action."""
    return Scene("plain/step.html", {"phase": look.state.phase.value, "path": "act"})


def practice(shown: DemoStatus) -> Scene:
    """Return the page of a practice game, with its number of steps."""
    return Scene("plain/step.html", {"phase": str(shown.practice.steps), "path": "practice"})


PAGES = Pages(
    at={"": step, "act": act, "old": lambda look: Elsewhere("act")},
    around=lambda look, bar: {},
    tell=lambda line, header: f"{line.get('player', 'The table')}: {line['do']}",
    new_game=new_game,
    header=header,
    cards=(RulesCard("establish", "A centre", "", ("Play a set.",)),),
    card_at=lambda snapshot, path: "",
    demo=lambda: (HEADER,),
    board=BoardPages(board_fields, new_game, lambda form: None),
    practice=PracticePages(lambda: HEADER, command, practice),
)
COVER = GameCover(
    name="andromeda",
    called="Andromeda",
    words=GameWords(
        demo="three made-up players",
        practice="Three made-up players.",
        corrections="anything",
        leaving="What becomes of it",
    ),
    folder=Path(__file__).parent,
    load=lambda: PAGES,
    asks_board=True,
)
