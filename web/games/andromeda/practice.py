"""The demonstration game, and the page of a practice game: the board, the last move and its meaning."""

from __future__ import annotations

from dataclasses import dataclass

from companion.autoplay.demo import DemoStatus
from companion.games.andromeda.actions_sentences import earned
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.state import (
    KINDS,
    State,
)
from companion.games.andromeda.tellings import TELLINGS
from companion.kernel.fields import Line
from companion.kernel.said import joined
from web.components.players import Face, faces
from web.components.practice import practice
from web.games.andromeda.actions.turn import last_draws
from web.games.andromeda.components.board import picture
from web.games.andromeda.components.layout import bar, where
from web.request.game_pages import Scene

_SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))
_SET_UP = {
    "red": {"p1": 3, "p3": 1, "p4": 2, "p6": 2, "p7": 1},
    "blue": {"p2": 2, "p3": 3, "p5": 2, "p7": 2},
    "green": {"p1": 1, "p2": 1, "p4": 3, "p6": 3, "p7": 1},
    "yellow": {"p2": 3, "p3": 1, "p5": 3, "p7": 2},
}
_LAID = {"red": ("p2", "p5"), "blue": ("p1", "p6"), "green": ("p1", "p3"), "yellow": ("p4", None)}
_ATTEMPT: Line = {"do": "establish", "player": "red", "planet": "p6", "cards": 4}

RECORD = {"record": "table-record", "version": 1, "game": "andromeda"}


def demo() -> tuple[Line, ...]:
    """Return the header of the demonstration game, and the lines up to its first attempt."""
    players = [{"colour": colour, "name": name} for colour, name in _SEATS]
    options = {"virtual_ring": True, "show_odds": True}
    header: Line = {**RECORD, "players": players, "first": "red", "options": options}
    return (header, *_prepared(), *_transported(), *_traded(), _ATTEMPT)


def _prepared() -> tuple[Line, ...]:
    set_up = tuple({"do": "setup", "player": colour, "cards": cards} for colour, cards in _SET_UP.items())
    return (*set_up, {"do": "deal"})


def _transported() -> tuple[Line, ...]:
    passing = tuple({"do": "transport", "player": colour, "move": "pass"} for colour in ("blue", "green", "yellow"))
    return ({"do": "transport", "player": "red", "move": "to_planet", "planet": "p6"}, *passing)


def _traded() -> tuple[Line, ...]:
    laid = tuple(
        {"do": "lay", "player": colour, "card": cards[at]} for at in range(2) for colour, cards in _LAID.items()
    )
    swapped = {"do": "swap", "player": "red", "with": "green"}
    kept = {"do": "keep", "player": "green"}
    taken = tuple({"do": "take_back", "player": colour} for colour in ("blue",))
    return (*laid, swapped, kept, *taken)


SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"), ("yellow", "Dora"))


@dataclass(frozen=True)
class Laid:
    """One player's cards on the table in a trading phase: planets by slot, credits by kind."""

    face: Face
    planets: tuple[str, ...]
    credits: tuple[str, ...]


def practice_header() -> Line:
    """Return the header of a practice game for four simulated players on the example board."""
    return {**RECORD, "players": [{"colour": colour, "name": name} for colour, name in SEATS], "first": "red"}


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice game."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    words, phase = where(state)
    own = {"draws": last_draws(state), "laid": _laid(state), "phase": phase, "picture": picture(snapshot)}
    told = practice(shown, words, TELLINGS.sentence, explained)
    return Scene("andromeda/practice.html", own | told, bar(state, ""))


def explained(line: Line, header: Line, before: State, after: State) -> tuple[str, str]:
    """Return the meaning of *line*, given the states *before* and *after* it, and the name of its rules card."""
    means, card = TELLINGS.explained(line, header, before, after)
    credit = earned(str(line.get("player", "")), before, after)
    return joined(means, credit) if credit else means, card


def _laid(state: State) -> tuple[Laid, ...]:
    """Return the sets on the table, all face up, since nothing is secret in a practice game."""
    if state.trading is None:
        return ()
    known, sets = faces(state.setting.seats), state.trading.sets
    return tuple(
        Laid(known[colour], tuple(c for c in cards if c in PLANETS), tuple(c for c in cards if c in KINDS))
        for colour, cards in sets.items()
    )
